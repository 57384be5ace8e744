// SPDX-License-Identifier: MIT

package selectgen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/tests/support/probe"
)

// judge compares the results of two lists of instructions on the model of the
// execution units, which does not use the meanings.
type judge struct {
	*claim
	rng *rand.Rand
}

// stateful is the number of vectors of a comparison in each denormal mode.
const stateful = 40 * probe.Lanes

// differs reports whether the results of a and b differ on a vector for which the row does not allow a difference. The
// error reports that the model cannot run b.
func (j *judge) differs(a, b []*instr) (string, error) {
	temps := 0
	for _, in := range slices.Concat(a, b) {
		for _, o := range append([]*operand{in.dst}, in.src...) {
			if o != nil && o.kind == operTemp {
				temps = max(temps, o.temp+1)
			}
		}
	}
	vars := j.row.typing.Vars
	states := make([]probe.State, stateful/probe.Lanes)
	for n := range states {
		states[n].Flag = uint8(j.rng.Uint32())
		states[n].Registers = make([]probe.Register, len(vars)+1+temps)
		for k := range states[n].Registers {
			for i := range probe.Lanes {
				x := j.rng.Uint32()
				if k < len(vars) {
					x = j.lane(vars[k], x)
				}
				binary.LittleEndian.PutUint32(states[n].Registers[k][4*i:], x)
			}
		}
	}
	textA, err := j.assembly(a)
	if err != nil {
		return "", err
	}
	textB, err := j.assembly(b)
	if err != nil {
		return "", err
	}
	for _, keep := range []bool{true, false} {
		left, err := probe.Run(textA, states, keep)
		if err != nil {
			panic(fmt.Sprintf("%s as it is: %v", j.row.name, err))
		}
		right, err := probe.Run(textB, states, keep)
		if err != nil {
			return "", err
		}
		for n := range states {
			for i := range probe.Lanes {
				at := func(s probe.State, k int) uint32 { return binary.LittleEndian.Uint32(s.Registers[k][4*i:]) }
				env := map[string]uint64{}
				var shown []string
				for k, v := range vars {
					env[v.Name] = uint64(at(states[n], k)) & j.mask(v.Class)
					shown = append(shown, fmt.Sprintf("%s = %#x", v.Name, at(states[n], k)))
				}
				if u := j.row.undefined; u != nil && j.eval(u, env) != 0 {
					continue
				}
				x, y := uint64(at(left[n], len(vars))), uint64(at(right[n], len(vars)))
				if j.same(x, y) {
					continue
				}
				return fmt.Sprintf("%s: %#x, not %#x", strings.Join(shown, ", "), y, x), nil
			}
		}
	}
	return "", nil
}

func (j *judge) mask(class int) uint64 { return ^uint64(0) >> (64 - j.size(class)) }

// lane returns a value in a lane's 32 bits, with arbitrary bits above it.
func (j *judge) lane(v *pattern.VarInfo, above uint32) uint32 {
	size := j.size(v.Class)
	if size == 1 {
		return -(above & 1)
	}
	return above&^uint32(j.mask(v.Class)) | probe.Value(j.rng, size, v.Base == eval.Float)
}

// same compares results as the row's gives_up allows.
func (j *judge) same(x, y uint64) bool {
	find := j.row.find
	if size := j.size(find.Class); size > 1 {
		x, y = x&j.mask(find.Class), y&j.mask(find.Class)
		if find.Base == eval.Float {
			a, b := eval.FloatValue(x, size), eval.FloatValue(y, size)
			open := func(f string) bool { return slices.Contains(j.row.givesUp, f) }
			least := map[int]float64{16: 0x1p-14, 32: 0x1p-126}[size]
			switch {
			case a != a && b != b:
				return true
			case a == 0 && b == 0 && open("nsz"):
				return true
			case open("denorm") && math.Abs(a) < least && math.Abs(b) < least:
				return true
			}
		}
	}
	return x == y
}

// eval computes a condition.
func (j *judge) eval(n *pattern.Node, env map[string]uint64) uint64 {
	switch n.Kind {
	case pattern.Var:
		return env[n.Name]
	case pattern.Lit:
		x, _ := n.Bits(j.size(n.Class))
		return x
	}
	var args [][]uint64
	for _, a := range n.Args {
		args = append(args, []uint64{j.eval(a, env)})
	}
	size := 0
	if n.Exec >= 0 {
		size = j.size(n.Exec)
	}
	out, err := n.Code.Run(size, args)
	if err != nil {
		panic(err)
	}
	return out[0]
}

// assembly formats instructions: variables are in the registers starting at r20, then dst, then the temporaries, each
// value in the low bits of a lane's 32.
func (j *judge) assembly(list []*instr) ([]string, error) {
	var out []string
	for _, in := range list {
		s := ""
		if in.pred != "" {
			s = fmt.Sprintf("(%sf0.0) ", map[bool]string{true: "~"}[in.predInv])
		}
		s += in.name
		if in.math != "" {
			iga := map[string]string{"sqrt": "sqt", "rsqrt": "rsqt", "log2": "log", "exp2": "exp", "iquot": "iqot"}[in.math]
			if iga == "" {
				iga = in.math
			}
			s += "." + iga
		}
		s += " (8|M0) "
		for name, constant := range j.machine.CMods {
			if in.cmod != "" && constant == in.cmod {
				s += "(" + name + ")f0.0 "
			}
		}
		if in.sat {
			s += "(sat)"
		}
		for i, o := range append([]*operand{in.dst}, in.src...) {
			text, err := j.operandText(in, o, i-1)
			if err != nil {
				return nil, err
			}
			s += text + " "
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out, nil
}

func (j *judge) operandText(in *instr, o *operand, source int) (string, error) {
	typ := j.typeOf(o)
	size := j.machine.Types[typ].Size
	if size > 4 || size == 0 || o.off%size != 0 || o.off+size > 4 {
		return "", errors.New("an operand beyond a lane's 32 bits")
	}
	stride := 4 / size
	reg := 0
	switch o.kind {
	case operNull:
		return "null<1>:" + typ, nil
	case operImm:
		x, _ := o.imm.Bits(8 * size)
		return fmt.Sprintf("0x%X:%s", x, typ), nil
	case operDst:
		reg = len(j.row.typing.Vars)
	case operTemp:
		reg = len(j.row.typing.Vars) + 1 + o.temp
	case operVar:
		reg = slices.IndexFunc(j.row.typing.Vars, func(v *pattern.VarInfo) bool { return v.Name == o.name })
	default:
		return "", errors.New("the accumulator")
	}
	text := fmt.Sprintf("r%d.%d", probe.First+reg, o.off/size)
	if source < 0 {
		return fmt.Sprintf("%s<%d>:%s", text, stride, typ), nil
	}
	region := fmt.Sprintf("<%d;8,%d>", 8*stride, stride)
	if in.op.Src == 3 {
		if region = fmt.Sprintf("<8;%d>", stride); source == 2 {
			region = fmt.Sprintf("<%d>", stride)
		}
	}
	if o.abs {
		text = "(abs)" + text
	}
	switch {
	case o.neg:
		text = "-" + text
	case o.not:
		text = "~" + text
	}
	return text + region + ":" + typ, nil
}
