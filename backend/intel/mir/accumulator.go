package mir

import "fmt"

// accumulator checks block by block that what reads the accumulator finds what was
// written there for its lanes: a pass that puts an instruction between the two halves of
// a product, or parts them, is found.
type accumulator struct {
	f      *Func
	writer ID // the last instruction of the block that wrote it
}

// step looks at the next instruction and returns what is wrong.
func (a *accumulator) step(i ID) string {
	in := &a.f.Insts[i]
	reads, writes := in.Implicit()
	if reads&ImplicitAcc != 0 {
		if a.writer == 0 {
			return "reads the accumulator, which nothing before it in its block writes"
		}
		w := &a.f.Insts[a.writer]
		if in.Exec > w.Exec || in.Chan != w.Chan || in.NoMask && !w.NoMask {
			return fmt.Sprintf("reads lanes of the accumulator that %s does not write", a.f.Text(a.writer))
		}
	}
	if writes&ImplicitAcc != 0 {
		a.writer = i
	}
	return ""
}
