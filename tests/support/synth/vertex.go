// SPDX-License-Identifier: MIT

package synth

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
)

// side is the number of vertices in a row, and of rows, of the mesh that a vertex shader draws: cells of two triangles
// that share their vertices.
const side = 4

// Attachments of the fragment shader after a vertex shader: first the fragments' positions, then floats, then integers.
const (
	maxFloats   = 16
	maxIntegers = 12
)

// afterVertex generates the fragment shader, which writes its inputs to attachments, the attachments, the attributes
// and the indices.
func (d *Draw) afterVertex(io stageInterface, o Options) error {
	var declared, body strings.Builder
	fmt.Fprintf(&declared, "#version 450\nlayout(location = 0) out vec4 place;\n")
	fmt.Fprintf(&body, "  place = vec4(gl_FragCoord.z, gl_FragCoord.w, gl_FrontFacing ? 1.0 : 0.0, 0.5);\n")
	var floats, integers []string
	for _, out := range io.outputs {
		flat := ""
		if out.base != kind.BaseFloat {
			flat = "flat "
		}
		for c := range 4 {
			if out.components>>c&1 == 0 {
				continue
			}
			name := fmt.Sprintf("v%d_%d", out.location, c)
			fmt.Fprintf(&declared, "layout(location = %d, component = %d) %sin %s %s;\n", out.location, c, flat, scalarNames[out.base],
				name)
			if out.base == kind.BaseFloat {
				floats = append(floats, name)
			} else {
				integers = append(integers, "uint("+name+")")
			}
		}
	}
	o.Unorm = false
	d.color(0, kind.BaseFloat, o)
	d.store(&declared, &body, "color", folded(floats, maxFloats, " + 0.5 * "), kind.BaseFloat, o)
	d.store(&declared, &body, "bits", folded(integers, maxIntegers, " + 3u * "), kind.BaseUint, o)
	d.Fragment = shader(kind.StageFragment, declared.String()+"void main() {\n"+body.String()+"}\n")
	rng := rand.New(rand.NewPCG(o.Number, 4))
	positions := grid(rng)
	for _, in := range io.inputs {
		d.attribute(uint32(in.location), in.base, func(v, c int) uint32 {
			if in.base != kind.BaseFloat {
				return 1 + rng.Uint32N(2)
			}
			x := positions[v][c]
			if in.location > 0 && c < 3 {
				x += 0.1*rng.Float32() - 0.05
			}
			return math.Float32bits(x)
		}, len(positions))
	}
	d.Draw = draw.Call{Instances: 1, IndexBytes: 2}
	if o.Points {
		d.State.Topology = draw.PointList
	}
	for y := range side - 1 {
		for x := range side - 1 {
			at := y*side + x
			for _, i := range []int{at, at + 1, at + side, at + 1, at + side + 1, at + side} {
				d.Draw.Indices = binary.LittleEndian.AppendUint16(d.Draw.Indices, uint16(i))
				d.Draw.Count++
			}
		}
	}
	return nil
}

// grid returns the positions of the vertices.
func grid(rng *rand.Rand) (out [][4]float32) {
	for y := range side {
		for x := range side {
			place := func(i int) float32 { return (float32(i)/(side-1)*2-1)*0.9 + (rng.Float32()-0.5)*0.15 }
			out = append(out, [4]float32{place(x), place(y), 0.2 + 0.6*rng.Float32(), 1})
		}
	}
	return out
}

// folded returns at most n expressions, which together depend on all expressions of a list.
func folded(list []string, n int, and string) []string {
	out := list[:min(n, len(list)):min(n, len(list))]
	for i := n; i < len(list); i++ {
		out[i%n] = "(" + out[i%n] + and + list[i] + ")"
	}
	return out
}

// store writes expressions to attachments, four to each.
func (d *Draw) store(declared, body *strings.Builder, name string, list []string, base kind.BaseType, o Options) {
	zero := map[kind.BaseType]string{kind.BaseFloat: "0.0", kind.BaseUint: "0u"}[base]
	for at := 0; at < len(list); at += 4 {
		location := len(d.State.Colors)
		four := [4]string{zero, zero, zero, zero}
		copy(four[:], list[at:])
		fmt.Fprintf(declared, "layout(location = %d) out %s %s%d;\n", location, vectorNames[base], name, location)
		fmt.Fprintf(body, "  %s%d = %s(%s);\n", name, location, vectorNames[base], strings.Join(four[:], ", "))
		d.color(location, base, o)
	}
}
