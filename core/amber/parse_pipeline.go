package amber

import "slices"

// pipeline reads PIPELINE compute name … END.
func (p *parser) pipeline(cmd token) error {
	kind, err := p.word("the type of the PIPELINE")
	if err != nil {
		return err
	}
	switch kind.text {
	case "compute":
	case "graphics", "ray_tracing":
		return p.errorf(kind.pos, "PIPELINE %s: only compute pipelines are supported yet", kind.text)
	default:
		return p.errorf(kind.pos, "unknown type of pipeline %s", kind)
	}
	name, err := p.word("the name of the PIPELINE")
	if err != nil {
		return err
	}
	return p.pipelineBody(cmd, name, &Pipeline{Name: name.text})
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
	child := *parent
	child.Name = name.text
	child.Specialize = slices.Clone(parent.Specialize)
	child.Binds = slices.Clone(parent.Binds)
	for i := range child.Binds {
		child.Binds[i].inherited = true
	}
	return p.pipelineBody(cmd, name, &child)
}

// pipelineCommands are the words that start a line of a pipeline.
func pipelineCommands() []struct {
	word  string
	parse func(*parser, *Pipeline, token) error
} {
	return []struct {
		word  string
		parse func(*parser, *Pipeline, token) error
	}{
		{"ATTACH", (*parser).attach},
		{"BIND", (*parser).bind},
		{"SUBGROUP", (*parser).subgroup},
	}
}

// unsupportedInPipeline are the other words of the language there.
var unsupportedInPipeline = map[string]string{
	"BLEND":                      "graphics pipelines are not supported yet",
	"COMPILE_OPTIONS":            "OPENCL-C shaders are not supported",
	"DEPTH":                      "graphics pipelines are not supported yet",
	"FLAGS":                      "ray tracing is not supported yet",
	"FRAMEBUFFER_SIZE":           "graphics pipelines are not supported yet",
	"INDEX_DATA":                 "graphics pipelines are not supported yet",
	"MAX_RAY_HIT_ATTRIBUTE_SIZE": "ray tracing is not supported yet",
	"MAX_RAY_PAYLOAD_SIZE":       "ray tracing is not supported yet",
	"MAX_RAY_RECURSION_DEPTH":    "ray tracing is not supported yet",
	"PATCH_CONTROL_POINTS":       "graphics pipelines are not supported yet",
	"POLYGON_MODE":               "graphics pipelines are not supported yet",
	"SET":                        "OpenCL kernel arguments are not supported",
	"SHADER_BINDING_TABLE":       "ray tracing is not supported yet",
	"SHADER_GROUP":               "ray tracing is not supported yet",
	"SHADER_OPTIMIZATION":        "passes of SPIRV-Tools over the shader are not supported",
	"STENCIL":                    "graphics pipelines are not supported yet",
	"USE_LIBRARY":                "ray tracing is not supported yet",
	"VERTEX_DATA":                "graphics pipelines are not supported yet",
	"VIEWPORT":                   "graphics pipelines are not supported yet",
}

func (p *parser) pipelineBody(cmd, name token, pl *Pipeline) error {
	if err := newName(p, "pipeline", name, p.pipelines); err != nil {
		return err
	}
	if err := p.endOfLine("the name of " + cmd.text); err != nil {
		return err
	}
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "%s %s has no END", cmd.text, pl.Name)
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			if pl.Shader == nil {
				return p.errorf(cmd.pos, "%s %s has no shader: ATTACH is missing", cmd.text, pl.Name)
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

func (p *parser) pipelineCommand(pl *Pipeline, t token) error {
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

// attach reads ATTACH shader [TYPE compute] [ENTRY_POINT name]
// [SPECIALIZE id AS type value]….
func (p *parser) attach(pl *Pipeline, cmd token) error {
	name, err := p.word("the shader of ATTACH")
	if err != nil {
		return err
	}
	s := p.shaders[name.text]
	if s == nil {
		return p.errorf(name.pos, "unknown shader %s", name)
	}
	if pl.Shader != nil && pl.Shader != s {
		return p.errorf(cmd.pos, "a compute pipeline has one shader, and '%s' is attached already", pl.Shader.Name)
	}
	pl.Shader, pl.Entry = s, "main"
	t := p.next()
	if t.is("TYPE") {
		kind, err := p.word("the type of ATTACH")
		if err != nil {
			return err
		}
		if kind.text != "compute" {
			return p.errorf(kind.pos, "a compute pipeline cannot have a shader of type %s", kind)
		}
		if t = p.next(); !t.is("ENTRY_POINT") {
			return p.errorf(t.pos, "ENTRY_POINT is missing, found %s", t)
		}
	} else if s.Multi {
		return p.errorf(name.pos, "%s is a multi shader: ATTACH needs TYPE and ENTRY_POINT", name)
	}
	if t.is("ENTRY_POINT") {
		entry := p.next()
		if entry.ends() || entry.text == "" {
			return p.errorf(entry.pos, "the name of ENTRY_POINT is missing, found %s", entry)
		}
		pl.Entry = entry.text
		t = p.next()
	}
	for ; t.is("SPECIALIZE"); t = p.next() {
		if err := p.specialize(pl); err != nil {
			return err
		}
	}
	if !t.ends() {
		return p.errorf(t.pos, "unknown word %s in ATTACH", t)
	}
	return nil
}

func (p *parser) specialize(pl *Pipeline) error {
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
	scalar, ok := scalarNamed(typ.text)
	if !ok {
		return p.errorf(typ.pos, "a specialization constant must be a scalar, not %s", typ)
	}
	t, err := p.word("the value of SPECIALIZE")
	if err != nil {
		return err
	}
	n, why := literal(t.text, scalar)
	if why != "" {
		return p.errorf(t.pos, "%s %s", t, why)
	}
	var raw [8]byte
	n.store(raw[:], scalar)
	spec := Spec{ID: uint32(id), Bits: load(raw[:], Uint64).bits, Size: scalar.Bytes()}
	i := slices.IndexFunc(pl.Specialize, func(s Spec) bool { return s.ID == spec.ID })
	if i < 0 {
		pl.Specialize = append(pl.Specialize, spec)
	} else {
		pl.Specialize[i] = spec // a derived pipeline says otherwise
	}
	return nil
}

// bindKinds are the words after AS of BIND BUFFER. dynamic ones take an
// OFFSET; why is set for what is not supported.
var bindKinds = map[string]struct {
	kind    BindKind
	dynamic bool
	why     string
}{
	"storage":                {kind: Storage},
	"storage_dynamic":        {kind: Storage, dynamic: true},
	"uniform":                {kind: Uniform},
	"uniform_dynamic":        {kind: Uniform, dynamic: true},
	"color":                  {why: "graphics pipelines are not supported yet"},
	"depth_stencil":          {why: "graphics pipelines are not supported yet"},
	"resolve":                {why: "graphics pipelines are not supported yet"},
	"combined_image_sampler": {why: "images are not supported yet"},
	"sampled_image":          {why: "images are not supported yet"},
	"storage_image":          {why: "images are not supported yet"},
	"storage_texel_buffer":   {why: "texel buffers are not supported yet"},
	"uniform_texel_buffer":   {why: "texel buffers are not supported yet"},
}

// unsupportedBinds are the words after BIND that are not BUFFER.
var unsupportedBinds = map[string]string{
	"ACCELERATION_STRUCTURE": "ray tracing is not supported yet",
	"BUFFER_ARRAY":           "arrays of descriptors are not supported yet",
	"SAMPLER":                "samplers are not supported yet",
	"SAMPLER_ARRAY":          "samplers are not supported yet",
}

func (p *parser) bind(pl *Pipeline, _ token) error {
	what, err := p.word("BUFFER")
	if err != nil {
		return err
	}
	if why := unsupportedBinds[what.text]; why != "" {
		return p.errorf(what.pos, "BIND %s: %s", what.text, why)
	}
	if what.text != "BUFFER" {
		return p.errorf(what.pos, "BUFFER is missing, found %s", what)
	}
	name, err := p.word("the buffer of BIND")
	if err != nil {
		return err
	}
	buf := p.buffers[name.text]
	if buf == nil {
		return p.errorf(name.pos, "unknown buffer %s", name)
	}
	t := p.next()
	if t.is("KERNEL") {
		return p.errorf(t.pos, "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported")
	}
	if !t.is("AS") {
		return p.errorf(t.pos, "AS is missing, found %s", t)
	}
	as, err := p.word("the type of BIND BUFFER")
	if err != nil {
		return err
	}
	if as.text == "push_constant" {
		if pl.PushConstants != nil && pl.PushConstants != buf {
			return p.errorf(as.pos, "a pipeline has one push_constant buffer, and '%s' is bound already", pl.PushConstants.Name)
		}
		pl.PushConstants = buf
		return p.endOfLine("BIND BUFFER")
	}
	kind, ok := bindKinds[as.text]
	if !ok {
		return p.errorf(as.pos, "unknown type of binding %s", as)
	}
	if kind.why != "" {
		return p.errorf(as.pos, "BIND BUFFER … AS %s: %s", as.text, kind.why)
	}
	return p.descriptor(pl, buf, kind.kind, kind.dynamic)
}

// descriptor reads DESCRIPTOR_SET s BINDING b [OFFSET o]
// [DESCRIPTOR_OFFSET o] [DESCRIPTOR_RANGE r].
func (p *parser) descriptor(pl *Pipeline, buf *Buffer, kind BindKind, dynamic bool) error {
	t := p.next()
	if t.is("KERNEL") {
		return p.errorf(t.pos, "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported")
	}
	if !t.is("DESCRIPTOR_SET") {
		return p.errorf(t.pos, "DESCRIPTOR_SET is missing, found %s", t)
	}
	start := t.pos
	set, err := p.uint("DESCRIPTOR_SET", maxUint32)
	if err != nil {
		return err
	}
	if err := p.keyword("BINDING"); err != nil {
		return err
	}
	binding, err := p.uint("BINDING", maxUint32)
	if err != nil {
		return err
	}
	var offset, dynOffset uint64
	size := int64(-1)
	t = p.next()
	if dynamic {
		if !t.is("OFFSET") {
			return p.errorf(t.pos, "OFFSET is missing, found %s", t)
		}
		if dynOffset, err = p.uint("OFFSET", maxUint32); err != nil {
			return err
		}
		t = p.next()
	}
	if t.is("DESCRIPTOR_OFFSET") {
		if offset, err = p.uint("DESCRIPTOR_OFFSET", maxUint32); err != nil {
			return err
		}
		t = p.next()
	}
	if t.is("DESCRIPTOR_RANGE") {
		r, err := p.word("DESCRIPTOR_RANGE")
		if err != nil {
			return err
		}
		if r.text != "-1" { // -1 stands for the rest of the buffer
			n, err := p.uintOf(r, "DESCRIPTOR_RANGE", maxUint32)
			if err != nil {
				return err
			}
			size = int64(n)
		}
		t = p.next()
	}
	if !t.ends() {
		return p.errorf(t.pos, "unknown word %s in BIND BUFFER", t)
	}
	offset += dynOffset
	if size < 0 {
		size = int64(buf.Bytes()) - int64(offset)
	}
	if size <= 0 || int64(offset)+size > int64(buf.Bytes()) {
		return p.errorf(start, "the descriptor reaches outside of the %d bytes of '%s'", buf.Bytes(), buf.Name)
	}
	b := Bind{Buffer: buf, Kind: kind, Set: uint32(set), Binding: uint32(binding), Offset: int(offset), Size: int(size)}
	i := slices.IndexFunc(pl.Binds, func(o Bind) bool { return o.Set == b.Set && o.Binding == b.Binding })
	switch {
	case i < 0:
		pl.Binds = append(pl.Binds, b)
	case pl.Binds[i].inherited:
		pl.Binds[i] = b
	default:
		return p.errorf(start, "set %d binding %d is bound to '%s' already", set, binding, pl.Binds[i].Buffer.Name)
	}
	return nil
}

// subgroupOptions are the words of a SUBGROUP block and the feature that each
// needs, as the language wants it declared.
var subgroupOptions = map[string]string{
	"FULLY_POPULATED": "SubgroupSizeControl.computeFullSubgroups",
	"VARYING_SIZE":    "SubgroupSizeControl.subgroupSizeControl",
	"REQUIRED_SIZE":   "SubgroupSizeControl.subgroupSizeControl",
}

func (p *parser) subgroup(pl *Pipeline, cmd token) error {
	name, err := p.word("the shader of SUBGROUP")
	if err != nil {
		return err
	}
	if s := p.shaders[name.text]; s == nil || s != pl.Shader {
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

func (p *parser) subgroupOption(s *Subgroup, option, v token) error {
	if option.text == "REQUIRED_SIZE" {
		switch v.text {
		case "MIN":
			s.Require = SubgroupMin
		case "MAX":
			s.Require = SubgroupMax
		default:
			n, err := p.uintOf(v, "REQUIRED_SIZE", 128)
			if err != nil {
				return err
			}
			if n == 0 || n&(n-1) != 0 {
				return p.errorf(v.pos, "REQUIRED_SIZE must be a power of two, not %d", n)
			}
			s.Require, s.Size = SubgroupExact, uint32(n)
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
