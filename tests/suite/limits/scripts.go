// SPDX-License-Identifier: MIT

package limits

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Scripts in AmberScript and VkScript.

// hexShader returns a compute shader that adds one to the elements of the storage
// buffer at set 0 binding 0, as words of SPIR-V in hexadecimal.
func hexShader() string {
	m := newModule()
	m.begin(m.entry, m.void)
	x := m.lane()
	m.put(x, m.bin(opIAdd, m.get(x), m.u(1)))
	m.end()
	var b strings.Builder
	for words := m.bytes(); len(words) > 0; words = words[4:] {
		fmt.Fprintf(&b, "%08x ", binary.LittleEndian.Uint32(words))
	}
	return b.String() + "\n"
}

// amberHead declares a shader and the buffer that it works on.
func amberHead() string {
	return "#!amber\nSHADER compute s SPIRV-HEX\n" + hexShader() + "END\nBUFFER b DATA_TYPE uint32 SIZE 16 FILL 0\n"
}

const amberTail = "RUN p 1 1 1\nEXPECT b IDX 0 EQ 1\n"

// script returns a function that makes an AmberScript with n copies each of a declaration, of a part of a pipeline,
// and of a command.
func script(declare, bind, command string) func(int) []byte {
	return func(n int) []byte {
		part := func(before, each string) string { return string(repeated(before, each, "")(n)) }
		return []byte(part(amberHead(), declare) +
			part("PIPELINE compute p\nATTACH s\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\n", bind) +
			part("END\n"+amberTail, command))
	}
}

// derived returns n pipelines that each inherit n BIND commands.
func derived(n int) []byte {
	return script("", "BIND BUFFER b AS storage DESCRIPTOR_SET 1 BINDING #\n", "DERIVE_PIPELINE p# FROM p\nEND\n")(n)
}

// deeper returns n pipelines, each derived from the previous one with one more
// binding.
func deeper(n int) []byte {
	var b strings.Builder
	b.Write(script("", "", "")(0))
	for i := range n {
		from := "p"
		if i > 0 {
			from += fmt.Sprint(i)
		}
		fmt.Fprintf(&b, "DERIVE_PIPELINE p%d FROM %s\nBIND BUFFER b AS storage DESCRIPTOR_SET 1 BINDING %d\nEND\n", i+1, from, i)
	}
	return []byte(b.String())
}

// attach returns an ATTACH with n specialization constants.
func attach(n int) []byte {
	var b strings.Builder
	b.WriteString(amberHead() + "PIPELINE compute p\nATTACH s")
	for i := range n {
		fmt.Fprintf(&b, " SPECIALIZE %d AS uint32 1", i)
	}
	b.WriteString("\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n" + amberTail)
	return []byte(b.String())
}

// structOf returns a struct of n members.
func structOf(n int) []byte {
	return append(repeated("#!amber\nSTRUCT t\n", "uint8 m#\n", "")(n), "END\nBUFFER b DATA_TYPE t SIZE 1 FILL 0\n"...)
}

// wide returns a function that makes a script with a type of 100 arrays and n copies of a command that uses it.
func wide(each string) func(int) []byte {
	return func(n int) []byte {
		members := string(repeated("", "uint8[400] m#\n", "")(100))
		return repeated("#!amber\nSTRUCT t\n"+members+"END\nBUFFER b DATA_TYPE t SIZE 1 FILL 0\nBUFFER c DATA_TYPE t SIZE 1 FILL 1\n", each,
			"")(n)
	}
}

// arrays returns n buffers that contain arrays of different sizes, up to 60000.
func arrays(n int) []byte {
	var b strings.Builder
	b.WriteString("#!amber\n")
	for i := range n {
		fmt.Fprintf(&b, "BUFFER b%d DATA_TYPE uint8[%d] SIZE 1 FILL 0\n", i, i%60000+1)
	}
	return []byte(b.String())
}

// sources returns n shaders whose source is one virtual file of n words.
func sources(n int) []byte {
	words := string(repeated("#!amber\nVIRTUAL_FILE f\n", "0 ", "\nEND\n")(n))
	return repeated(words, "SHADER compute s# SPIRV-HEX VIRTUAL_FILE f\n", "")(n)
}

func vkScript(each, after string) func(int) []byte {
	return repeated("[compute shader spirv hex]\n"+hexShader()+"[test]\nssbo 0 64\n", each,
		after+"compute 1 1 1\nprobe ssbo uint 0 0 == 1\n")
}

var scripts = []input{
	{"script, buffers", script("BUFFER b# DATA_TYPE uint32 SIZE 1 FILL 1\n", "BIND BUFFER b# AS storage DESCRIPTOR_SET 1 BINDING #\n", ""), ".amber", "run", 200000, 0},
	{"script, buffers on the model", script("BUFFER b# DATA_TYPE uint32 SIZE 1 FILL 1\n", "BIND BUFFER b# AS storage DESCRIPTOR_SET 1 BINDING #\n", ""), ".amber", "run --on eu", 200000, 0},
	{"script, buffers of data", script("BUFFER b# DATA_TYPE vec4<float> DATA\n1 2 3 4\nEND\n", "", "EXPECT b# IDX 0 EQ 1 2 3 4\n"), ".amber", "run", 200000, 0},
	{"script, copies", script("", "", "EXPECT b IDX 0 TOLERANCE 1 EQ 1\n"), ".amber", "run", 500000, 0},
	{"script, derived pipelines", derived, ".amber", "run", 200000, 2000},
	{"script, deeper pipelines", deeper, ".amber", "run", 200000, 3000},
	{"script, specialization constants", attach, ".amber", "run", 500000, 0},
	{"script, struct", structOf, ".amber", "run", 1200000, 0},
	{"script, struct of 60000", structOf, ".amber", "run", 60000, 0},
	{"script, wide buffers", wide("BUFFER b# DATA_TYPE t SIZE 1 FILL 0\n"), ".amber", "run", 500000, 0},
	{"script, wide copies", wide("COPY b TO c\n"), ".amber", "run", 1000000, 0},
	{"script, wide comparisons", wide("EXPECT b RMSE_BUFFER c TOLERANCE 2\n"), ".amber", "run", 10000, 0},
	{"script, arrays", arrays, ".amber", "run", 400000, 3000},
	{"script, sources", sources, ".amber", "run", 400000, 6000},
	{"script, features", repeated("#!amber\n", "DEVICE_FEATURE shaderInt64\n", ""), ".amber", "run", 700000, 0},
	{"script, values", repeated("#!amber\nBUFFER b DATA_TYPE uint8 DATA\n", "1 ", "\nEND\n"), ".amber", "run", 10000000, 0},
	{"script, repeated blocks", repeated(amberHead(), "REPEAT 2\nEXPECT b IDX 0 EQ 0\nEND\n", ""), ".amber", "run", 400000, 0},
	{"script, word", repeated("#!amber\n", "x", ""), ".amber", "run", 19000000, 0},
	{"script, empty lines", repeated("#!amber\n", "\n", ""), ".amber", "run", 19000000, 0},
	{"VkScript, buffers", vkScript("ssbo 1:# 4\n", ""), ".vkscript", "run", 1000000, 0},
	{"VkScript, buffers with data", vkScript("ssbo 1:# subdata float 0 1\n", ""), ".vkscript", "run", 600000, 0},
	{"VkScript, entry points", vkScript("ssbo 1:# 4\ncompute entrypoint m#\ncompute 0 1 1\n", ""), ".vkscript", "run", 400000, 2000},
	{"VkScript, probes", vkScript("probe ssbo uint 0 0 == 0\n", ""), ".vkscript", "run", 700000, 0},
	{"VkScript, sections", repeated("", "[comment]\n", ""), ".vkscript", "run", 1900000, 0},
	{"VkScript, lines", func(n int) []byte { return []byte(strings.Repeat("#\n", n) + "[test]\n") }, ".vkscript", "run", 9000000, 0},
}
