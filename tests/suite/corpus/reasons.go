// SPDX-License-Identifier: MIT

package corpus

import (
	"fmt"
	"io"
	"regexp"
)

// Refusal is a class of reasons why a module is not compiled.
type Refusal struct {
	Name     string
	Hardware bool // no target supports it, or not at this size
	find     *regexp.Regexp
}

// refusals lists all reasons why compute modules of the corpus may be refused.
var refusals = []Refusal{
	{"64-bit floats", true, regexp.MustCompile(`has no arithmetic on 64-bit floats|capability AtomicFloat64\w+ is not supported`)},
	{"ray queries and ray tracing", true, regexp.MustCompile(`capability (RayQueryKHR|RayTracingKHR) is not supported`)},
	{"64-bit texels", true, regexp.MustCompile(`stores of 64-bit texels are not supported|has no messages for texels of these sizes`)},
	{"multisampled storage images", true, regexp.MustCompile(`has no messages for multisampled storage images`)},
	{"matrices of a subgroup", true, regexp.MustCompile(`capability CooperativeMatrix\w+ is not supported`)},
	{"limits of a workgroup", true, regexp.MustCompile(`of workgroup memory; the limit is|invocations; the limit is`)},
	{"samplers", false, regexp.MustCompile(`has no messages for (images and )?samplers`)},
	{"vendors' subgroup operations", false, regexp.MustCompile(`capability (Groups|GroupNonUniformPartitionedNV) is not supported`)},
	{"vendors' instructions", false, regexp.MustCompile(`the extended instruction set .* is not supported`)},
	{"pointers to inputs as values", false, regexp.MustCompile(`a pointer of storage class Input cannot be a value`)},
}

// stageRefusals lists further reasons for vertex and fragment modules.
var stageRefusals = []Refusal{
	{"pointers to variables as values", false, regexp.MustCompile(`a pointer of storage class \w+ cannot be a value|objects of this type cannot be values|images and samplers must be variables`)},
	{"vendors' capabilities and modes", false, regexp.MustCompile(`capability \w+(AMD|ARM|NV) is not supported|capability Fragment(Density|FullyCovered)EXT is not supported|execution mode \w+AMD is not supported`)},
	// The setup data of a fragment has an input's value at one vertex and rounded differences to the others (TGL PRM
	// vol. 7, "PS Thread Payload"), and the provoking vertex decides which that is. Mesa 25.0.7 does not offer the
	// extension for these machines.
	{"inputs per vertex", true, regexp.MustCompile(`load_input_vertex at`)},
	{"multisampling", false, regexp.MustCompile(`load_sample_\w+ at|load_barycentric_at_\w+ at|sample_mask of a fragment shader`)},
	{"16-bit texels", false, regexp.MustCompile(`must have components that are 32-bit floats`)},
	{"limits of distances", true, regexp.MustCompile(`\d+ clip and cull distances; a vertex`)},
	{"clocks of a device", false, regexp.MustCompile(`has no clock of scope device`)},
	{"limits of descriptors", true, regexp.MustCompile(`the shader uses \w+ samplers; the limit is`)},
	{"registers", false, regexp.MustCompile(`more registers are needed at once than the machine has|inputs and push constants take \d+ registers`)},
	{"parts of vertex and fragment shaders", false, regexp.MustCompile(`has no instruction for it|(is|are) not supported( yet)?$|is not supported yet on|must be lowered before selection|of a vertex shader is not supported`)},
}

// RefusalOf returns the class of a compute, vertex or fragment module that is not read or not compiled, and the reason.
// The class is nil if no class has the reason. The reason is "" if the module compiles, or fails in another way. A vertex
// or fragment shader must compile for every pair.
func RefusalOf(o *Outcome) (*Refusal, string) {
	why := refusedFor(o)
	if why == "" {
		return nil, ""
	}
	for _, r := range refusalsOf(o.Stage) {
		if r.find.MatchString(why) {
			return r, why
		}
	}
	return nil, why
}

// refusalsOf returns the classes of a stage. A module belongs to the first class that fits.
func refusalsOf(stage string) (out []*Refusal) {
	for i := range refusals {
		out = append(out, &refusals[i])
	}
	if stage != "compute" {
		for i := range stageRefusals {
			out = append(out, &stageRefusals[i])
		}
	}
	return out
}

// refusedFor returns why a valid module is not read or not compiled, or "".
func refusedFor(o *Outcome) string {
	if !hasColumns(o.Stage) || o.Module.Invalid != "" {
		return ""
	}
	for _, s := range [2]Step{Read, Compile} {
		if why := o.Why[s]; why != "" && why != NotReached {
			return why
		}
	}
	if o.Stage == "compute" {
		return ""
	}
	for i := range o.Codes {
		if why := o.Codes[i].Refused; why != "" {
			return why
		}
	}
	return ""
}

// hasColumns reports whether the modules of a stage are compiled.
func hasColumns(stage string) bool {
	return stage == "compute" || stage == "vertex" || stage == "fragment"
}

// writeRefusals counts the modules of a stage that are refused, by class.
func writeRefusals(w io.Writer, stage string, outcomes []*Outcome) {
	count := map[*Refusal]int{}
	modules, refused, hardware := 0, 0, 0
	for _, o := range outcomes {
		if o.Stage != stage {
			continue
		}
		if o.Module.Invalid == "" {
			modules++
		}
		r, why := RefusalOf(o)
		if why == "" {
			continue
		}
		refused++
		if r != nil {
			count[r]++
			if r.Hardware {
				hardware++
			}
		}
	}
	fmt.Fprintf(w, "\n## Refused, %s: %d of %d\n\n%d of them ask for what the machines do not have.\n\n", stage, refused, modules, hardware)
	for _, r := range refusalsOf(stage) {
		if count[r] == 0 {
			continue
		}
		note := ""
		if r.Hardware {
			note = " (hardware without it)"
		}
		fmt.Fprintf(w, "- %d: %s%s\n", count[r], r.Name, note)
	}
}
