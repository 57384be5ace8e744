// SPDX-License-Identifier: MIT

package modules

import "encoding/binary"

// EntryPoint is an OpEntryPoint.
type EntryPoint struct {
	Model uint32
	Name  string
}

// Models names the execution models (SPIR-V specification 3.3).
var Models = map[uint32]string{
	0: "vertex", 1: "tess_ctrl", 2: "tess_eval", 3: "geometry", 4: "fragment", 5: "compute", 6: "kernel",
	5267: "task", 5268: "mesh", 5364: "task", 5365: "mesh",
	5313: "raygen", 5314: "intersection", 5315: "any_hit", 5316: "closest_hit", 5317: "miss", 5318: "callable",
}

// words returns a module as words; it does not check the header.
func words(module []byte) []uint32 {
	w := make([]uint32, len(module)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(module[4*i:])
	}
	return w
}

// Each calls f for every instruction of a module, up to the first one whose word count is invalid.
func Each(module []byte, f func(op uint16, in []uint32)) {
	w := words(module)
	for at := 5; at < len(w); {
		n := int(w[at] >> 16)
		if n == 0 || at+n > len(w) {
			return
		}
		f(uint16(w[at]), w[at:at+n])
		at += n
	}
}

// Entries returns a module's entry points, found without the reader that is
// being tested.
func Entries(module []byte) (out []EntryPoint) {
	const opEntryPoint = 15
	Each(module, func(op uint16, in []uint32) {
		if op != opEntryPoint || len(in) < 4 {
			return
		}
		var name []byte
		for _, w := range in[3:] {
			for range 4 {
				if byte(w) == 0 {
					out = append(out, EntryPoint{in[1], string(name)})
					return
				}
				name = append(name, byte(w))
				w >>= 8
			}
		}
	})
	return out
}

// BodySize counts the instructions in function bodies, without OpFunction, OpFunctionEnd, labels, lines and parameters.
func BodySize(module []byte) (n int) {
	const function, parameter, end, label, line, noLine = 54, 55, 56, 248, 8, 317
	inside := false
	Each(module, func(op uint16, in []uint32) {
		switch op {
		case function:
			inside = true
		case end:
			inside = false
		case parameter, label, line, noLine:
		default:
			if inside {
				n++
			}
		}
	})
	return n
}
