// SPDX-License-Identifier: MIT

package amber

import (
	"slices"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// pipeline reads PIPELINE (compute | graphics) name … END.
func (p *parser) pipeline(cmd token) error {
	kind, err := p.word("the type of the PIPELINE")
	if err != nil {
		return err
	}
	var graphics *runner.Graphics
	switch kind.text {
	case "compute":
	case "graphics":
		graphics = &runner.Graphics{Depth: draw.Depth{Compare: texture.Always}}
	case "ray_tracing":
		return p.errorf(kind.pos, "PIPELINE %s: only compute and graphics pipelines are supported", kind.text)
	default:
		return p.errorf(kind.pos, "unknown pipeline type %s", kind)
	}
	name, err := p.word("the name of the PIPELINE")
	if err != nil {
		return err
	}
	return p.pipelineBody(cmd, name, &runner.Pipeline{Name: name.text, Graphics: graphics, Frame: [2]int{framebufferSize, framebufferSize}})
}

// derivePipeline reads DERIVE_PIPELINE name FROM parent … END.
func (p *parser) derivePipeline(cmd token) error {
	name, err := p.word("the name of the DERIVE_PIPELINE")
	if err != nil {
		return err
	}
	if err := p.keyword("FROM"); err != nil {
		return err
	}
	from, err := p.word("the pipeline after FROM")
	if err != nil {
		return err
	}
	parent := p.pipelines[from.text]
	if parent == nil {
		return p.errorf(from.pos, "unknown pipeline %s", from)
	}
	if err := p.hold(cmd.pos, len(parent.Binds)+len(parent.Specialize)); err != nil {
		return err
	}
	child := *parent
	if parent.Graphics != nil {
		child.Graphics = parent.Graphics.Derived()
	}
	child.Name = name.text
	child.Specialize = slices.Clone(parent.Specialize)
	child.Binds = slices.Clone(parent.Binds)
	for i := range child.Binds {
		child.Binds[i].Inherited = true
	}
	return p.pipelineBody(cmd, name, &child)
}

// pipelineCommands returns the commands of a pipeline.
func pipelineCommands() []struct {
	word  string
	parse func(*parser, *runner.Pipeline, token) error
} {
	return []struct {
		word  string
		parse func(*parser, *runner.Pipeline, token) error
	}{
		{"ATTACH", (*parser).attach},
		{"BIND", (*parser).bind},
		{"BLEND", (*parser).blend},
		{"DEPTH", (*parser).depth},
		{"FRAMEBUFFER_SIZE", (*parser).framebufferSizeCommand},
		{"INDEX_DATA", (*parser).indexData},
		{"POLYGON_MODE", (*parser).polygonMode},
		{"SHADER_OPTIMIZATION", (*parser).optimization},
		{"STENCIL", (*parser).stencil},
		{"SUBGROUP", (*parser).subgroup},
		{"VERTEX_DATA", (*parser).vertexData},
		{"VIEWPORT", (*parser).viewport},
	}
}

// unsupportedInPipeline lists the unsupported commands of pipelines.
var unsupportedInPipeline = map[string]string{
	"COMPILE_OPTIONS":            "OPENCL-C shaders are not supported",
	"FLAGS":                      "ray tracing is not supported yet",
	"MAX_RAY_HIT_ATTRIBUTE_SIZE": "ray tracing is not supported yet",
	"MAX_RAY_PAYLOAD_SIZE":       "ray tracing is not supported yet",
	"MAX_RAY_RECURSION_DEPTH":    "ray tracing is not supported yet",
	"PATCH_CONTROL_POINTS":       "tessellation is not supported",
	"SET":                        "OpenCL kernel arguments are not supported",
	"SHADER_BINDING_TABLE":       "ray tracing is not supported yet",
	"SHADER_GROUP":               "ray tracing is not supported yet",
	"USE_LIBRARY":                "ray tracing is not supported yet",
}

func (p *parser) pipelineBody(cmd, name token, pl *runner.Pipeline) error {
	if err := newName(p, "pipeline", name, p.pipelines); err != nil {
		return err
	}
	if err := p.endOfLine("the name of " + cmd.text); err != nil {
		return err
	}
	p.binds = runner.NewBindTable(pl)
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "%s %s has no END", cmd.text, pl.Name)
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			if pl.Graphics != nil {
				if err := p.finishGraphics(pl, cmd); err != nil {
					return err
				}
			} else if pl.Shader == nil {
				return p.errorf(cmd.pos, "%s %s has no shader: ATTACH is missing", cmd.text, pl.Name)
			}
			pl.Binds = p.binds.All()
			if err := p.sizeBinds(pl, cmd); err != nil {
				return err
			}
			p.pipelines[pl.Name] = pl
			p.script.Pipelines = append(p.script.Pipelines, pl)
			return p.endOfLine("END")
		}
		if err := p.pipelineCommand(pl, t); err != nil {
			return err
		}
	}
}

func (p *parser) pipelineCommand(pl *runner.Pipeline, t token) error {
	for _, c := range pipelineCommands() {
		if t.is(c.word) {
			return c.parse(p, pl, t)
		}
	}
	if why := unsupportedInPipeline[t.text]; why != "" {
		return p.errorf(t.pos, "%s: %s", t.text, why)
	}
	return p.errorf(t.pos, "unknown command %s in PIPELINE", t)
}

// attach reads ATTACH shader [[TYPE type] ENTRY_POINT name] [SPECIALIZE id AS type value]….
func (p *parser) attach(pl *runner.Pipeline, cmd token) error {
	name, err := p.word("the shader of ATTACH")
	if err != nil {
		return err
	}
	s := p.shaders[name.text]
	if s == nil {
		return p.errorf(name.pos, "unknown shader %s", name)
	}
	st := runner.Stage{Shader: s, Entry: "main"}
	stage := s.Stage
	t := p.next()
	if t.is("TYPE") {
		word, err := p.word("the type of ATTACH")
		if err != nil {
			return err
		}
		typ, known := shaderTypes[word.text]
		if !known || typ.why != "" || word.is("multi") || pl.Graphics == nil && typ.stage != kind.StageCompute {
			return p.errorf(word.pos, "%s pipeline cannot have a shader of type %s", article(pl), word)
		}
		stage = typ.stage
		if t = p.next(); !t.is("ENTRY_POINT") {
			return p.errorf(t.pos, "expected ENTRY_POINT, found %s", t)
		}
	} else if s.Multi {
		return p.errorf(name.pos, "%s is a multi shader: ATTACH needs TYPE and ENTRY_POINT", name)
	}
	if t.is("ENTRY_POINT") {
		entry := p.next()
		if entry.ends() || entry.text == "" {
			return p.errorf(entry.pos, "expected the name of ENTRY_POINT, found %s", entry)
		}
		st.Entry = entry.text
		t = p.next()
	}
	list, err := p.attached(pl, st, stage, cmd)
	if err != nil {
		return err
	}
	for ; t.is("SPECIALIZE"); t = p.next() {
		if err := p.specialize(list, stage); err != nil {
			return err
		}
	}
	if !t.ends() {
		return p.errorf(t.pos, "unknown word %s in ATTACH", t)
	}
	return nil
}

// article returns the kind of a pipeline with its article.
func article(pl *runner.Pipeline) string {
	if pl.Graphics != nil {
		return "a graphics"
	}
	return "a compute"
}

// attached sets the shader of its stage and returns the list that receives its specialization constants. The
// constants of a shader inherited from a parent pipeline are kept.
func (p *parser) attached(pl *runner.Pipeline, st runner.Stage, stage kind.Stage, cmd token) (*[]runner.Spec, error) {
	if pl.Graphics == nil {
		if stage != kind.StageCompute {
			return nil, p.errorf(cmd.pos, "a compute pipeline cannot have a shader of type '%s'", stage)
		}
		if pl.Shader != nil && pl.Shader != st.Shader {
			return nil, p.errorf(cmd.pos, "a compute pipeline has only one shader, and '%s' is already attached", pl.Shader.Name)
		}
		pl.Shader, pl.Entry = st.Shader, st.Entry
		return &pl.Specialize, nil
	}
	to := pl.Graphics.Stage(stage)
	switch {
	case to == nil:
		return nil, p.errorf(cmd.pos, "a graphics pipeline cannot have a shader of type '%s'", stage)
	case to.Shader != nil && to.Shader != st.Shader:
		return nil, p.errorf(cmd.pos, "a graphics pipeline has only one %s shader, and '%s' is already attached", stage, to.Shader.Name)
	}
	to.Shader, to.Entry = st.Shader, st.Entry
	return &to.Specialize, nil
}

func (p *parser) specialize(list *[]runner.Spec, stage kind.Stage) error {
	id, err := p.uint("the id of SPECIALIZE", maxUint32)
	if err != nil {
		return err
	}
	if err := p.keyword("AS"); err != nil {
		return err
	}
	typ, err := p.word("the type of SPECIALIZE")
	if err != nil {
		return err
	}
	scalar, ok := runner.ScalarNamed(typ.text)
	if !ok {
		return p.errorf(typ.pos, "a specialization constant must be a scalar, not %s", typ)
	}
	t, err := p.word("the value of SPECIALIZE")
	if err != nil {
		return err
	}
	n, why := runner.Literal(t.text, scalar)
	if why != "" {
		return p.errorf(t.pos, "%s %s", t, why)
	}
	var raw [8]byte
	n.Store(raw[:], scalar)
	spec := runner.Spec{ID: uint32(id), Bits: runner.Load(raw[:], runner.Uint64).Bits, Size: scalar.Bytes()}
	key := runner.SpecKey{Stage: stage, ID: spec.ID}
	if i, ok := p.binds.Specs[key]; ok {
		(*list)[i] = spec // overrides an inherited value
		return nil
	}
	p.binds.Specs[key] = len(*list)
	*list = append(*list, spec)
	return p.hold(t.pos, 1)
}

// maxHeld bounds the bindings and specialization constants of all pipelines, including
// inherited ones.
const maxHeld = 1 << 20

// hold counts n more bindings or specialization constants, and rejects them above maxHeld.
func (p *parser) hold(pos runner.Pos, n int) error {
	if p.held += n; p.held > maxHeld {
		return p.errorf(pos, "the pipelines of a script may have at most %d descriptors and specialization constants in total, "+
			"including inherited ones", maxHeld)
	}
	return nil
}

// bindKinds are the words after AS of BIND BUFFER that stand for kinds of descriptors. The dynamic ones require an OFFSET.
var bindKinds = map[string]struct {
	kind    runner.BindKind
	dynamic bool
}{
	"storage":                {kind: runner.Storage},
	"storage_dynamic":        {kind: runner.Storage, dynamic: true},
	"uniform":                {kind: runner.Uniform},
	"uniform_dynamic":        {kind: runner.Uniform, dynamic: true},
	"input_attachment":       {kind: runner.InputAttachment},
	"combined_image_sampler": {kind: runner.CombinedImageSampler},
	"sampled_image":          {kind: runner.SampledImage},
	"storage_image":          {kind: runner.StorageImage},
	"storage_texel_buffer":   {kind: runner.StorageTexelBuffer},
	"uniform_texel_buffer":   {kind: runner.UniformTexelBuffer},
}

func (p *parser) bind(pl *runner.Pipeline, _ token) error {
	what, err := p.word("BUFFER")
	if err != nil {
		return err
	}
	switch what.text {
	case "ACCELERATION_STRUCTURE":
		return p.errorf(what.pos, "BIND ACCELERATION_STRUCTURE: ray tracing is not supported yet")
	case "SAMPLER", "SAMPLER_ARRAY":
		return p.bindSamplers(pl, what)
	case "BUFFER", "BUFFER_ARRAY":
	default:
		return p.errorf(what.pos, "expected BUFFER, found %s", what)
	}
	var bufs []*runner.Buffer
	t, err := p.word("the buffer of BIND")
	if err != nil {
		return err
	}
	for ; t.kind == tokWord && !t.is("AS") && !t.is("KERNEL"); t = p.next() {
		buf := p.buffers[t.text]
		if buf == nil {
			return p.errorf(t.pos, "unknown buffer %s", t)
		}
		if len(bufs) == 1 && what.is("BUFFER") || len(bufs) == maxDescriptors {
			break
		}
		bufs = append(bufs, buf)
	}
	if t.is("KERNEL") {
		return p.errorf(t.pos, "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported")
	}
	if !t.is("AS") {
		return p.errorf(t.pos, "expected AS, found %s", t)
	}
	as, err := p.word("the type of BIND BUFFER")
	if err != nil {
		return err
	}
	if len(bufs) == 0 {
		return p.errorf(t.pos, "expected the buffer of BIND, found %s", t)
	}
	if as.text == "push_constant" {
		if pl.PushConstants != nil && pl.PushConstants != bufs[0] {
			return p.errorf(as.pos, "a pipeline has only one push_constant buffer, and '%s' is already bound", pl.PushConstants.Name)
		}
		if len(bufs) > 1 {
			return p.errorf(as.pos, "a push_constant buffer cannot be an array")
		}
		pl.PushConstants = bufs[0]
		return p.endOfLine("BIND BUFFER")
	}
	if as.is("color") || as.is("depth_stencil") || as.is("resolve") {
		return p.target(pl, as, bufs)
	}
	kind, ok := bindKinds[as.text]
	if !ok {
		return p.errorf(as.pos, "unknown binding type %s", as)
	}
	binds := make([]runner.Bind, len(bufs))
	for i, b := range bufs {
		binds[i] = runner.Bind{Buffer: b, Kind: kind.kind, Element: uint32(i)}
	}
	return p.descriptor(pl, binds, kind.dynamic)
}

// maxDescriptors bounds the descriptors of one array.
const maxDescriptors = 1 << 12

// bindSamplers reads the rest of BIND SAMPLER and BIND SAMPLER_ARRAY.
func (p *parser) bindSamplers(pl *runner.Pipeline, what token) error {
	var binds []runner.Bind
	t, err := p.word("the sampler of BIND")
	if err != nil {
		return err
	}
	for ; t.kind == tokWord && !t.is("DESCRIPTOR_SET"); t = p.next() {
		if t.is("KERNEL") {
			return p.errorf(t.pos, "BIND SAMPLER … KERNEL: OpenCL kernel arguments are not supported")
		}
		s := p.samplers[t.text]
		if s == nil {
			return p.errorf(t.pos, "unknown sampler %s", t)
		}
		if len(binds) == 1 && what.is("SAMPLER") || len(binds) == maxDescriptors {
			break
		}
		binds = append(binds, runner.Bind{Kind: runner.SamplerAlone, Sampler: s, Element: uint32(len(binds))})
	}
	start, set, binding, err := p.slot(t)
	if err != nil {
		return err
	}
	if len(binds) == 0 {
		return p.errorf(t.pos, "expected the sampler of BIND, found %s", t)
	}
	if err := p.endOfLine("BIND SAMPLER"); err != nil {
		return err
	}
	return p.bound(binds, start, set, binding)
}

// slot reads DESCRIPTOR_SET s BINDING b. Its first word is t.
func (p *parser) slot(t token) (start runner.Pos, set, binding uint32, err error) {
	if !t.is("DESCRIPTOR_SET") {
		return t.pos, 0, 0, p.errorf(t.pos, "expected DESCRIPTOR_SET, found %s", t)
	}
	s, err := p.uint("DESCRIPTOR_SET", maxUint32)
	if err != nil {
		return t.pos, 0, 0, err
	}
	if err := p.keyword("BINDING"); err != nil {
		return t.pos, 0, 0, err
	}
	b, err := p.uint("BINDING", maxUint32)
	return t.pos, uint32(s), uint32(b), err
}

// numbers reads one number for each of the n elements of a BIND, or a single number for all. If rest is set, -1 is
// allowed, for the rest of the buffer.
func (p *parser) numbers(word string, n int, rest bool) ([]int64, error) {
	out := make([]int64, 0, n)
	for len(out) < n {
		t := p.peek()
		if _, _, ok := runner.ParseInt(t.text); t.kind != tokWord || !ok {
			break
		}
		p.next()
		if rest && t.text == "-1" {
			out = append(out, -1)
			continue
		}
		v, err := p.uintOf(t, word, maxUint32)
		if err != nil {
			return nil, err
		}
		out = append(out, int64(v))
	}
	switch len(out) {
	case n:
	case 1:
		for len(out) < n {
			out = append(out, out[0])
		}
	case 0:
		t := p.next()
		return nil, p.errorf(t.pos, "expected %s, found %s", word, t)
	default:
		t := p.next()
		return nil, p.errorf(t.pos, "%s has %d values for %d buffers", word, len(out), n)
	}
	return out, nil
}

// descriptor reads [SAMPLER name] DESCRIPTOR_SET s BINDING b and the options of the
// kind of descriptor: [OFFSET o…] [DESCRIPTOR_OFFSET o…] [DESCRIPTOR_RANGE r…]
// for buffers, [BASE_MIP_LEVEL l] for images.
func (p *parser) descriptor(pl *runner.Pipeline, binds []runner.Bind, dynamic bool) error {
	t := p.next()
	kind := binds[0].Kind
	if t.is("KERNEL") {
		return p.errorf(t.pos, "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported")
	}
	if kind == runner.CombinedImageSampler {
		if !t.is("SAMPLER") {
			return p.errorf(t.pos, "expected SAMPLER, found %s", t)
		}
		name := p.next()
		s := p.samplers[name.text]
		if s == nil {
			return p.errorf(name.pos, "unknown sampler %s", name)
		}
		for i := range binds {
			binds[i].Sampler = s
		}
		t = p.next()
	}
	start, set, binding, err := p.slot(t)
	if err != nil {
		return err
	}
	n := len(binds)
	offsets, sizes := make([]int64, n), make([]int64, n)
	for i := range sizes {
		sizes[i] = -1
	}
	t = p.next()
	if dynamic && !t.is("OFFSET") {
		return p.errorf(t.pos, "expected OFFSET, found %s", t)
	}
	for ; !t.ends(); t = p.next() {
		var values []int64
		plain := kind == runner.Storage || kind == runner.Uniform
		switch {
		case t.is("OFFSET") && dynamic, t.is("DESCRIPTOR_OFFSET") && plain:
			if values, err = p.numbers(t.text, n, false); err != nil {
				return err
			}
			for i, v := range values {
				offsets[i] += v
			}
		case t.is("DESCRIPTOR_RANGE") && plain:
			if sizes, err = p.numbers(t.text, n, true); err != nil {
				return err
			}
		case t.is("BASE_MIP_LEVEL") && kind.IsImage():
			if values, err = p.numbers(t.text, n, false); err != nil {
				return err
			}
			for i, v := range values {
				binds[i].BaseLevel = int(v)
			}
		default:
			return p.errorf(t.pos, "unknown word %s in BIND BUFFER", t)
		}
	}
	for i := range binds {
		b := &binds[i]
		if err := p.fitBind(b, start, offsets[i], sizes[i]); err != nil {
			return err
		}
	}
	return p.bound(binds, start, set, binding)
}

// fitBind sets the range of a buffer that a descriptor covers, and checks that the buffer contains it.
func (p *parser) fitBind(b *runner.Bind, start runner.Pos, offset, size int64) error {
	buf := b.Buffer
	switch {
	case b.Kind.IsImage():
		if buf.Image == nil {
			return p.errorf(start, "'%s' is not an image: it has no WIDTH", buf.Name)
		}
		if b.BaseLevel >= buf.Image.Levels {
			return p.errorf(start, "'%s' has no level %d", buf.Name, b.BaseLevel)
		}
		b.Size = buf.Memory()
		return nil
	case b.Kind == runner.UniformTexelBuffer || b.Kind == runner.StorageTexelBuffer:
		if _, err := buf.Format(); err != nil {
			return p.errorf(start, "%s", err)
		}
	}
	if size < 0 {
		size = int64(buf.Bytes()) - offset
	}
	if size <= 0 || offset+size > int64(buf.Bytes()) {
		return p.errorf(start, "the descriptor exceeds the %d bytes of '%s'", buf.Bytes(), buf.Name)
	}
	b.Offset, b.Size = int(offset), int(size)
	return nil
}

// bound adds the elements of a binding to the pipeline being parsed.
func (p *parser) bound(binds []runner.Bind, start runner.Pos, set, binding uint32) error {
	at := runner.Slot{Set: set, Binding: binding}
	if old := p.binds.Get(at); len(old) > 0 && !old[0].Inherited {
		name := "a sampler"
		if b := old[0].Buffer; b != nil {
			name = "'" + b.Name + "'"
		}
		return p.errorf(start, "set %d binding %d is already bound to %s", set, binding, name)
	}
	for i := range binds {
		binds[i].Set, binds[i].Binding = set, binding
	}
	p.binds.Set(at, binds) // replaces an inherited binding
	return p.hold(start, len(binds))
}

// optimization reads SHADER_OPTIMIZATION shader, passes line by line, END. The pipeline gets a copy of the shader
// with these passes, since some of them change the shader's behavior, for example --graphics-robust-access.
func (p *parser) optimization(pl *runner.Pipeline, cmd token) error {
	name, err := p.word("the shader of SHADER_OPTIMIZATION")
	if err != nil {
		return err
	}
	s := p.shaders[name.text]
	if s == nil || pl.Runs(s) == nil {
		return p.errorf(name.pos, "shader %s is not attached to this pipeline", name)
	}
	optimized := *s
	optimized.Passes = nil
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "SHADER_OPTIMIZATION has no END")
		case t.kind == tokEOL:
		case t.is("END"):
			if len(optimized.Passes) > 0 {
				*pl.Runs(s) = &optimized
			}
			return p.endOfLine("END")
		case !isPass(t.text):
			return p.errorf(t.pos, "%s is not a pass: expected --name, --name=value, -O or -Os", t)
		default:
			optimized.Passes = append(optimized.Passes, t.text)
		}
	}
}

// isPass reports whether a word is an option of spirv-opt that selects passes, which becomes part of a command line: -O, -Os,
// --name or --name=value. Options that name files are excluded.
func isPass(word string) bool {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	option, ok := strings.CutPrefix(word, "--")
	if !ok {
		return word == "-O" || word == "-Os"
	}
	name, value, _ := strings.Cut(option, "=")
	return name != "" && strings.Trim(name, letters+digits+"-") == "" && strings.Contains(letters, name[:1]) &&
		strings.Trim(value, letters+strings.ToUpper(letters)+digits+":,._") == ""
}

// subgroupOptions are the words of a SUBGROUP block and the feature that each
// requires to be declared.
var subgroupOptions = map[string]string{
	"FULLY_POPULATED": "SubgroupSizeControl.computeFullSubgroups",
	"VARYING_SIZE":    "SubgroupSizeControl.subgroupSizeControl",
	"REQUIRED_SIZE":   "SubgroupSizeControl.subgroupSizeControl",
}

func (p *parser) subgroup(pl *runner.Pipeline, cmd token) error {
	name, err := p.word("the shader of SUBGROUP")
	if err != nil {
		return err
	}
	if s := p.shaders[name.text]; s == nil || pl.Runs(s) == nil {
		return p.errorf(name.pos, "shader %s is not attached to this pipeline", name)
	}
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "SUBGROUP has no END")
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			return p.endOfLine("END")
		}
		feature := subgroupOptions[t.text]
		if feature == "" {
			return p.errorf(t.pos, "unknown command %s in SUBGROUP", t)
		}
		if !slices.Contains(p.script.DeviceFeatures, feature) {
			return p.errorf(t.pos, "%s needs DEVICE_FEATURE %s", t.text, feature)
		}
		v, err := p.word("the value of " + t.text)
		if err != nil {
			return err
		}
		if err := p.subgroupOption(&pl.Subgroup, t, v); err != nil {
			return err
		}
	}
}

func (p *parser) subgroupOption(s *runner.Subgroup, option, v token) error {
	if option.text == "REQUIRED_SIZE" {
		switch v.text {
		case "MIN":
			s.Require = runner.SubgroupMin
		case "MAX":
			s.Require = runner.SubgroupMax
		default:
			n, err := p.uintOf(v, "REQUIRED_SIZE", 128)
			if err != nil {
				return err
			}
			if n == 0 || n&(n-1) != 0 {
				return p.errorf(v.pos, "REQUIRED_SIZE must be a power of two, not %d", n)
			}
			s.Require, s.Size = runner.SubgroupExact, uint32(n)
		}
		return nil
	}
	if v.text != "on" && v.text != "off" {
		return p.errorf(v.pos, "%s must be on or off, not %s", option.text, v)
	}
	to := &s.FullyPopulated
	if option.text == "VARYING_SIZE" {
		to = &s.VaryingSize
	}
	*to = v.text == "on"
	return nil
}
