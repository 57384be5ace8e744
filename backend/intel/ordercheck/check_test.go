// SPDX-License-Identifier: MIT

package ordercheck_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ordercheck"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

const ud = isa.TypeUD

// code builds a function of one block.
type code struct {
	*mir.Func
	ids []mir.ID
}

func (c *code) add(in mir.Inst) {
	in.Exec = max(in.Exec, 8)
	c.ids = append(c.ids, c.Append(0, in))
}

func (c *code) mov(dst, src mir.Operand) {
	c.add(mir.Inst{Op: isa.OpMov, Dst: dst, Src: [3]mir.Operand{src}})
}

func (c *code) cmp(x mir.Flag) {
	c.add(mir.Inst{Op: isa.OpCmp, CMod: isa.CModNE, Flag: x, Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(1, ud), mir.UD(0)}})
}

func (c *code) sel(x mir.Flag, dst mir.Operand) {
	c.add(mir.Inst{Op: isa.OpSel, Pred: isa.PredNormal, Flag: x, Dst: dst, Src: [3]mir.Operand{mir.Fixed(1, ud), mir.UD(0)}})
}

func (c *code) message(name message.Name, s message.Space, orders mir.Spaces) {
	in := mir.Inst{Op: isa.OpSend, SFID: isa.SFIDDC1, Msg: mir.Msg{Name: name, Space: s, Comps: 1}, SideEff: name.Info().Effect,
		Orders: orders, Dst: mir.Null(ud)}
	in.Src[0], in.Len[0] = mir.Fixed(1, ud), 1
	c.add(in)
}

// TestCheck exchanges the two instructions of a block.
func TestCheck(t *testing.T) {
	buffer := mir.SpacesOf(message.Buffer)
	for _, c := range []struct {
		name  string
		build func(c *code)
		want  string // empty if the exchange is allowed
	}{
		{"independent", func(c *code) {
			c.mov(mir.V(c.NewReg(1, 4), ud), mir.UD(1))
			c.mov(mir.V(c.NewReg(1, 4), ud), mir.UD(2))
		}, ""},
		{"other halves of a register", func(c *code) {
			r := mir.V(c.NewReg(2, 4), ud)
			c.mov(r, mir.UD(1))
			c.mov(r.At(c.GRF.Bytes()), mir.UD(2))
		}, ""},
		{"a read after a write", func(c *code) {
			r := mir.V(c.NewReg(1, 4), ud)
			c.mov(r, mir.UD(1))
			c.mov(mir.V(c.NewReg(1, 4), ud), r)
		}, "finds the value from before the block"},
		{"a write after a read", func(c *code) {
			r := mir.V(c.NewReg(1, 4), ud)
			c.mov(mir.V(c.NewReg(1, 4), ud), r)
			c.mov(r, mir.UD(1))
		}, "finds the result of"},
		{"a write after a write", func(c *code) {
			r := mir.V(c.NewReg(1, 4), ud)
			c.mov(r, mir.UD(1))
			c.mov(r, mir.UD(2))
		}, "finds the value from before the block"},
		{"overlapping bytes", func(c *code) {
			r := mir.V(c.NewReg(2, 4), ud)
			c.mov(r.At(4), mir.UD(1))
			c.mov(mir.V(c.NewReg(1, 4), ud), r.At(c.GRF.Bytes()))
		}, "finds the value from before the block"},
		{"fixed registers", func(c *code) {
			c.mov(mir.Fixed(9, ud), mir.UD(1))
			c.mov(mir.V(c.NewReg(1, 4), ud), mir.Fixed(9, ud))
		}, "finds the value from before the block"},
		{"a virtual flag", func(c *code) {
			x := c.NewFlag()
			c.cmp(x)
			c.sel(x, mir.V(c.NewReg(1, 4), ud))
		}, "finds the value from before the block"},
		{"another virtual flag", func(c *code) {
			c.cmp(c.NewFlag())
			c.sel(c.NewFlag(), mir.V(c.NewReg(1, 4), ud))
		}, ""},
		{"a fixed flag", func(c *code) {
			c.cmp(0)
			c.sel(0, mir.V(c.NewReg(1, 4), ud))
		}, "finds the value from before the block"},
		{"two accumulators", func(c *code) {
			c.mov(mir.V(c.NewAccumulator(8), ud), mir.UD(1))
			c.mov(mir.V(c.NewAccumulator(8), ud), mir.UD(1))
		}, "finds the value from before the block"},
		{"two address registers", func(c *code) {
			c.mov(mir.V(c.NewAddress(), ud), mir.UD(1))
			c.mov(mir.V(c.NewAddress(), ud), mir.UD(1))
		}, "finds the value from before the block"},
		{"two reads of memory", func(c *code) {
			c.message(message.UntypedRead, message.Buffer, 0)
			c.message(message.UntypedRead, message.Buffer, 0)
		}, ""},
		{"a read and a write of memory", func(c *code) {
			c.message(message.UntypedRead, message.Buffer, 0)
			c.message(message.UntypedWrite, message.Buffer, 0)
		}, "finds the result of"},
		{"reads and writes of different memory", func(c *code) {
			c.message(message.UntypedRead, message.Buffer, 0)
			c.message(message.UntypedWrite, message.Shared, 0)
		}, ""},
		{"a volatile read", func(c *code) {
			c.message(message.UntypedRead, message.Buffer, buffer)
			c.message(message.UntypedRead, message.Buffer, 0)
		}, "finds the value from before the block"},
		{"the float mode", func(c *code) {
			c.add(mir.Inst{Op: isa.OpOr, NoMask: true, Dst: mir.Arch(isa.ARFCR0, 0, ud), Src: [3]mir.Operand{mir.Arch(isa.ARFCR0, 0, ud), mir.UD(1)}})
			c.mov(mir.V(c.NewReg(1, 4), isa.TypeF), mir.ImmOp(0, isa.TypeF))
		}, "finds the value from before the block"},
	} {
		f := &code{Func: mir.New(8, isa.TGL.Registers())}
		f.Name = "main"
		c.build(f)
		f.BuildCFG()
		old := f.Clone()
		if err := ordercheck.Check(old, f.Func); err != nil {
			t.Errorf("%s: unchanged: %v", c.name, err)
		}
		f.Reorder(0, []mir.ID{f.ids[1], f.ids[0]})
		err := ordercheck.Check(old, f.Func)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCheckInstructions checks that a block keeps exactly its instructions.
func TestCheckInstructions(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *code)
		want   string
	}{
		{"removed", func(f *code) { f.Remove(f.ids[1]) }, "1 instructions are missing"},
		{"added", func(f *code) { f.Before(f.ids[1], *f.At(f.ids[0])) }, "is not an instruction that the block had before"},
		{"changed", func(f *code) { f.At(f.ids[1]).Src[0] = mir.UD(7) }, "is not an instruction that the block had before"},
		{"moved to the next block", func(f *code) {
			f.Append(f.NewBlock(), mir.Inst{})
			f.Reorder(1, f.ids[1:])
			f.Reorder(0, f.ids[:1])
		}, "blocks or registers"},
		{"after the end", func(f *code) { f.Reorder(0, []mir.ID{f.ids[2], f.ids[0], f.ids[1]}) }, "has left the start or the end of its block"},
	} {
		f := &code{Func: mir.New(8, isa.TGL.Registers())}
		f.Name = "main"
		f.mov(mir.V(f.NewReg(1, 4), ud), mir.UD(1))
		f.mov(mir.V(f.NewReg(1, 4), ud), mir.UD(2))
		f.add(mir.Inst{Op: isa.OpHalt, SideEff: true})
		f.BuildCFG()
		old := f.Clone()
		c.change(f)
		if err := ordercheck.Check(old, f.Func); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
