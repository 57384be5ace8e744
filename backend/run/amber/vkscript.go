// SPDX-License-Identifier: MIT

package amber

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/core/work"
)

// VkScript is the older form of a script: sections in brackets, and a list of commands that create
// buffers as they go. It is converted to a Script.

// isVkScript reports whether a text starts with a section.
func isVkScript(src []byte) bool {
	text := string(src)
	if strings.HasPrefix(text, magic) {
		return false
	}
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line[0] == '['
		}
		text = rest
	}
	return false
}

// vkBuffer is a buffer that commands refer to.
type vkBuffer struct {
	*runner.Buffer
	set, binding uint32
	kind         runner.BindKind
	bytes        int // the end of the data
	elements     int // the largest size that ssbo commands give, in elements
	elem         int // bytes of an element, or 0 if not known yet
}

type vkParser struct {
	lexer
	script     *runner.Script
	shader     *runner.Shader
	entry      string
	runs       []*runner.Pipeline // one for each entry point, and for each draw
	entries    map[string]*runner.Pipeline
	buffers    []*vkBuffer
	slots      map[runner.Slot]*vkBuffer
	push       *vkBuffer
	tolerances []runner.Tolerance
	graphics   vkGraphics
	out        []runner.Command
}

func newVkParser(name string, meter *work.Meter) *vkParser {
	return &vkParser{
		script: &runner.Script{Name: name}, entry: "main", lexer: lexer{meter: meter}, entries: map[string]*runner.Pipeline{},
		slots: map[runner.Slot]*vkBuffer{},
		graphics: vkGraphics{format: "B8G8R8A8_UNORM", depth: "D32_SFLOAT_S8_UINT", width: framebufferSize,
			height: framebufferSize, state: initialState()},
	}
}

func (p *vkParser) errorf(pos runner.Pos, format string, args ...any) error {
	return &runner.Error{File: p.script.Name, Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// vkFormats are the suffixes that may follow the stage in the name of a shader's section.
var vkFormats = map[string]runner.Format{"": runner.GLSL, "spirv": runner.SPIRVAsm, "spirv hex": runner.SPIRVHex}

// vkOthers start the sections and commands for geometry and tessellation, and for draws without pictures, which are not
// supported.
var vkOthers = []string{"geometry", "tessellation", "patch", "rasterizerDiscardEnable"}

func (p *vkParser) parse(text string) error {
	line := 1
	var test struct {
		text string
		line int
	}
	for len(text) > 0 {
		head, rest, _ := strings.Cut(text, "\n")
		title := strings.TrimSpace(head)
		if title == "" || title[0] == '#' {
			text, line = rest, line+1
			continue
		}
		section, after, ok := strings.Cut(strings.TrimPrefix(title, "["), "]")
		if after = strings.TrimSpace(after); title[0] != '[' || !ok || after != "" && after[0] != '#' {
			return p.errorf(runner.Pos{Line: line, Col: 1}, "'%s' is not a section name in brackets", title)
		}
		body, next := vkSection(rest)
		var err error
		switch words := strings.Fields(section); {
		case len(words) == 1 && words[0] == "test":
			if test.line != 0 {
				return p.errorf(runner.Pos{Line: line, Col: 1}, "duplicate section [test]")
			}
			test.text, test.line = body, line+1
		case len(words) == 1 && words[0] == "require":
			err = p.require(body, line+1)
		case len(words) == 1 && words[0] == "comment":
		case len(words) >= 2 && words[0] == "compute" && words[1] == "shader":
			err = p.computeShader(strings.Join(words[2:], " "), body, line)
		case len(words) >= 2 && (words[0] == "vertex" || words[0] == "fragment") && words[1] == "shader":
			err = p.graphicsShader(words[0], strings.Join(words[2:], " "), body, line)
		case len(words) == 2 && words[0] == "vertex" && words[1] == "data":
			err = p.vertexSection(body, line+1)
		case len(words) == 1 && words[0] == "indices":
			err = p.indexSection(body, line+1)
		case len(words) > 0 && (slices.Contains(vkOthers, words[0])):
			err = p.errorf(runner.Pos{Line: line, Col: 1}, "section [%s]: geometry and tessellation shaders are not supported", section)
		default:
			err = p.errorf(runner.Pos{Line: line, Col: 1}, "unknown section [%s]", section)
		}
		if err != nil {
			return err
		}
		line += 1 + strings.Count(body, "\n")
		text = next
	}
	if test.line == 0 {
		return p.errorf(runner.Pos{Line: 1, Col: 1}, "section [test] is missing")
	}
	p.lexer = lexer{src: test.text, line: test.line, meter: p.meter}
	if err := p.commands(); err != nil {
		return err
	}
	return p.finish()
}

// vkSection splits a text at the line that starts the next section.
func vkSection(text string) (body, rest string) {
	at := 0
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n')
		if strings.HasPrefix(strings.TrimLeft(text[at:], " \t"), "[") {
			break
		}
		if end < 0 {
			return text, ""
		}
		at += end + 1
	}
	return text[:at], text[at:]
}

// require reads features, extensions, and the size and formats of the framebuffer, one per line.
func (p *vkParser) require(body string, line int) error {
	l := lexer{src: body, line: line, meter: p.meter}
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokEOL {
			continue
		}
		switch {
		case t.text == "fence_timeout": // how long to wait
		case t.text == "fbsize":
			for _, to := range []*int{&p.graphics.width, &p.graphics.height} {
				t = l.next()
				n, err := p.number(t, "the width or height of the framebuffer", 1<<14)
				if err != nil {
					return err
				}
				if n == 0 {
					return p.errorf(t.pos, "the width and height of the framebuffer must not be 0")
				}
				*to = n
			}
		case t.text == "framebuffer", t.text == "depthstencil":
			to := &p.graphics.format
			if t.text == "depthstencil" {
				to = &p.graphics.depth
			}
			t = l.next()
			f, err := texture.Named(t.text)
			if err != nil || (f.Depth() || draw.HasStencil(f)) != (to == &p.graphics.depth) {
				return p.errorf(t.pos, "%s is not a framebuffer format", t)
			}
			*to = f.Name
		case strings.HasPrefix(t.text, "VK_"):
			if why := whyNoExtension(t.text); why != "" {
				return p.errorf(t.pos, "%s: %s", t.text, why)
			}
			p.script.DeviceExtensions = append(p.script.DeviceExtensions, t.text)
		default:
			if why := whyNoFeature(t.text); why != "" {
				return p.errorf(t.pos, "%s: %s", t.text, why)
			}
			p.script.DeviceFeatures = append(p.script.DeviceFeatures, t.text)
		}
		for !t.ends() {
			t = l.next()
		}
		if t.kind == tokEOF {
			break
		}
	}
	return nil
}

func (p *vkParser) computeShader(format, body string, line int) error {
	pos := runner.Pos{Line: line, Col: 1}
	f, ok := vkFormats[format]
	switch {
	case !ok:
		return p.errorf(pos, "unknown shader format '%s'", format)
	case p.shader != nil:
		return p.errorf(pos, "duplicate compute shader")
	case strings.TrimSpace(body) == "":
		return p.errorf(pos, "the shader is empty")
	}
	p.shader = &runner.Shader{Name: "compute", Format: f, TargetEnv: "spv1.0", AnyEnv: true, Source: body, Line: line + 1, Pos: pos}
	p.script.Shaders = append(p.script.Shaders, p.shader)
	if f == runner.SPIRVHex {
		q := parser{script: p.script, lexer: lexer{meter: p.meter}}
		return q.hexWords(p.shader)
	}
	return nil
}

// commands reads the section [test].
func (p *vkParser) commands() error {
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return nil
		case t.kind == tokEOL:
			continue
		}
		var err error
		switch t.text {
		case "ssbo":
			err = p.ssbo(t)
		case "uniform":
			err = p.uniform(t)
		case "compute":
			err = p.compute(t)
		case "probe":
			err = p.probe(t)
		case "relative":
			if what := p.next(); !what.is("probe") {
				err = p.errorf(what.pos, "expected probe, found %s", what)
				break
			}
			err = p.probeColor(t, p.next(), true)
		case "draw":
			err = p.draw(t)
		case "clear":
			err = p.clear(t)
		case "vertex", "fragment":
			err = p.entryPoint(t)
		case "tolerance":
			err = p.tolerance(t)
		default:
			known := false
			if known, err = p.vkState(t); known {
				break
			}
			if slices.Contains(vkOthers, t.text) {
				return p.errorf(t.pos, "%s: geometry and tessellation shaders, and draws without pictures, are not supported", t.text)
			}
			err = p.errorf(t.pos, "unknown command %s", t)
		}
		if err != nil {
			return err
		}
	}
}

func (p *vkParser) endOfLine(cmd token) error {
	if t := p.next(); !t.ends() {
		return p.errorf(t.pos, "nothing may follow %s on its line, found %s", cmd.text, t)
	}
	return nil
}

func (p *vkParser) number(t token, what string, limit uint64) (int, error) {
	n, neg, ok := runner.ParseInt(t.text)
	if t.kind != tokWord || !ok || neg || n > limit {
		return 0, p.errorf(t.pos, "%s must be an integer from 0 to %d, not %s", what, limit, t)
	}
	return int(n), nil
}

// slot reads BINDING or SET:BINDING and returns the buffer there, which it creates if there is none.
func (p *vkParser) slot(kind runner.BindKind) (*vkBuffer, error) {
	t := p.next()
	set, binding, two := strings.Cut(t.text, ":")
	if !two {
		set, binding = "0", t.text
	}
	s, err1 := strconv.ParseUint(set, 10, 32)
	b, err2 := strconv.ParseUint(binding, 10, 32)
	if t.kind != tokWord || err1 != nil || err2 != nil {
		return nil, p.errorf(t.pos, "expected a binding, found %s", t)
	}
	at := runner.Slot{Set: uint32(s), Binding: uint32(b)}
	if x := p.slots[at]; x != nil {
		if x.kind != kind {
			return nil, p.errorf(t.pos, "%s is a %s buffer", t, x.kind)
		}
		return x, nil
	}
	x := &vkBuffer{Buffer: &runner.Buffer{Name: fmt.Sprintf("%d:%d", s, b), Pos: t.pos}, set: uint32(s), binding: uint32(b), kind: kind}
	p.buffers = append(p.buffers, x)
	p.slots[at] = x
	return x, nil
}

// vkScalars maps the names of scalar types to scalars, and vkVectors the prefixes of vector and matrix types.
var vkScalars = map[string]runner.Scalar{
	"int": runner.Int32, "uint": runner.Uint32, "int8_t": runner.Int8, "uint8_t": runner.Uint8, "int16_t": runner.Int16, "uint16_t": runner.Uint16,
	"int64_t": runner.Int64, "uint64_t": runner.Uint64, "float": runner.Float32, "double": runner.Float64, "float16_t": runner.Float16,
}

var vkVectors = map[string]runner.Scalar{
	"": runner.Float32, "d": runner.Float64, "i": runner.Int32, "u": runner.Uint32, "i8": runner.Int8, "u8": runner.Uint8, "i16": runner.Int16, "u16": runner.Uint16, "i64": runner.Int64, "u64": runner.Uint64, "f16": runner.Float16,
}

// vkType returns the type with a name, such as int, uint8_t, vec3, i64vec2 or dmat2x3. It returns false if there is none.
func vkType(name string) (*runner.Type, bool) {
	t := &runner.Type{Name: name, Rows: 1, Cols: 1}
	var ok bool
	if t.Scalar, ok = vkScalars[name]; ok {
		t.Measure()
		return t, true
	}
	digit := func(s string) int {
		if len(s) == 1 && s[0] >= '2' && s[0] <= '4' {
			return int(s[0] - '0')
		}
		return 0
	}
	if prefix, dim, found := strings.Cut(name, "vec"); found {
		t.Scalar, ok = vkVectors[prefix]
		if t.Rows = digit(dim); dim == "" {
			t.Rows = 1
		}
	} else if prefix, dim, found := strings.Cut(name, "mat"); found && (prefix == "" || prefix == "d") {
		t.Scalar, ok = vkVectors[prefix]
		cols, rows, two := strings.Cut(dim, "x")
		if !two {
			rows = cols
		}
		t.Cols, t.Rows = digit(cols), digit(rows)
	}
	t.Measure()
	return t, ok && t.Rows > 0 && t.Cols > 0
}

func (p *vkParser) typ(s runner.Std) (*runner.Type, *runner.Layout, error) {
	t := p.next()
	typ, ok := vkType(t.text)
	if t.kind != tokWord || !ok {
		return nil, nil, p.errorf(t.pos, "expected a type, found %s", t)
	}
	l, lerr := runner.LayoutOf(typ, s)
	if lerr != nil {
		return nil, nil, p.errorf(t.pos, "%s", lerr.Msg)
	}
	return typ, l, nil
}

// values reads numbers up to the end of the line. They must form whole elements.
func (p *vkParser) values(l *runner.Layout) ([]runner.Number, error) {
	var out []runner.Number
	t := p.next()
	for ; !t.ends(); t = p.next() {
		n, why := runner.Literal(t.text, l.Segments[len(out)%len(l.Segments)].Scalar)
		if why != "" {
			return nil, p.errorf(t.pos, "%s %s", t, why)
		}
		if out = append(out, n); len(out) > 1<<20 {
			return nil, p.errorf(t.pos, "too many values")
		}
	}
	if len(out) == 0 || len(out)%len(l.Segments) != 0 {
		return nil, p.errorf(t.pos, "%d values are not a multiple of the %d that an element takes", len(out), len(l.Segments))
	}
	return out, nil
}

// write reads an offset and values, and adds the command that writes them to a buffer.
func (p *vkParser) write(cmd token, b *vkBuffer, l *runner.Layout) error {
	t := p.next()
	offset, err := p.number(t, "the offset", maxBytes)
	if err != nil {
		return err
	}
	if part := l.Segments[0].Scalar.Bytes(); offset%part != 0 {
		return p.errorf(t.pos, "offset %d is not a multiple of the number size of %d bytes", offset, part)
	}
	values, err := p.values(l)
	if err != nil {
		return err
	}
	// The padding after the last element is not written.
	last := l.Segments[len(l.Segments)-1]
	n := len(values) / len(l.Segments)
	data := make([]byte, (n-1)*l.Size+last.Offset+last.Scalar.Bytes())
	for i, v := range values {
		seg := l.Segments[i%len(l.Segments)]
		v.Store(data[i/len(l.Segments)*l.Size+seg.Offset:], seg.Scalar)
	}
	b.bytes = max(b.bytes, offset+len(data), offset+n*runner.RoundUp(last.Offset+last.Scalar.Bytes(), l.Segments[0].Scalar.Bytes()))
	if b.elem == 0 {
		b.elem = l.Size
	}
	p.out = append(p.out, &runner.WriteCommand{Buffer: b.Buffer, Offset: offset, Data: data, Pos: cmd.pos})
	return nil
}

// ssbo reads ssbo BINDING SIZE and ssbo BINDING subdata TYPE OFFSET VALUE….
func (p *vkParser) ssbo(cmd token) error {
	b, err := p.slot(runner.Storage)
	if err != nil {
		return err
	}
	t := p.next()
	if t.is("subdata") {
		typ, l, err := p.typ(runner.Std430)
		if err != nil {
			return err
		}
		b.note(typ, l)
		return p.write(cmd, b, l)
	}
	n, err := p.number(t, "the size", maxBytes)
	if err != nil {
		return err
	}
	b.elements = max(b.elements, n)
	return p.endOfLine(cmd)
}

// note sets the type and the element size of a buffer by the first type that a command names.
func (b *vkBuffer) note(t *runner.Type, l *runner.Layout) {
	if b.Type == nil {
		b.Type, b.Layout = t, l
	}
	if b.elem == 0 {
		b.elem = l.Size
	}
}

// uniform reads uniform ubo BINDING TYPE OFFSET VALUE… and, for push constants,
// uniform TYPE OFFSET VALUE….
func (p *vkParser) uniform(cmd token) error {
	b, layout := p.push, runner.Std430
	if p.peek().is("ubo") {
		p.next()
		var err error
		if b, err = p.slot(runner.Uniform); err != nil {
			return err
		}
		layout = runner.Std140
	} else if b == nil {
		b = &vkBuffer{Buffer: &runner.Buffer{Name: "push constants", Pos: cmd.pos}}
		p.push = b
	}
	typ, l, err := p.typ(layout)
	if err != nil {
		return err
	}
	b.note(typ, l)
	return p.write(cmd, b, l)
}

// entryPoint reads vertex entrypoint NAME and fragment entrypoint NAME.
func (p *vkParser) entryPoint(cmd token) error {
	st, _ := p.graphics.stageOf(cmd.text)
	if t := p.next(); !t.is("entrypoint") {
		return p.errorf(t.pos, "expected entrypoint, found %s", t)
	}
	name := p.next()
	if name.kind != tokWord {
		return p.errorf(name.pos, "expected the name of the entry point, found %s", name)
	}
	st.Entry = name.text
	return p.endOfLine(cmd)
}

// compute reads compute X Y Z and compute entrypoint NAME.
func (p *vkParser) compute(cmd token) error {
	t := p.next()
	if t.is("entrypoint") {
		name := p.next()
		if name.kind != tokWord {
			return p.errorf(name.pos, "expected the name of the entry point, found %s", name)
		}
		p.entry = name.text
		return p.endOfLine(cmd)
	}
	if p.shader == nil {
		return p.errorf(cmd.pos, "no compute shader to run")
	}
	c := &runner.RunCommand{Pos: cmd.pos}
	for i := range c.Groups {
		if i > 0 {
			t = p.next()
		}
		n, err := p.number(t, "the number of workgroups", maxUint32)
		if err != nil {
			return err
		}
		c.Groups[i] = uint32(n)
	}
	if c.Pipeline = p.entries[p.entry]; c.Pipeline == nil {
		c.Pipeline = &runner.Pipeline{Name: "compute", Shader: p.shader, Entry: p.entry, Pos: cmd.pos}
		p.runs = append(p.runs, c.Pipeline)
		p.entries[p.entry] = c.Pipeline
	}
	p.out = append(p.out, c)
	return p.endOfLine(cmd)
}

var vkComparators = map[string]runner.Comparator{
	"==": runner.Equal, "~=": runner.Equal, "!=": runner.NotEqual, "<": runner.Less, "<=": runner.LessEqual, ">": runner.Greater, ">=": runner.GreaterEqual,
}

// probe reads probe ssbo TYPE BINDING OFFSET COMPARATOR VALUE…, and the probes of colors.
func (p *vkParser) probe(cmd token) error {
	if what := p.next(); !what.is("ssbo") {
		return p.probeColor(cmd, what, false)
	}
	typ, l, err := p.typ(runner.Std430)
	if err != nil {
		return err
	}
	b, err := p.slot(runner.Storage)
	if err != nil {
		return err
	}
	b.note(typ, l)
	at := p.next()
	offset, err := p.number(at, "the offset", maxBytes)
	if err != nil {
		return err
	}
	op := p.next()
	c := &runner.Expect{Buffer: b.Buffer, Index: offset, Layout: l, Pos: cmd.pos}
	var ok bool
	if c.Op, ok = vkComparators[op.text]; !ok || op.kind != tokWord {
		return p.errorf(op.pos, "expected a comparator (==, !=, <, <=, >, >=, ~=), found %s", op)
	}
	if op.text == "~=" {
		c.Tolerances = slices.Clone(p.tolerances)
	}
	if c.Values, err = p.values(l); err != nil {
		return err
	}
	last := l.Segments[len(l.Segments)-1]
	b.bytes = max(b.bytes, offset+(len(c.Values)/len(l.Segments)-1)*l.Size+last.Offset+last.Scalar.Bytes())
	p.out = append(p.out, c)
	return nil
}

// tolerance reads one value or four for the ~= comparisons that follow.
func (p *vkParser) tolerance(cmd token) error {
	var out []runner.Tolerance
	for t := p.next(); !t.ends(); t = p.next() {
		text, percent := strings.CutSuffix(t.text, "%")
		v, ok := runner.ParseFloat(text)
		if !ok || !(v >= 0) {
			return p.errorf(t.pos, "a tolerance must be a non-negative number, not %s", t)
		}
		out = append(out, runner.Tolerance{Value: v, Percent: percent})
	}
	if len(out) != 1 && len(out) != 4 {
		return p.errorf(cmd.pos, "tolerance takes one value or four, not %d", len(out))
	}
	p.tolerances = out
	return nil
}

// finish sizes the buffers to fit all commands, and binds them.
func (p *vkParser) finish() error {
	all := p.buffers
	if p.push != nil {
		all = append(slices.Clone(all), p.push)
	}
	total := 0
	bytes := &runner.Type{Name: "uint8", Scalar: runner.Uint8, Rows: 1, Cols: 1}
	for _, b := range all {
		size := max(b.bytes, b.elements*max(b.elem, 1))
		if total += size; size > maxBytes || total > maxBytes {
			return p.errorf(b.Pos, "the buffers of a script exceed %d MiB in total", maxBytes>>20)
		}
		b.Type, b.Layout, b.Count = bytes, &runner.Layout{Size: 1, Segments: []runner.Segment{{Scalar: runner.Uint8}}}, size
		b.Init.Fill = true
		p.script.Buffers = append(p.script.Buffers, b.Buffer)
	}
	for i, pl := range p.runs {
		if (i+1)*len(p.buffers) > maxHeld {
			return p.errorf(pl.Pos, "the pipelines of a script may have at most %d descriptors in total: one for each buffer "+
				"and entry point", maxHeld)
		}
		for _, b := range p.buffers {
			if b.Count > 0 {
				pl.Binds = append(pl.Binds, runner.Bind{Buffer: b.Buffer, Kind: b.kind, Set: b.set, Binding: b.binding, Size: b.Count})
			}
		}
		if p.push != nil {
			pl.PushConstants = p.push.Buffer
		}
		p.script.Pipelines = append(p.script.Pipelines, pl)
	}
	p.script.Commands = p.out
	return nil
}
