// SPDX-License-Identifier: MIT

package corpus

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Judge returns an error if the two accounts disagree, or if they agree although the module is listed as an exception.
func (a *Agreement) Judge() error {
	why := Exceptions[a.Module.ID()]
	switch {
	case a.Why != "":
		return nil
	case why != "" && a.Before == "" && a.After == "":
		return fmt.Errorf("%s agrees, but is listed as disagreeing: %s", a.Module.ID(), why)
	case why != "":
		return nil
	case a.Before != "":
		return fmt.Errorf("%s: %s", a.Module.ID(), a.Before)
	case a.After != "":
		return fmt.Errorf("%s, after all passes: %s", a.Module.ID(), a.After)
	}
	return nil
}

// Tally counts agreements.
type Tally struct {
	Tried, Compared, Before, After, Aimed int
	Numbers, Open                         int
	LeftOut                               map[string]int
}

// Count adds up agreements.
func Count(list []*Agreement) (t Tally) {
	t.LeftOut = map[string]int{}
	for _, a := range list {
		t.Tried++
		if a.Why != "" {
			t.LeftOut[a.Why]++
			continue
		}
		t.Compared++
		t.Numbers += a.Numbers
		t.Open += a.Open
		if a.Before == "" {
			t.Before++
		}
		if a.After == "" {
			t.After++
		}
		if a.Aimed {
			t.Aimed++
		}
	}
	return t
}

// WriteAgreements writes the number of compute modules on which lavapipe agrees.
func WriteAgreements(w io.Writer, list []*Agreement) {
	fmt.Fprintf(w, "\n## Compute modules on lavapipe\n\n"+
		"Entry points that spirv-val accepts, with generated inputs. Compared is what does not change with undefined values, with "+
		"the order of\n"+
		"invocations, nor with what SPIR-V leaves open about operations: integers bit for bit, floats within what Vulkan's "+
		"precision of each\n"+
		"operation makes of the result, and a share of %g. \"To the point\" are shaders that compare their result with an "+
		"input, which was then\n"+
		"chosen to be as close as the precision allows.\n\n", precision)
	fmt.Fprintf(w, "| package | modules | compared | agree | agree after passes | to the point | numbers compared | not defined "+
		"|\n|---|---|---|---|---|---|---|---|\n")
	of := map[string][]*Agreement{}
	for _, a := range list {
		of[a.Module.Package] = append(of[a.Module.Package], a)
		of["all"] = append(of["all"], a)
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		t := Count(of[name])
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, t.Tried, t.Compared, t.Before, t.After, t.Aimed, t.Numbers,
			t.Open)
	}
	t := Count(list)
	fmt.Fprintf(w, "\nLeft out: %d\n\n", t.Tried-t.Compared)
	writeCounts(w, t.LeftOut)
	fmt.Fprintf(w, "\nExceptions: %d\n\n", t.Compared-min(t.Before, t.After))
	for _, a := range list {
		if a.Why == "" && a.Before+a.After != "" {
			fmt.Fprintf(w, "- %s: %s\n", a.Module.ID(), cmp.Or(Exceptions[a.Module.ID()], a.Before, a.After))
		}
	}
}
