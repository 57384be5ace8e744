// SPDX-License-Identifier: MIT

package random

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/randprog"
)

// imageRole restricts a program's accesses to an image so that its result does not depend on the order of invocations.
type imageRole uint8

const (
	imageRead    imageRole = iota // loads of any texels
	imageOwn                      // loads and stores of the invocation's own texel
	imageWritten                  // stores to the invocation's own texel, without a declared format
	imageSums                     // atomics on any texels, of which every texel has one that commutes
	imageSwaps                    // atomics on the invocation's own texel, with their results
)

// imageShape is a shape of storage images.
type imageShape struct {
	glsl   string // image…
	dim    kind.ImageDim
	coords int
	script string // its name in AmberScript, or "" if it has none
}

var imageShapes = []imageShape{
	{"Buffer", kind.DimBuf, 1, "buffer"}, {"1D", kind.Dim1D, 1, "DIM_1D"}, {"1DArray", kind.Dim1D, 2, ""}, {"2D", kind.Dim2D, 2, "DIM_2D"},
	{"2DArray", kind.Dim2D, 3, ""}, {"3D", kind.Dim3D, 3, "DIM_3D"}, {"Cube", kind.DimCube, 3, ""}, {"CubeArray", kind.DimCube, 3, ""},
}

// image is an image of a program, or an array of images.
type image struct {
	name   string
	role   imageRole
	shape  imageShape
	format kind.Format
	size   [3]uint32 // texels by coordinate
	count  int       // 0 means no array
	bound  []*texture.Image
	shift  int // subtracted from the first coordinate of the invocation's own texel
}

// base returns the prefix of GLSL's types for the image's texels.
func (m *image) base() string {
	switch texture.Of(m.format).Base {
	case kind.BaseInt:
		return "i"
	case kind.BaseUint:
		return "u"
	}
	return ""
}

// ImageProgram is a random program that accesses storage images.
type ImageProgram struct {
	Seed   uint64
	Local  int
	Groups int
	// FloatAtomics: some machines have no message for them.
	FloatAtomics bool

	index  uint32 // the data that the program loads from a buffer
	images []*image
	body   strings.Builder
	r      *rand.Rand
	names  int
	simple bool // as lavapipe and scripts have them
}

// GenerateImages makes the program of a seed. A simple one has no arrays of images and no
// layers, and its texels are numbers that every implementation converts alike.
func GenerateImages(seed uint64, simple bool) *ImageProgram {
	p := &ImageProgram{Seed: seed, r: rand.New(rand.NewPCG(seed, 0x696d61676573)), simple: simple}
	p.Local = randprog.Pick(p.r, []int{8, 16, 32, 33, 64, 5})
	p.Groups = 1 + p.r.IntN(2)
	p.index = uint32(p.r.IntN(3))
	roles := []imageRole{imageRead, imageOwn, imageRead, imageOwn, imageWritten, imageSums, imageSwaps}
	p.image(imageRead)
	p.image(imageOwn)
	for range 1 + p.r.IntN(3) {
		p.image(randprog.Pick(p.r, roles))
	}
	p.block(1, 6+p.r.IntN(8), nil)
	return p
}

// image declares an image.
func (p *ImageProgram) image(role imageRole) {
	m := &image{name: fmt.Sprint("m", len(p.images)), role: role, shape: randprog.Pick(p.r, imageShapes)}
	for p.simple && m.shape.script == "" {
		m.shape = randprog.Pick(p.r, imageShapes)
	}
	m.format = p.format(role)
	m.size = [3]uint32{1 + uint32(p.r.IntN(9)), 1, 1}
	if m.shape.coords == 1 {
		m.size[0] = 1 + uint32(p.r.IntN(2*p.Local))
	}
	for c := 1; c < m.shape.coords; c++ {
		m.size[c] = 1 + uint32(p.r.IntN(5))
	}
	switch m.shape.glsl {
	case "Cube":
		m.size[1], m.size[2] = m.size[0], 6
	case "CubeArray":
		m.size[1], m.size[2] = m.size[0], 6*(1+uint32(p.r.IntN(2)))
	}
	if p.r.IntN(3) == 0 {
		m.shift = p.r.IntN(4)
	}
	if !p.simple && p.r.IntN(3) == 0 {
		m.count = 2 + p.r.IntN(3)
	}
	for k := range max(m.count, 1) {
		if k > 0 && p.r.IntN(5) == 0 {
			m.bound = append(m.bound, nil) // nothing is bound to the element
			continue
		}
		m.bound = append(m.bound, p.texture(m))
	}
	p.images = append(p.images, m)
}

// format draws a format that the accesses of a role allow.
func (p *ImageProgram) format(role imageRole) kind.Format {
	for {
		f := kind.Format(1 + p.r.IntN(len(kind.EnumFormat.Names)-1))
		format := texture.Of(f)
		if format.Comps[0].Bits == 64 {
			continue
		}
		if role == imageSums || role == imageSwaps {
			list := []kind.Format{kind.FormatR32i, kind.FormatR32ui}
			if !p.simple && p.r.IntN(3) == 0 {
				p.FloatAtomics = true
				return kind.FormatR32f
			}
			return randprog.Pick(p.r, list)
		}
		if p.simple && (format.Base == kind.BaseFloat && format.Comps[0].Numeric != texture.SFloat || format.Comps[0].Bits%8 != 0) {
			continue
		}
		return f
	}
}

// texture makes an image with random texels.
func (p *ImageProgram) texture(m *image) *texture.Image {
	w, h := m.size[0], uint32(1)
	d, layers := uint32(1), uint32(1)
	switch m.shape.glsl {
	case "1DArray":
		layers = m.size[1]
	case "2D":
		h = m.size[1]
	case "3D":
		h, d = m.size[1], m.size[2]
	case "2DArray", "Cube", "CubeArray":
		h, layers = m.size[1], m.size[2]
	}
	f := texture.Of(m.format)
	out := texture.NewImage(m.shape.dim, f, w, h, d, layers, 1, 1)
	data := out.Levels[0].Data
	for at := 0; at < len(data); at += f.Bytes {
		var t texture.Texel
		for c := range t {
			x := p.r.Uint64()
			if f.Base == kind.BaseFloat {
				// No special numbers, which another test covers for every texel. Whole ones where sums must not depend
				// on their order.
				n := float32(p.r.IntN(64))
				if m.role != imageSums {
					n /= 8
				}
				if n > 4 && c%2 == 1 && f.Comps[0].Numeric != texture.UFloat {
					n = -n
				}
				if numeric := f.Comps[0].Numeric; numeric == texture.UNorm || numeric == texture.SNorm {
					n /= 8
				}
				t.SetFloat(c, n)
				continue
			}
			t[c] = uint64(int64(x) >> (64 - f.Comps[0].Bits) >> p.r.IntN(int(f.Comps[0].Bits)))
			if f.Base == kind.BaseUint {
				t[c] = x >> (64 - f.Comps[0].Bits) >> p.r.IntN(int(f.Comps[0].Bits))
			}
		}
		f.Encode(data[at:at+f.Bytes], &t)
	}
	return out
}

// linef writes a line of the program.
func (p *ImageProgram) linef(depth int, format string, args ...any) {
	p.body.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.body, format, args...)
	p.body.WriteByte('\n')
}

// block writes n statements; loops are the counters of the loops around.
func (p *ImageProgram) block(depth, n int, loops []string) {
	for range n {
		p.statement(depth, loops)
	}
}

func (p *ImageProgram) statement(depth int, loops []string) {
	kind := p.r.IntN(12)
	switch {
	case kind < 2 && depth < 4:
		p.linef(depth, "if (%s) {", p.condition(loops))
		p.block(depth+1, 1+p.r.IntN(3), loops)
		if p.r.IntN(2) == 0 {
			p.linef(depth, "} else {")
			p.block(depth+1, 1+p.r.IntN(2), loops)
		}
		p.linef(depth, "}")
	case kind == 2 && depth < 3:
		p.names++
		j := fmt.Sprint("j", p.names)
		trips := randprog.Pick(p.r, []string{"3", "(i & 3)", "index + 2", "(i % 3) + 1"})
		p.linef(depth, "for (int %[1]s = 0; %[1]s < %[2]s; %[1]s++) {", j, trips)
		inner := append(slices.Clip(loops), j)
		p.block(depth+1, 1+p.r.IntN(3), inner)
		if p.r.IntN(3) == 0 {
			p.linef(depth+1, "if (%s) %s;", p.condition(inner), randprog.Pick(p.r, []string{"break", "continue"}))
			p.block(depth+1, 1, inner)
		}
		p.linef(depth, "}")
	case kind == 3:
		p.linef(depth, "%s", randprog.Pick(p.r, []string{"u = u.yzwx * 3u + uint(i);", "s = s.wzyx - i;", "f = f.zwxy * 0.5;", "u ^= uvec4(s);", "s += ivec4(u >> 9);", "f = f + 1.25;"}))
	default:
		p.access(depth, randprog.Pick(p.r, p.images), loops)
	}
}

func (p *ImageProgram) condition(loops []string) string {
	list := []string{"(i & 3) == 1", "h % 3u == 0u", "i < 5", "i >= 12", "u.x > 100u", "s.y < 0", "index == 1", "(i & 8) != 0", "false", "i % 7 != 2"}
	if len(loops) > 0 {
		j := randprog.Pick(p.r, loops)
		list = append(list, j+" == 1", fmt.Sprintf("((i >> %s) & 1) == 0", j), j+" + 2 > i")
	}
	return randprog.Pick(p.r, list)
}

// vector makes a vector of integers.
func vector(x []string) string {
	if len(x) == 1 {
		return x[0]
	}
	return fmt.Sprintf("ivec%d(%s)", len(x), strings.Join(x, ", "))
}

// own returns the texel that belongs to an invocation, outside of the image for some.
func (m *image) own() string {
	x := []string{"i", "", ""}
	switch m.shape.coords {
	case 2:
		x[0], x[1] = fmt.Sprintf("i %% %d", m.size[0]), fmt.Sprintf("i / %d", m.size[0])
	case 3:
		x[0], x[1], x[2] = fmt.Sprintf("i %% %d", m.size[0]), fmt.Sprintf("i / %d %% %d", m.size[0], m.size[1]), fmt.Sprintf("i / %d",
			m.size[0]*m.size[1])
	}
	if m.shift > 0 {
		x[0] += fmt.Sprintf(" - %d", m.shift)
	}
	return vector(x[:m.shape.coords])
}

// any returns a texel that may be outside of the image, and may be the same for all invocations.
func (p *ImageProgram) any(m *image, loops []string) string {
	var x []string
	together := p.r.IntN(4) == 0
	for c := range m.shape.coords {
		n := int(m.size[c])
		list := []string{fmt.Sprint(p.r.IntN(n + 1)), "index"}
		if !together {
			list = append(list, "i", fmt.Sprintf("(i * %d + %d) %% %d", 1+p.r.IntN(5), p.r.IntN(4), n), fmt.Sprintf("int(h %% %du)", n+1),
				fmt.Sprintf("i %% %d - 1", n+2), fmt.Sprintf("(i ^ %d) %% %d", p.r.IntN(8), n), "s.x")
		}
		if len(loops) > 0 {
			list = append(list, randprog.Pick(p.r, loops))
		}
		x = append(x, randprog.Pick(p.r, list))
	}
	return vector(x)
}

// element names an image, of an array by an index that is constant, the same for all
// invocations that are there, or neither.
func (p *ImageProgram) element(m *image, loops []string) string {
	if m.count == 0 {
		return m.name
	}
	list := []string{fmt.Sprint(p.r.IntN(m.count)), fmt.Sprintf("index %% %d", m.count), fmt.Sprintf("nonuniformEXT(i %% %d)", m.count),
		fmt.Sprintf("nonuniformEXT(int(h %% %du))", m.count), fmt.Sprintf("nonuniformEXT((i >> 2) %% %d)", m.count)}
	if len(loops) > 0 {
		list = append(list, fmt.Sprintf("%s %% %d", randprog.Pick(p.r, loops), m.count))
	}
	return fmt.Sprintf("%s[%s]", m.name, randprog.Pick(p.r, list))
}

// access writes an access to an image.
func (p *ImageProgram) access(depth int, m *image, loops []string) {
	name := p.element(m, loops)
	local := map[string]string{"": "f", "i": "s", "u": "u"}[m.base()]
	bits := map[string]string{"": "floatBitsToUint(%s)", "i": "uvec4(%s)", "u": "%s"}[m.base()]
	switch m.role {
	case imageRead, imageOwn:
		at := m.own()
		if m.role == imageRead {
			at = p.any(m, loops)
		} else if p.r.IntN(2) == 0 {
			p.linef(depth, "imageStore(%s, %s, %s);", name, at, p.value(m.base()))
			return
		}
		load := fmt.Sprintf("imageLoad(%s, %s)", name, at)
		alpha := texture.Of(m.format).Has(3) // outside of an image without one, it is 0 or 1 (Vulkan specification, robustImageAccess)
		switch p.r.IntN(4) {
		case 0:
			part := ""
			if !alpha {
				part = ".xyz"
			}
			p.linef(depth, "%[1]s%[2]s = %[3]s%[2]s;", local, part, load)
		case 1: // the first components alone
			p.linef(depth, "%[1]s.x += %[2]s.%[3]s;", local, load, randprog.Pick(p.r, []string{"x", "y", "z"}))
		case 2:
			parts := []string{"xy", "yx", "zx"}
			if alpha {
				parts = append(parts, "wx")
			}
			p.linef(depth, "%[1]s.yw = %[2]s.%[3]s;", local, load, randprog.Pick(p.r, parts))
		default:
			if !alpha {
				load += ".xyzz"
			}
			p.linef(depth, "put(%s);", fmt.Sprintf(bits, load))
		}
	case imageWritten:
		p.linef(depth, "imageStore(%s, %s, %s);", name, m.own(), p.value(m.base()))
	case imageSums:
		op := randprog.Pick(p.r, []string{"Add", "Min", "Max", "And", "Or", "Xor"})
		if m.base() == "" {
			op = randprog.Pick(p.r, []string{"Add", "Min", "Max"})
		}
		// The texel's first coordinate selects the operation.
		at := fmt.Sprintf("%d + 6 * (%s)", slices.Index([]string{"Add", "Min", "Max", "And", "Or", "Xor"}, op), randprog.Pick(p.r, []string{"i % 3", "0", "index", "i - 2"}))
		x := []string{at}
		for c := 1; c < m.shape.coords; c++ {
			x = append(x, fmt.Sprint(p.r.IntN(int(m.size[c]))))
		}
		p.linef(depth, "imageAtomic%s(%s, %s, %s);", op, name, vector(x), p.operand(m))
	default:
		op := randprog.Pick(p.r, []string{"Add", "Min", "Max", "And", "Or", "Xor", "Exchange", "CompSwap"})
		if m.base() == "" {
			op = randprog.Pick(p.r, []string{"Add", "Min", "Max", "Exchange"})
		}
		operands := p.operand(m)
		if op == "CompSwap" {
			operands = fmt.Sprintf("%s, %s", randprog.Pick(p.r, []string{"imageLoad(" + name + ", " + m.own() + ").x", operands}), operands)
		}
		call := fmt.Sprintf("imageAtomic%s(%s, %s, %s)", op, name, m.own(), operands)
		if p.r.IntN(3) == 0 {
			p.linef(depth, "%s;", call)
		} else {
			p.linef(depth, "%s.%s = %s;", local, randprog.Pick(p.r, []string{"x", "z"}), call)
		}
	}
}

// value returns the value of a store.
func (p *ImageProgram) value(base string) string {
	switch base {
	case "i":
		return randprog.Pick(p.r, []string{"s", "ivec4(i)", "s.wzyx + 1", "ivec4(1, -2, 3, -4)", "ivec4(s.x)"})
	case "u":
		return randprog.Pick(p.r, []string{"u", "uvec4(i)", "u.wzyx + 1u", "uvec4(1, 2, 3, 4)", "uvec4(u.x, h, 7u, u.w)"})
	}
	return randprog.Pick(p.r, []string{"f", "vec4(i)", "f.wzyx * 0.5", "vec4(0.25, -0.5, 0.75, 1.0)", "vec4(f.x)"})
}

// operand returns the operand of an atomic; of floats, one whose sums are exact.
func (p *ImageProgram) operand(m *image) string {
	switch m.base() {
	case "i":
		return randprog.Pick(p.r, []string{"i", "-i", "3", "i << 24", "-1"})
	case "u":
		return randprog.Pick(p.r, []string{"uint(i)", "1u << (i & 31)", "3u", "~uint(i)", "0xFFFF0000u"})
	}
	return randprog.Pick(p.r, []string{"float(i)", "3.0", "float(i & 3)"})
}

// GLSL returns the text of the program.
func (p *ImageProgram) GLSL() string {
	var b strings.Builder
	b.WriteString("#version 450\n#extension GL_EXT_nonuniform_qualifier : require\n")
	if p.FloatAtomics {
		b.WriteString("#extension GL_EXT_shader_atomic_float : require\n#extension GL_EXT_shader_atomic_float2 : require\n")
	}
	fmt.Fprintf(&b, "layout(local_size_x = %d) in;\n", p.Local)
	for k, m := range p.images {
		layout, qualifier := ", "+glslFormat(m.format), ""
		switch m.role {
		case imageRead:
			qualifier = "readonly "
		case imageWritten:
			layout, qualifier = "", "writeonly "
		}
		array := ""
		if m.count > 0 {
			array = fmt.Sprintf("[%d]", m.count)
		}
		fmt.Fprintf(&b, "layout(binding = %d%s) uniform %s%simage%s %s%s;\n", k, layout, qualifier, m.base(), m.shape.glsl, m.name, array)
	}
	fmt.Fprintf(&b, "layout(binding = %d) readonly buffer I { int index; };\nlayout(binding = %d) buffer O { uint o[]; };\n", len(p.images),
		len(p.images)+1)
	b.WriteString("uint h = 17u;\nvoid put(uvec4 v) { h = h * 31u + v.x; h = h * 31u + v.y; h = h * 31u + v.z; h = (h ^ h >> " +
		"15) * 31u + v.w; }\n")
	b.WriteString("void main() {\n  int i = int(gl_GlobalInvocationID.x);\n  uvec4 u = uvec4(1, 2, 3, i);\n" +
		"  ivec4 s = ivec4(-1, 2, -3, i);\n  precise vec4 f = vec4(0.5, 0.25, 1.0, float(i & 7));\n")
	b.WriteString(p.body.String())
	b.WriteString("  put(u);\n  put(uvec4(s));\n  put(floatBitsToUint(f));\n  o[i] = h;\n}\n")
	return b.String()
}

// glslFormat returns the name of a format in GLSL, which is the same as in the IR.
func glslFormat(f kind.Format) string { return f.String() }

// Call returns a dispatch of the program with new memory.
func (p *ImageProgram) Call() *runner.Call {
	c := &runner.Call{Shader: &runner.Shader{Name: fmt.Sprint("images", p.Seed)}, Groups: [3]uint32{uint32(p.Groups), 1, 1}}
	for k, m := range p.images {
		for e, t := range m.bound {
			if t == nil {
				continue
			}
			own := *t
			own.Levels = []texture.Level{t.Levels[0]}
			own.Levels[0].Data = slices.Clone(t.Levels[0].Data)
			c.Bindings = append(c.Bindings, runner.Binding{Binding: uint32(k), Element: uint32(e), Kind: m.binding(), Texture: &own,
				Data: own.Levels[0].Data})
		}
	}
	index := []byte{byte(p.index), 0, 0, 0}
	c.Bindings = append(c.Bindings, runner.Binding{Binding: uint32(len(p.images)), Kind: runner.Storage, Data: index},
		runner.Binding{Binding: uint32(len(p.images) + 1), Kind: runner.Storage, Data: make([]byte, 4*p.Local*p.Groups)})
	return c
}

func (m *image) binding() runner.BindKind {
	if m.shape.dim == kind.DimBuf {
		return runner.StorageTexelBuffer
	}
	return runner.StorageImage
}

// Script writes a simple program as an AmberScript.
func (p *ImageProgram) Script() string {
	var b, binds strings.Builder
	fmt.Fprintf(&b, "#!amber\nDEVICE_FEATURE shaderStorageImageExtendedFormats\n"+
		"DEVICE_FEATURE shaderStorageImageWriteWithoutFormat\nSHADER compute s GLSL TARGET_ENV vulkan1.1\n%sEND\n", p.GLSL())
	for k, m := range p.images {
		f := texture.Of(m.format)
		if m.shape.dim == kind.DimBuf {
			fmt.Fprintf(&b, "BUFFER %s DATA_TYPE %s DATA", m.name, f.Name)
		} else {
			fmt.Fprintf(&b, "IMAGE %s FORMAT %s %s", m.name, f.Name, m.shape.script)
			for c, word := range []string{"WIDTH", "HEIGHT", "DEPTH"}[:m.shape.coords] {
				fmt.Fprintf(&b, " %s %d", word, m.size[c])
			}
			b.WriteString(" DATA")
		}
		data := m.bound[0].Levels[0].Data
		for at := 0; at < len(data); at += f.Bytes {
			t := f.Decode(data[at : at+f.Bytes])
			for c := range f.Comps {
				if f.Base == kind.BaseFloat {
					fmt.Fprintf(&b, " %g", math.Float32frombits(uint32(t[c])))
				} else {
					fmt.Fprintf(&b, " %d", int64(t[c]))
				}
			}
		}
		b.WriteString("\nEND\n")
		as := "storage_image"
		if m.shape.dim == kind.DimBuf {
			as = "storage_texel_buffer"
		}
		fmt.Fprintf(&binds, "  BIND BUFFER %s AS %s DESCRIPTOR_SET 0 BINDING %d\n", m.name, as, k)
	}
	n := len(p.images)
	fmt.Fprintf(&b, "BUFFER index DATA_TYPE uint32 DATA %d END\nBUFFER out DATA_TYPE uint32 SIZE %d FILL 0\nPIPELINE compute p\n"+
		"  ATTACH s\n%s", p.index, p.Local*p.Groups, binds.String())
	fmt.Fprintf(&b, "  BIND BUFFER index AS storage DESCRIPTOR_SET 0 BINDING %d\n  BIND BUFFER out AS storage DESCRIPTOR_SET 0 "+
		"BINDING %d\nEND\nRUN p %d 1 1\n", n, n+1, p.Groups)
	return b.String()
}
