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

// scalarNames and vectorNames are GLSL types by base type. formatNames are the formats of attributes, attachments and
// images.
var (
	scalarNames = map[kind.BaseType]string{kind.BaseFloat: "float", kind.BaseInt: "int", kind.BaseUint: "uint"}
	vectorNames = map[kind.BaseType]string{kind.BaseFloat: "vec4", kind.BaseInt: "ivec4", kind.BaseUint: "uvec4"}
	formatNames = map[kind.BaseType]string{kind.BaseFloat: "R32G32B32A32_SFLOAT", kind.BaseInt: "R32G32B32A32_SINT", kind.BaseUint: "R32G32B32A32_UINT"}
)

// corners are the positions of three triangles: two of them cover most of the framebuffer, with another w at each
// corner, and the last, seen from the back, covers them. All are inside the view volume.
var corners = [][4]float32{
	at(-0.97, -0.98, 0.3, 1), at(0.98, -0.9, 0.5, 1.3), at(-0.92, 0.94, 0.2, 0.8),
	at(0.98, -0.9, 0.5, 1.3), at(0.91, 0.95, 0.45, 0.95), at(-0.92, 0.94, 0.2, 0.8),
	at(-0.4, -0.3, 0.3, 1), at(0.05, 0.6, 0.6, 1.25), at(0.5, -0.2, 0.4, 1),
}

// at returns clip coordinates of a place.
func at(x, y, z, w float32) [4]float32 { return [4]float32{x * w, y * w, z * w, w} }

// beforeFragment generates the vertex shader, which passes attributes on, the attributes and the attachments.
func (d *Draw) beforeFragment(io stageInterface, o Options) error {
	var declared, body strings.Builder
	fmt.Fprintf(&declared, "#version 450\nlayout(location = 0) in vec4 position;\n")
	d.attribute(0, kind.BaseFloat, func(v, c int) uint32 { return math.Float32bits(corners[v][c]) }, len(corners))
	rng := rand.New(rand.NewPCG(o.Number, 3))
	for _, in := range io.inputs {
		fmt.Fprintf(&declared, "layout(location = %d) in %s a%d;\n", in.location+1, vectorNames[in.base], in.location)
		for c := range 4 {
			if in.components>>c&1 != 0 {
				fmt.Fprintf(&declared, "layout(location = %d, component = %d) out %s v%d_%d;\n", in.location, c, scalarNames[in.base],
					in.location, c)
				fmt.Fprintf(&body, "  v%d_%d = a%d[%d];\n", in.location, c, in.location, c)
			}
		}
		f := planes(rng)
		d.attribute(uint32(in.location+1), in.base, func(v, c int) uint32 {
			if in.base != kind.BaseFloat {
				return 1 + uint32(v/3+c)&1
			}
			return f[c].at(corners[v])
		}, len(corners))
	}
	d.Vertex = shader(kind.StageVertex, declared.String()+"void main() {\n  gl_Position = position;\n  gl_PointSize = 1.0;\n"+
		body.String()+"}\n")
	d.Draw = draw.Call{Count: uint32(len(corners)), Instances: 1}
	for _, out := range io.outputs {
		if out.location >= draw.MaxColors {
			return unsupported("there are more than %d attachments", draw.MaxColors)
		}
		d.color(out.location, out.base, o)
		d.State.Colors[out.location].Blend.Keep = uint8(^out.components & 0xf) // parts that are not written are undefined
	}
	if io.second {
		if len(d.State.Colors) == 0 {
			return unsupported("a second color without the first is not blended")
		}
		c := &d.State.Colors[0].Blend
		c.Enabled = true
		c.Color = draw.Equation{Src: draw.One, Dst: draw.Src1Color}
		c.Alpha = draw.Equation{Src: draw.One, Dst: draw.Src1Alpha}
	}
	return nil
}

// plane is a linear function of the position.
type plane struct{ constant, x, y float64 }

// planes returns the functions of four components, with values from about 0 to 1.
func planes(rng *rand.Rand) (p [4]plane) {
	for c := range p {
		p[c].constant = 0.4 + 0.2*rng.Float64()
		p[c].x, p[c].y = (rng.Float64()-0.5)*0.5, (rng.Float64()-0.5)*0.5
		if c < 2 { // often coordinates of a texture
			along := []*float64{&p[c].x, &p[c].y}[c]
			*along = 0.3 + 0.15*rng.Float64()
		}
	}
	return p
}

// at returns the bits of the value at a position.
func (p *plane) at(position [4]float32) uint32 {
	w := float64(position[3])
	return math.Float32bits(float32(p.constant + p.x*float64(position[0])/w + p.y*float64(position[1])/w))
}

// attribute adds a vertex attribute of four components. value returns the bits of a component.
func (d *Draw) attribute(location uint32, base kind.BaseType, value func(vertex, component int) uint32, vertices int) {
	f := named(formatNames[base])
	var data []byte
	for v := range vertices {
		for c := range 4 {
			data = binary.LittleEndian.AppendUint32(data, value(v, c))
		}
	}
	d.State.Attributes = append(d.State.Attributes, draw.Attribute{Location: location, Format: f, Data: data, Stride: f.Bytes})
}
