// SPDX-License-Identifier: MIT

package corpus

import (
	"crypto/sha256"
	_ "embed" // mesa.txt
	"fmt"
	"io"
	"slices"
	"strings"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/support/modules"
)

//go:embed mesa.txt
var mesaText string

// mesaRefuses has the vertex and fragment modules that Mesa does not compile, by peerKey: the part before the bar of
// each line of mesa.txt.
var mesaRefuses = func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(mesaText) {
		if key, _, ok := strings.Cut(line, " | "); ok && !strings.HasPrefix(line, "#") {
			out[key] = true
		}
	}
	return out
}()

// peerKey names an entry point in mesa.txt.
func peerKey(m *modules.Module, stage, entry string) string {
	hash := sha256.Sum256(m.SPIRV)
	return fmt.Sprintf("%x %s %s", hash[:6], stage, entry)
}

// notOffered are the capabilities whose feature or extension Mesa's device for tgl does not offer
// (vkGetPhysicalDeviceFeatures, vkEnumerateDeviceExtensionProperties of 25.0.7). A module that declares one of them is
// not valid there. Mesa compiles some of them, but the code reads registers that nothing writes.
var notOffered = []string{
	"FragmentBarycentricKHR", // VK_KHR_fragment_shader_barycentric
	"RayQueryKHR",            // VK_KHR_ray_query
	"StorageImageMultisample", "StorageImageReadWithoutFormat", "Float64",
	"FragmentMaskAMD", "PerViewAttributesNV", "ShaderViewportMaskNV", "ImageFootprintNV", "MeshShadingNV", // only the compute derivatives of AMD and NV
}

// offered reports whether Mesa's device offers all capabilities that a module declares.
func offered(m *modules.Module) bool {
	for _, c := range modules.Capabilities(m.SPIRV) {
		if v := spirvtab.Capabilities.Lookup(c); v == nil || slices.Contains(notOffered, v.Name) {
			return false
		}
	}
	return true
}

// columnsOf holds the numbers of modules in a row of the report.
type columnsOf struct{ modules, compiled, drawn, mesa, both, valid, bothValid int }

// writeStages writes for each pair the number of vertex and fragment modules with code, among all and among the modules
// that Mesa compiles.
func writeStages(w io.Writer, outcomes []*Outcome) {
	fmt.Fprintf(w, "\n## Machine code of vertex and fragment shaders\n\n"+
		"iga64 makes the same bytes of its text of all of it, and it breaks no restriction. \"Drawn\" are the\n"+
		"modules that draw on the model what the interpreter allows. \"Mesa\" are the modules that Mesa 25.0.7\n"+
		"compiles for tgl (mesa.txt has the others), \"of them\" those for which there is code. \"Offered\" are those of Mesa's "+
		"that ask for no\n"+
		"capability which its device for tgl does not offer: %s.\n\n"+
		"| stage, target, width | modules | compiled | drawn | Mesa | of them | %% | offered | of them | %% |\n"+
		"|---|---|---|---|---|---|---|---|---|---|\n", strings.Join(notOffered, ", "))
	for _, stage := range []kind.Stage{kind.StageVertex, kind.StageFragment} {
		for _, pair := range StagePairs(stage) {
			n := columns(stage.String(), outcomes, func(p Pair) bool { return p == pair })
			n.write(w, stage.String()+", "+pair.String())
		}
	}
	var machines []string
	for _, pair := range StagePairs(kind.StageVertex) {
		machines = append(machines, pair.Target.Name)
	}
	for _, machine := range machines {
		n := columns("", outcomes, func(p Pair) bool { return p.Target.Name == machine })
		n.write(w, "both, "+machine+", every width")
	}
}

func (n columnsOf) write(w io.Writer, what string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %.1f | %d | %d | %.1f |\n",
		what, n.modules, n.compiled, n.drawn, n.mesa, n.both, percent(n.both, n.mesa), n.valid, n.bothValid, percent(n.bothValid, n.valid))
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// columns counts the modules of a stage, or of both, that have code for all given pairs.
func columns(stage string, outcomes []*Outcome, meant func(Pair) bool) (n columnsOf) {
	for _, o := range outcomes {
		if o.Module.Invalid != "" || o.Stage == "compute" || !hasColumns(o.Stage) || stage != "" && o.Stage != stage {
			continue
		}
		n.modules++
		codes, drawn := false, o.Why[Model] == ""
		for i := range o.Codes {
			if c := &o.Codes[i]; meant(c.Pair) {
				drawn = drawn && c.Drawn
				if codes = c.Bytes != nil; !codes {
					break
				}
			}
		}
		if codes {
			n.compiled++
			if drawn {
				n.drawn++
			}
		}
		if mesaRefuses[peerKey(o.Module, o.Stage, o.Entry)] {
			continue
		}
		n.mesa++
		if codes {
			n.both++
		}
		if !offered(o.Module) {
			continue
		}
		n.valid++
		if codes {
			n.bothValid++
		}
	}
	return n
}
