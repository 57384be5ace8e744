// SPDX-License-Identifier: MIT

package amber

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Parse parses a script, an AmberScript or a VkScript. name is the file's name for messages. The
// error, if any, is a *runner.Error. It is an error if the script names files.
func Parse(name string, src []byte) (*runner.Script, error) {
	return ParseIn(context.Background(), nil, name, src)
}

// ParseIn is like Parse, for a script that may name files in dir. It stops soon after ctx is done,
// with the context's cause.
func ParseIn(ctx context.Context, dir fs.FS, name string, src []byte) (*runner.Script, error) {
	meter := work.NewMeter(ctx, math.MaxInt)
	if isVkScript(src) {
		p := newVkParser(name, meter)
		return parsed(ctx, p.script, &p.lexer, func() error { return p.parse(string(src)) })
	}
	p := &parser{
		dir:       dir,
		lexer:     lexer{src: string(src), line: 1, meter: meter},
		script:    &runner.Script{Name: name},
		shaders:   map[string]*runner.Shader{},
		buffers:   map[string]*runner.Buffer{},
		pipelines: map[string]*runner.Pipeline{},
		samplers:  map[string]*runner.Sampler{},
		structs:   map[string]*runner.Type{},
		files:     map[string]virtualFile{},
		layouts:   map[layoutKey]*runner.Layout{},
	}
	return parsed(ctx, p.script, &p.lexer, p.parse)
}

// parsed runs parse and returns the script, or the error. If the context is done, the error wraps the context's cause
// (runner.Stopped).
func parsed(ctx context.Context, s *runner.Script, l *lexer, parse func() error) (*runner.Script, error) {
	err := func() (err error) {
		defer work.Catch(&err)
		return parse()
	}()
	if err == nil {
		return s, nil
	}
	if ctx.Err() != nil {
		err = runner.Stopped(ctx, s.Name, l.pos())
	}
	return nil, err
}

type parser struct {
	lexer
	dir       fs.FS // nil if there are no files
	script    *runner.Script
	shaders   map[string]*runner.Shader
	buffers   map[string]*runner.Buffer
	pipelines map[string]*runner.Pipeline
	samplers  map[string]*runner.Sampler
	structs   map[string]*runner.Type
	files     map[string]virtualFile

	binds   *runner.BindTable            // bindings of the pipeline being parsed
	layouts map[layoutKey]*runner.Layout // layouts of the types so far

	bytes  int               // total size of the buffers so far
	held   int               // descriptors and specialization constants of all pipelines so far
	laid   int               // numbers of all layouts so far
	source int               // bytes of all shaders so far
	out    *[]runner.Command // the list that receives commands: the script's or a REPEAT's
	repeat bool              // inside a REPEAT
}

type virtualFile struct {
	text string
	line int
}

func (p *parser) errorf(pos runner.Pos, format string, args ...any) error {
	return &runner.Error{File: p.script.Name, Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// command is a word that starts a line outside blocks.
type command struct {
	word       string
	parse      func(*parser, token) error
	repeatable bool // allowed in a REPEAT block
}

// commands is a function and not a variable, because REPEAT refers back to it.
func commands() []command {
	return []command{
		{"BUFFER", (*parser).buffer, false},
		{"CLEAR", (*parser).clear, true},
		{"CLEAR_COLOR", (*parser).clearColor, true},
		{"CLEAR_DEPTH", (*parser).clearDepth, true},
		{"CLEAR_STENCIL", (*parser).clearStencil, true},
		{"COPY", (*parser).copyBuffer, true},
		{"DERIVE_PIPELINE", (*parser).derivePipeline, false},
		{"DEVICE_EXTENSION", (*parser).deviceExtension, false},
		{"DEVICE_FEATURE", (*parser).deviceFeature, false},
		{"DEVICE_PROPERTY", (*parser).deviceProperty, false},
		{"EXPECT", (*parser).expect, true},
		{"IMAGE", (*parser).parseImage, false},
		{"INSTANCE_EXTENSION", (*parser).instanceExtension, false},
		{"PIPELINE", (*parser).pipeline, false},
		{"REPEAT", (*parser).repeatBlock, false},
		{"RUN", (*parser).run, true},
		{"SAMPLER", (*parser).parseSampler, false},
		{"SET", (*parser).set, false},
		{"SHADER", (*parser).shader, false},
		{"STRUCT", (*parser).structType, false},
		{"VIRTUAL_FILE", (*parser).virtualFile, false},
	}
}

// unsupported are commands of the language that need unsupported features.
var unsupported = map[string]string{
	"ACCELERATION_STRUCTURE": "ray tracing is not supported yet",
}

const magic = "#!amber"

func (p *parser) parse() error {
	rest, ok := strings.CutPrefix(p.src, magic)
	if !ok || rest != "" && !isSpace(rest[0]) && rest[0] != '\n' {
		return p.errorf(runner.Pos{Line: 1, Col: 1}, "the first line is not '%s'", magic)
	}
	p.out = &p.script.Commands
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return nil
		case t.kind == tokEOL:
			continue
		}
		if err := p.command(t); err != nil {
			return err
		}
	}
}

func (p *parser) command(t token) error {
	for _, c := range commands() {
		if !t.is(c.word) {
			continue
		}
		if p.repeat && !c.repeatable {
			return p.errorf(t.pos, "%s is not allowed in a REPEAT block", c.word)
		}
		return c.parse(p, t)
	}
	if why := unsupported[t.text]; why != "" && t.kind == tokWord {
		return p.errorf(t.pos, "%s: %s", t.text, why)
	}
	return p.errorf(t.pos, "unknown command %s", t)
}

// word reads a word. what describes the word in the error message.
func (p *parser) word(what string) (token, error) {
	t := p.next()
	if t.kind != tokWord {
		return t, p.errorf(t.pos, "expected %s, found %s", what, t)
	}
	return t, nil
}

// keyword reads the given word.
func (p *parser) keyword(want string) error {
	t := p.next()
	if !t.is(want) {
		return p.errorf(t.pos, "expected %s, found %s", want, t)
	}
	return nil
}

// endOfLine rejects anything more on the line.
func (p *parser) endOfLine(after string) error {
	if t := p.next(); !t.ends() {
		return p.errorf(t.pos, "nothing may follow %s on its line, found %s", after, t)
	}
	return nil
}

// uint reads an integer from 0 to limit.
func (p *parser) uint(what string, limit uint64) (uint64, error) {
	t, err := p.word(what)
	if err != nil {
		return 0, err
	}
	return p.uintOf(t, what, limit)
}

func (p *parser) uintOf(t token, what string, limit uint64) (uint64, error) {
	n, neg, ok := runner.ParseInt(t.text)
	if !ok || neg || n > limit {
		return 0, p.errorf(t.pos, "%s must be an integer from 0 to %d, not %s", what, limit, t)
	}
	return n, nil
}

const maxUint32 = 1<<32 - 1

// newName rejects a name that is already taken by another object of the same kind.
func newName[T any](p *parser, sort string, t token, taken map[string]T) error {
	if _, dup := taken[t.text]; dup {
		return p.errorf(t.pos, "a %s named %s already exists", sort, t)
	}
	return nil
}

func (p *parser) deviceFeature(t token) error {
	return p.demand(t, "a feature's name", &p.script.DeviceFeatures, whyNoFeature)
}
func (p *parser) deviceProperty(t token) error {
	return p.demand(t, "a property's name", &p.script.DeviceProperties, whyNoProperty)
}
func (p *parser) deviceExtension(t token) error {
	return p.demand(t, "an extension's name", &p.script.DeviceExtensions, whyNoExtension)
}
func (p *parser) instanceExtension(t token) error {
	return p.demand(t, "an extension's name", &p.script.InstanceExtensions, whyNoExtension)
}

// demand reads the name of a feature, property or extension that the script requires. why returns the reason to reject a
// name, or "".
func (p *parser) demand(cmd token, what string, to *[]string, why func(string) string) error {
	t, err := p.word(what)
	if err != nil {
		return err
	}
	if msg := why(t.text); msg != "" {
		return p.errorf(t.pos, "%s %s: %s", cmd.text, t.text, msg)
	}
	if !slices.Contains(*to, t.text) { // there are few: only supported ones
		*to = append(*to, t.text)
	}
	return p.endOfLine(cmd.text)
}

// set reads SET ENGINE_DATA name value….
func (p *parser) set(token) error {
	if err := p.keyword("ENGINE_DATA"); err != nil {
		return err
	}
	name, err := p.word("the name of the engine data")
	if err != nil {
		return err
	}
	if name.text != "fence_timeout_ms" {
		return p.errorf(name.pos, "unknown engine data %s", name)
	}
	ms, err := p.uint("the timeout", maxUint32)
	if err != nil {
		return err
	}
	p.script.EngineData = append(p.script.EngineData, runner.EngineData{Name: name.text, Values: []string{strconv.FormatUint(ms, 10)}})
	return p.endOfLine("SET ENGINE_DATA")
}

func (p *parser) virtualFile(cmd token) error {
	path, err := p.path("VIRTUAL_FILE")
	if err != nil {
		return err
	}
	if err := newName(p, "virtual file", path, p.files); err != nil {
		return err
	}
	if err := p.endOfLine("the path of VIRTUAL_FILE"); err != nil {
		return err
	}
	line := p.line
	text, ok := p.textUntilEND()
	if !ok {
		return p.errorf(cmd.pos, "VIRTUAL_FILE has no END")
	}
	p.files[path.text] = virtualFile{text, line}
	return p.endOfLine("END")
}

// path reads the path of a file, quoted or unquoted.
func (p *parser) path(cmd string) (token, error) {
	t := p.next()
	if t.ends() || t.text == "" {
		return t, p.errorf(t.pos, "expected the path of %s, found %s", cmd, t)
	}
	return t, nil
}

// shaderTypes are the words after SHADER in the language; why is set for unsupported ones.
var shaderTypes = map[string]struct {
	stage kind.Stage
	why   string
}{
	"compute": {stage: kind.StageCompute}, "multi": {}, "vertex": {stage: kind.StageVertex}, "fragment": {stage: kind.StageFragment},
	"geometry": {why: otherStages}, "tessellation_control": {why: otherStages}, "tessellation_evaluation": {why: otherStages},
	"ray_generation": {why: noRays}, "any_hit": {why: noRays}, "closest_hit": {why: noRays},
	"miss": {why: noRays}, "intersection": {why: noRays}, "callable": {why: noRays},
}

const (
	otherStages = "only compute, vertex and fragment shaders are supported"
	noRays      = "ray tracing is not supported yet"
)

var shaderFormats = map[string]runner.Format{"GLSL": runner.GLSL, "SPIRV-ASM": runner.SPIRVAsm, "SPIRV-HEX": runner.SPIRVHex}

var unsupportedFormats = map[string]string{
	"HLSL":     "HLSL shaders are not supported",
	"OPENCL-C": "OPENCL-C shaders are not supported",
}

func (p *parser) shader(cmd token) error {
	word, err := p.word("the type of the shader")
	if err != nil {
		return err
	}
	typ, known := shaderTypes[word.text]
	if !known {
		return p.errorf(word.pos, "unknown shader type %s", word)
	}
	if typ.why != "" {
		return p.errorf(word.pos, "SHADER %s: %s", word.text, typ.why)
	}
	name, err := p.word("the name of the shader")
	if err != nil {
		return err
	}
	if err := newName(p, "shader", name, p.shaders); err != nil {
		return err
	}
	format, err := p.word("the format of the shader")
	if err != nil {
		return err
	}
	if why := unsupportedFormats[format.text]; why != "" {
		return p.errorf(format.pos, "%s", why)
	}
	s := &runner.Shader{Name: name.text, TargetEnv: "spv1.0", AnyEnv: true, Stage: typ.stage, Multi: word.is("multi"), Pos: cmd.pos}
	var ok bool
	if format.is("PASSTHROUGH") {
		if s.Stage != kind.StageVertex {
			return p.errorf(format.pos, "only a vertex shader can be PASSTHROUGH")
		}
		s.Source, s.Line = passthrough, 1
		p.keepShader(s)
		return p.endOfLine("PASSTHROUGH")
	}
	isBinary := format.is("SPIRV-BIN")
	if isBinary {
		format.text = "SPIRV-HEX"
	}
	if s.Format, ok = shaderFormats[format.text]; !ok {
		return p.errorf(format.pos, "unknown shader format %s", format)
	}
	if s.Multi && s.Format == runner.GLSL {
		return p.errorf(format.pos, "a multi shader must be SPIRV-ASM or SPIRV-HEX")
	}
	if err := p.shaderSource(s, cmd); err != nil {
		return err
	}
	if p.source += len(s.Source); p.source > maxSource {
		return p.errorf(cmd.pos, "SHADER %s is too big: the shaders of a script may have at most %d MiB in total", s.Name, maxSource>>20)
	}
	if isBinary {
		return p.binaryShader(s, cmd)
	}
	if strings.TrimSpace(s.Source) == "" {
		return p.errorf(cmd.pos, "SHADER %s is empty", s.Name)
	}
	if s.Format == runner.SPIRVHex {
		if err := p.hexWords(s); err != nil {
			return err
		}
	}
	p.keepShader(s)
	return nil
}

// maxSource bounds the source of all shaders of a script, which may share virtual files.
const maxSource = 64 << 20

func (p *parser) keepShader(s *runner.Shader) {
	p.shaders[s.Name] = s
	p.script.Shaders = append(p.script.Shaders, s)
}

// binaryShader interprets a shader's source as the words of a module.
func (p *parser) binaryShader(s *runner.Shader, cmd token) error {
	if len(s.Source) == 0 || len(s.Source)%4 != 0 {
		return p.errorf(cmd.pos, "SHADER %s: %d bytes are not a whole number of SPIR-V words", s.Name, len(s.Source))
	}
	for i := 0; i < len(s.Source); i += 4 {
		s.Words = append(s.Words, binary.LittleEndian.Uint32([]byte(s.Source[i:i+4])))
	}
	p.keepShader(s)
	return nil
}

// shaderSource reads the rest of a SHADER command.
func (p *parser) shaderSource(s *runner.Shader, cmd token) error {
	t := p.next()
	if t.is("TARGET_ENV") {
		env := p.next()
		if env.ends() || env.text == "" || strings.Trim(env.text, envLetters) != "" {
			return p.errorf(env.pos, "expected the target environment, found %s", env)
		}
		s.TargetEnv, s.AnyEnv = env.text, false
		t = p.next()
	}
	switch {
	case t.is("FILE"):
		text, err := p.file("SHADER")
		if err != nil {
			return err
		}
		s.Source, s.Line = string(text), 1
		return p.endOfLine("SHADER")
	case t.is("VIRTUAL_FILE"):
		path, err := p.path("VIRTUAL_FILE")
		if err != nil {
			return err
		}
		file, ok := p.files[path.text]
		if !ok {
			return p.errorf(path.pos, "unknown virtual file %s", path)
		}
		s.Source, s.Line = file.text, file.line
		return p.endOfLine("SHADER")
	case !t.ends():
		return p.errorf(t.pos, "unknown word %s in SHADER", t)
	}
	s.Line = p.line
	var ok bool
	if s.Source, ok = p.textUntilEND(); !ok {
		return p.errorf(cmd.pos, "SHADER %s has no END", s.Name)
	}
	return p.endOfLine("END")
}

// envLetters are the characters allowed in a target environment ("vulkan1.1spv1.4"), which becomes part of a command
// line.
const envLetters = "abcdefghijklmnopqrstuvwxyz0123456789.-_"

// hexWords decodes the source of a SPIRV-HEX shader: 32-bit words, 0x… or
// bare, between white space and commas.
func (p *parser) hexWords(s *runner.Shader) error {
	l := lexer{src: strings.ReplaceAll(s.Source, ",", " "), line: s.Line, meter: p.meter}
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokEOL {
			continue
		}
		w, err := strconv.ParseUint(strings.TrimPrefix(t.text, "0x"), 16, 32)
		if err != nil {
			return p.errorf(t.pos, "%s is not a 32-bit word in hexadecimal", t)
		}
		s.Words = append(s.Words, uint32(w))
	}
	return nil
}
