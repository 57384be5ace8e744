// SPDX-License-Identifier: MIT

package mirtext

import (
	"bytes"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/mir"
)

// Print returns the text of a unit.
func Print(u *mir.Unit) []byte {
	f := u.Func
	w := fmt.Appendf(nil, "mir %d %s %q\n", Version, u.Stage, u.Entry)
	for k := range headerFields {
		if t := headerFields[k].text(u); t != "" {
			w = fmt.Appendf(w, "%s %s\n", headerFields[k].name, t)
		}
	}
	for _, b := range u.Bindings {
		w = fmt.Appendf(w, "binding %d count=%d set=%d binding=%d %s", b.Index, b.Count, b.Set, b.Binding, b.Mode)
		if b.Access != "" {
			w = fmt.Appendf(w, " access=%s", b.Access)
		}
		if b.Shape != "" {
			w = fmt.Appendf(w, " shape=%s format=%s", b.Shape, b.Format)
		}
		if b.Unformatted {
			w = append(w, " unformatted"...)
		}
		w = append(w, '\n')
	}
	for _, b := range u.Samplers {
		w = fmt.Appendf(w, "sampler %d count=%d set=%d binding=%d %s\n", b.Index, b.Count, b.Set, b.Binding, b.Mode)
	}
	for _, r := range u.Ranges {
		w = fmt.Appendf(w, "range %d start=%d bytes=%d\n", r.Entry, r.Start, r.Bytes)
	}
	w = appendSlots(w, "input", u.Inputs)
	w = appendSlots(w, "output", u.Outputs)
	w = appendRegs(w, f)
	w = fmt.Appendf(w, "function %q\n", f.Name)
	for b := range f.Blocks {
		w = appendLabel(w, f, b)
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			w = append(f.AppendText(append(w, "  "...), i), '\n')
		}
	}
	return w
}

// appendSlots writes a line for each input or output.
func appendSlots(w []byte, name string, list []mir.Slot) []byte {
	for _, x := range list {
		w = fmt.Appendf(w, "%s %d mask=%d %s", name, x.Index, x.Mask, x.Name)
		if x.Number != 0 {
			w = fmt.Appendf(w, " number=%d", x.Number)
		}
		if x.Flat {
			w = append(w, " flat"...)
		}
		w = append(w, '\n')
	}
	return w
}

// Body returns the text of a unit without its header, for comparisons.
func Body(text []byte) []byte {
	for _, start := range []string{"\nreg ", "\nfunction "} {
		if i := bytes.Index(text, []byte(start)); i >= 0 {
			return text[i+1:]
		}
	}
	return text
}

// appendRegs writes a line for every run of equal registers.
func appendRegs(w []byte, f *mir.Func) []byte {
	for r := 1; r < len(f.Regs); {
		last := r
		for last+1 < len(f.Regs) && f.Regs[last+1].Alike(f.Regs[r]) {
			last++
		}
		w = fmt.Appendf(w, "reg v%d", r)
		if last > r {
			w = fmt.Appendf(w, "..v%d", last)
		}
		for k := range mir.RegAttrs {
			switch a := &mir.RegAttrs[k]; {
			case a.Form != mir.Word:
				w = fmt.Appendf(w, " %s=%d", a.Name, a.Get(&f.Regs[r]))
			case a.Get(&f.Regs[r]) != 0:
				w = fmt.Appendf(w, " %s", a.Name)
			}
		}
		w = append(w, '\n')
		r = last + 1
	}
	return w
}

// appendLabel writes the start of a block, with its edges as a comment.
func appendLabel(w []byte, f *mir.Func, b int) []byte {
	lanes := f.Lanes.Succs(b)
	w = fmt.Appendf(w, "b%d:", b)
	before := " // lanes to "
	for _, t := range lanes {
		w = fmt.Appendf(w, "%sb%d", before, t)
		before = ", "
	}
	if before == ", " {
		before = "; thread to "
	} else {
		before = " // thread to "
	}
	for _, t := range f.Thread.Succs(b) {
		if !slices.Contains(lanes, t) {
			w = fmt.Appendf(w, "%sb%d", before, t)
			before = ", "
		}
	}
	return append(w, '\n')
}
