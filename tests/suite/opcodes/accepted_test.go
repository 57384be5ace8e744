// SPDX-License-Identifier: MIT

package opcodes

import (
	"os"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

// TestAcceptedIsCompiled: every instruction and extended instruction that the
// reader accepts is in a shader of tests/shaders or a module of tests/amber/modules
// that compiles. The tests of the scripts run these at every width.
func TestAcceptedIsCompiled(t *testing.T) {
	use := Count{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{}); err != nil {
			continue // the tests of machine code list these with the reasons
		}
		if err := use.Add(words); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
	}
	for _, file := range scripts.Files(t, "../../amber/modules/*.spv") {
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jacquard.Compile(t.Context(), module, jacquard.Options{}); err != nil {
			continue // it has several entry points
		}
		words, err := spv.Words(module)
		if err != nil {
			t.Fatal(err)
		}
		if err := use.Add(words); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	seen := inScripts(t, "../../amber/images/*.amber")
	check := func(u Used, name string) {
		if images(name) {
			if use[u] != 0 {
				t.Errorf("%s is taken for one that does not compile, but a compiled test shader contains it", name)
			}
			use[u] = seen[u]
		}
		if use[u] == 0 && untested[name] == "" {
			t.Errorf("the reader accepts %s (%s), but no test shader contains it", name, u)
		}
		if use[u] != 0 && untested[name] != "" {
			t.Errorf("%s is listed as untested, but a test shader contains it", name)
		}
	}
	for i := range spirvtab.Ops {
		if row := &spirvtab.Ops[i]; row.Read {
			check(Used{Kind: Opcode, Number: uint32(row.Num)}, row.Name)
		}
	}
	for n := range uint32(128) {
		if row := spirvtab.LookupGLSL(n); row != nil && row.Read {
			check(Used{ExtInst, "GLSL.std.450", n}, row.Name)
		}
	}
}

// images reports whether an instruction takes an image, a sampler, or both: these
// are read and interpreted, but no back end has them yet.
func images(name string) bool {
	switch name {
	case "OpTypeSampler", "OpTypeSampledImage", "OpTypeImage", "OpSampledImage":
		return true
	}
	return strings.HasPrefix(name, "OpImage")
}

// inScripts counts the instructions in the shaders of scripts, which the tests of
// images run on the interpreter and on lavapipe.
func inScripts(t *testing.T, pattern string) Count {
	files := scripts.Files(t, pattern)
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-as")
	use := Count{}
	var cache tools.Cache
	for _, file := range files {
		script := scripts.Read(t, file)
		for _, s := range script.Shaders {
			module, err := cache.Shader(t.Context(), file, s)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			words, err := spv.Words(module)
			if err != nil {
				t.Fatal(err)
			}
			if err := use.Add(words); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
	return use
}

// Stages that are read, but not compiled.
const (
	fragment = "only fragment shaders have it"
	geometry = "only geometry shaders have it"
)

// untested are the instructions that no compiled Vulkan shader can exercise, with
// the reason.
var untested = map[string]string{
	"OpKill":                             "only fragment shaders may execute it",
	"OpTerminateInvocation":              "as OpKill",
	"OpUntypedInBoundsPtrAccessChainKHR": "as OpUntypedPtrAccessChainKHR, with an additional promise",

	"OpDemoteToHelperInvocation": fragment, "OpIsHelperInvocationEXT": fragment,
	"OpBeginInvocationInterlockEXT": fragment, "OpEndInvocationInterlockEXT": fragment,
	"InterpolateAtCentroid": fragment, "InterpolateAtSample": fragment, "InterpolateAtOffset": fragment,
	"OpEmitVertex": geometry, "OpEndPrimitive": geometry, "OpEmitStreamVertex": geometry, "OpEndStreamPrimitive": geometry,
}
