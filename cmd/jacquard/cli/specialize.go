// SPDX-License-Identifier: MIT

package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/outline"
)

// specialization is the value of the repeatable flag --specialize ID=VALUE. The meaning of a value depends on the
// constant's type, so values are text until the module is known.
type specialization []specValue

type specValue struct {
	id   uint32
	text string
}

// specialize declares the flag.
func (f *FlagSet) specialize(p *specialization) {
	f.declare(p, "specialize", "ID=VALUE", "",
		"set the specialization constant with this SpecId to a number, true or false; may be repeated")
}

func (p *specialization) String() string { return "" }
func (p *specialization) Set(s string) error {
	id, value, ok := strings.Cut(s, "=")
	n, err := strconv.ParseUint(id, 0, 32)
	if !ok || err != nil || value == "" {
		return errors.New("must be ID=VALUE, for example 0=64")
	}
	for _, v := range *p {
		if uint64(v.id) == n {
			return errors.New("must set a constant only once")
		}
	}
	*p = append(*p, specValue{uint32(n), value})
	return nil
}

// Of returns the values for a file: the flag's, then its pipeline's. The first value for a constant counts. module
// is the file's module.
func (p specialization) Of(in *Input, module []byte) ([]jacquard.Specialization, error) {
	specs, err := p.given(in, module)
	if in.Stage != nil {
		for _, c := range in.Stage.Constants {
			specs = append(specs, jacquard.Specialization{ID: c.ID, Bits: c.Bits, Size: c.Size})
		}
	}
	return specs, err
}

// given returns the values of the flag.
func (p specialization) given(in *Input, module []byte) ([]jacquard.Specialization, error) {
	if len(p) == 0 {
		return nil, nil
	}
	name := in.Name
	if !in.IsModule() {
		return nil, &jacquard.Error{File: name, Msg: "--specialize: only SPIR-V modules have specialization constants"}
	}
	m, err := outline.Read(context.Background(), module) // takes milliseconds
	if err != nil {
		return nil, ModuleError(name, err)
	}
	known := m.Constants
	var specs []jacquard.Specialization
	for _, v := range p {
		found := false
		for _, c := range known {
			if c.ID != v.id {
				continue
			}
			found = true
			bits, ok := specBits(&c, v.text)
			if !ok {
				return nil, &jacquard.Error{File: name,
					Msg: fmt.Sprintf("--specialize %d=%s: the constant %s is %s", v.id, v.text, specName(&c), specType(&c))}
			}
			specs = append(specs, jacquard.Specialization{ID: v.id, Bits: bits, Size: (int(c.Size) + 7) / 8})
			break
		}
		if !found {
			return nil, &jacquard.Error{File: name, Msg: fmt.Sprintf("--specialize %d=%s: %s", v.id, v.text, specList(known))}
		}
	}
	return specs, nil
}

// specBits parses a value of a constant's type and returns its bit pattern.
func specBits(c *outline.Constant, text string) (uint64, bool) {
	size := int(c.Size)
	switch c.Base {
	case ir.TypeBool:
		b, err := strconv.ParseBool(text)
		if b {
			return 1, err == nil
		}
		return 0, err == nil
	case ir.TypeInt:
		n, err := strconv.ParseInt(text, 0, size)
		return uint64(n) & (^uint64(0) >> (64 - size)), err == nil
	case ir.TypeUint:
		n, err := strconv.ParseUint(text, 0, size)
		return n, err == nil
	}
	f, err := strconv.ParseFloat(text, max(size, 32))
	if err != nil {
		return 0, false
	}
	switch size {
	case 16:
		h := num.F32ToF16RNE(float32(f))
		return uint64(h), math.IsInf(f, 0) || !math.IsInf(float64(num.F16ToF32(h)), 0)
	case 32:
		return uint64(math.Float32bits(float32(f))), true
	}
	return math.Float64bits(f), true
}

func specType(c *outline.Constant) string {
	switch c.Base {
	case ir.TypeBool:
		return "a bool"
	case ir.TypeInt:
		return fmt.Sprintf("a signed %d-bit integer", c.Size)
	case ir.TypeUint:
		return fmt.Sprintf("an unsigned %d-bit integer", c.Size)
	}
	return fmt.Sprintf("a %d-bit float", c.Size)
}

func specName(c *outline.Constant) string {
	if c.Name == "" {
		return strconv.Itoa(int(c.ID))
	}
	return fmt.Sprintf("%d (%s)", c.ID, c.Name)
}

// specList describes the constants of a module for an error.
func specList(known []outline.Constant) string {
	if len(known) == 0 {
		return "the module has no specialization constants"
	}
	const most = 16
	var names []string
	for i := range known {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, specName(&known[i]))
	}
	return "the module has no such specialization constant; it has " + strings.Join(names, ", ")
}
