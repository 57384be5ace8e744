// SPDX-License-Identifier: MIT

package link

import (
	"cmp"
	"math"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// decide decides the fate of each component.
func (l *linker) decide() {
	for c := range l.varyings {
		v := &l.varyings[c]
		switch {
		case v.read == 0:
			if v.stores > 0 && !l.needed(c/components) {
				l.stats.Dead++
			}
		case l.locations[c/components].fixed:
		case v.stores == 0:
			v.fate = zero
			l.stats.Unwritten++
		case !v.known:
		case l.isConstant(v):
			v.fate = constant
			l.stats.Constant++
		case l.isUniform(v.value.Val):
			v.fate = uniform
			l.stats.Uniform++
		default:
			l.candidates = append(l.candidates, int32(c))
		}
	}
	l.merge()
}

// merge redirects components with the same value and the same interpolation to the first of them.
func (l *linker) merge() {
	order := func(a, b int32) int {
		x, y := &l.varyings[a], &l.varyings[b]
		return cmp.Or(cmp.Compare(x.value.Val, y.value.Val), cmp.Compare(x.value.Swz.Comp(0), y.value.Swz.Comp(0)),
			cmp.Compare(x.manner, y.manner))
	}
	slices.SortFunc(l.candidates, func(a, b int32) int { return cmp.Or(order(a, b), cmp.Compare(a, b)) })
	first := int32(-1)
	for _, c := range l.candidates {
		if first < 0 || order(first, c) != 0 {
			first = c
			continue
		}
		l.varyings[c].duplicate = first
		l.stats.Duplicate++
	}
}

// needed reports whether a location has to be written unchanged: its components stay together, and a component of it,
// or of the locations with which it stays together, is read.
func (l *linker) needed(at int) bool {
	if !l.locations[at].fixed {
		return false
	}
	first, end := l.block(at)
	for _, v := range l.varyings[components*first : components*end] {
		if v.read != 0 {
			return true
		}
	}
	return false
}

// block returns the locations that stay together with location at.
func (l *linker) block(at int) (first, end int) {
	for first = at; first > 0 && l.locations[first-1].joined; first-- {
	}
	for end = at + 1; l.locations[end-1].joined; end++ {
	}
	return first, end
}

// isConstant reports whether a component is a constant that interpolation returns unchanged. Differences of infinities
// are NaN, and the sum of -0 and 0 is 0.
func (l *linker) isConstant(v *varying) bool {
	bits, known := l.vertex.S.ConstOf(v.value)
	if !known {
		return false
	}
	if v.manner == flat {
		return true
	}
	x := math.Float32frombits(uint32(bits))
	return v.bits == 32 && !math.IsInf(float64(x), 0) && x == x && math.Float32bits(x) != 1<<31
}

func (l *linker) constantOf(v *varying) uint64 {
	x, _ := l.vertex.S.ConstOf(v.value)
	return x
}

// isUniform reports whether a value is a load of a member of a uniform block, or of the push constants, that the
// fragment shader uses too, so that its pipeline layout contains them.
func (l *linker) isUniform(v ir.Value) bool {
	_, ok := l.uniformVar(v)
	return ok
}

const uniforms = kind.ModeUBO | kind.ModePushConstant
