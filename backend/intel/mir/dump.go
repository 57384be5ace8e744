package mir

import (
	"fmt"
	"strings"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// String is the function as text: one instruction a line, blocks as labels.
func (f *Func) String() string {
	var w strings.Builder
	for b := range f.Blocks {
		fmt.Fprintf(&w, "b%d:\n", b)
		for i := f.Blocks[b].First; i != 0; i = f.Insts[i].next {
			w.WriteString("  ")
			w.WriteString(f.Text(i))
			w.WriteByte('\n')
		}
	}
	return w.String()
}

var cmodNames = [...]string{"", "eq", "ne", "gt", "ge", "lt", "le", "7", "ov", "un"}

var flagNames = [...]string{"f0.0", "f0.1", "f1.0", "f1.1"}

// OpName is the mnemonic, pseudo opcodes included.
func OpName(o isa.Op) string {
	switch o {
	case OpLoop:
		return "loop"
	case OpUndef:
		return "undef"
	case OpHaltTarget:
		return "halt_target"
	case OpIndirect:
		return "indirect"
	case OpMulHigh:
		return "mulh"
	case OpMessage:
		return "msg"
	}
	return o.String()
}

// Text is one instruction as text.
func (f *Func) Text(i ID) string {
	in := &f.Insts[i]
	var w strings.Builder
	if in.NoMask {
		w.WriteString("(W) ")
	}
	if in.Pred != 0 {
		inv := ""
		if in.PredInv {
			inv = "~"
		}
		fmt.Fprintf(&w, "(%s%s", inv, flagNames[in.Flag&3])
		if in.Pred != isa.PredNormal {
			fmt.Fprintf(&w, ".%d", in.Pred)
		}
		w.WriteString(") ")
	}
	w.WriteString(OpName(in.Op))
	if in.Op == isa.OpMath {
		fmt.Fprintf(&w, ".%v", in.Math)
	}
	if in.Op == OpMessage {
		fmt.Fprintf(&w, ".%v", in.Msg.Name)
	}
	fmt.Fprintf(&w, "(%d", in.Exec)
	if in.Chan != 0 {
		fmt.Fprintf(&w, "|M%d", in.Chan)
	}
	w.WriteByte(')')
	if in.CMod != 0 {
		fmt.Fprintf(&w, " (%s)%s", cmodNames[in.CMod], flagNames[in.Flag&3])
	}
	if in.Sat {
		w.WriteString(" (sat)")
	}
	for k, o := range [...]*Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.File != None {
			w.WriteByte(' ')
			if s, ok := in.sourceAt(k - 1); ok && in.Op == OpMessage {
				fmt.Fprintf(&w, "%v=", s)
			}
			w.WriteString(o.text(k == 0))
		}
	}
	if in.Op == isa.OpSend || in.Op == isa.OpSendc {
		fmt.Fprintf(&w, " sfid=%d desc=%#x exdesc=%#x", in.SFID, in.Desc, in.ExDesc)
	}
	if in.Op == OpMessage {
		in.Msg.write(&w)
	}
	if in.AccWrEn {
		w.WriteString(" {acc}")
	}
	if in.EOT {
		w.WriteString(" {eot}")
	}
	if in.SWSB != 0 {
		fmt.Fprintf(&w, " {%v}", in.SWSB)
	}
	return w.String()
}

// write adds the attributes of a logical message.
func (m *Msg) write(w *strings.Builder) {
	if m.Space != message.Nowhere {
		fmt.Fprintf(w, " space=%v", m.Space)
	}
	for _, a := range [...]struct {
		name  string
		value uint8
	}{{"comps", m.Comps}, {"bytes", m.Bytes}, {"op", m.Op}} {
		if a.value != 0 {
			fmt.Fprintf(w, " %s=%d", a.name, a.value)
		}
	}
}

func (o *Operand) text(dst bool) string {
	var w strings.Builder
	if o.Neg {
		w.WriteByte('-')
	}
	if o.Abs {
		w.WriteString("(abs)")
	}
	switch o.File {
	case VReg:
		fmt.Fprintf(&w, "v%d", o.Num)
	case GRF:
		fmt.Fprintf(&w, "r%d", o.Num)
	case ARF:
		w.WriteString(arfName(o.Num))
	case Imm:
		fmt.Fprintf(&w, "%#x", o.Num)
	}
	if o.File != Imm {
		if o.Off != 0 {
			fmt.Fprintf(&w, "+%d", o.Off)
		}
		if !o.IsNull() && (o.Stride != 1 || dst) {
			fmt.Fprintf(&w, "<%d>", o.Stride)
		}
	}
	fmt.Fprintf(&w, ":%v", o.Type)
	return w.String()
}

func arfName(n uint32) string {
	kinds := [...]string{"null", "a", "acc", "f", "ce", "msg", "sp", "sr", "cr", "n", "ip", "tdr", "tm", "fc", "arfE", "dbg"}
	if n == isa.ARFNull {
		return "null"
	}
	return fmt.Sprintf("%s%d", kinds[n>>4&15], n&15)
}
