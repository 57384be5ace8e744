package corpus

import (
	"fmt"
	"io"
	"regexp"
)

// Refusal classifies why a module is not compiled.
type Refusal struct {
	Name     string
	Hardware bool // no machine that is compiled for can do it, or not at this size
	find     *regexp.Regexp
}

// refusals are all the reasons for which compute modules of the corpus may be refused.
var refusals = []Refusal{
	{"64-bit floats", true, regexp.MustCompile(`has no arithmetic on 64-bit floats|capability AtomicFloat64\w+ is not supported`)},
	{"ray queries and ray tracing", true, regexp.MustCompile(`capability (RayQueryKHR|RayTracingKHR) is not supported`)},
	{"64-bit texels", true, regexp.MustCompile(`stores of texels of 64 bits are not supported`)},
	{"multisampled storage images", true, regexp.MustCompile(`has no messages for multisampled storage images`)},
	{"matrices of a subgroup", true, regexp.MustCompile(`capability CooperativeMatrix\w+ is not supported`)},
	{"limits of a workgroup", true, regexp.MustCompile(`of workgroup memory; the limit is|invocations; the limit is`)},
	{"samplers", false, regexp.MustCompile(`has no messages for (images and )?samplers`)},
	{"vendors' subgroup operations", false, regexp.MustCompile(`capability (Groups|GroupNonUniformPartitionedNV) is not supported`)},
	{"vendors' instructions", false, regexp.MustCompile(`the extended instruction set .* is not supported`)},
	{"pointers to inputs as values", false, regexp.MustCompile(`a pointer of storage class Input cannot be a value`)},
}

// RefusalOf returns the class of a compute module that is not read or not compiled, and
// the reason, which no class has if the first is nil. The reason is "" if it compiles, or
// fails in another way.
func RefusalOf(o *Outcome) (*Refusal, string) {
	if o.Stage != "compute" || o.Module.Invalid != "" {
		return nil, ""
	}
	for _, s := range [2]Step{Read, Compile} {
		why := o.Why[s]
		if why == "" || why == NotReached {
			continue
		}
		for i := range refusals {
			if refusals[i].find.MatchString(why) {
				return &refusals[i], why
			}
		}
		return nil, why
	}
	return nil, ""
}

// writeRefusals counts the compute modules that are refused by class.
func writeRefusals(w io.Writer, outcomes []*Outcome) {
	count := map[*Refusal]int{}
	modules, refused, hardware := 0, 0, 0
	for _, o := range outcomes {
		if o.Stage == "compute" && o.Module.Invalid == "" {
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
	fmt.Fprintf(w, "\n## Refused, compute: %d of %d\n\n%d of them ask for what the machines do not have.\n\n", refused, modules, hardware)
	for i := range refusals {
		r := &refusals[i]
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
