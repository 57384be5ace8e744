package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/generated/kind"
)

// Source is the text of a shader.
type Source struct {
	File      string // for messages
	Line      int    // the line of File on which Text starts; 1 for a file of its own
	Text      string
	Stage     string // of GLSL: comp, vert, frag, geom, tesc or tese
	Debug     bool   // of GLSL: whether to write debug information, in which the source is called stdin
	TargetEnv string // spv1.0 … spv1.6, vulkan1.0 … vulkan1.3, vulkan1.1spv1.4
}

// whole returns the position for errors about the source as a whole: the line of a script where it starts.
func (s *Source) whole() (p amber.Pos) {
	if s.Line > 1 {
		p.Line = s.Line
	}
	return p
}

// Cache runs the tools and caches their output, so that identical source is
// translated once. It may be used by several goroutines. The zero value is
// an empty cache.
type Cache struct {
	mu      sync.Mutex
	modules map[string][]byte
}

// laterEnvs are the environments to try for a shader that names none and is not valid
// in the default one: Amber takes such an environment from its command line.
var laterEnvs = []string{"spv1.3", "spv1.4", "spv1.6"}

// Shader returns the module of a script's shader, after the passes of its
// pipeline. file is the script's name.
func (c *Cache) Shader(ctx context.Context, file string, s *amber.Shader) ([]byte, error) {
	module, err := c.source(ctx, file, s)
	if err != nil || len(s.Passes) == 0 {
		return module, err
	}
	return c.optimize(ctx, Source{File: file, Line: s.Line, Text: string(module)}, s.Passes)
}

// optimize runs passes of spirv-opt over a module.
func (c *Cache) optimize(ctx context.Context, s Source, passes []string) ([]byte, error) {
	return c.translate("opt "+strings.Join(passes, " "), s, func() ([]byte, error) {
		return optimizer.run(ctx, s, slices.Concat(passes, []string{"-o", "-", "-"}))
	})
}

// stageNames are what glslangValidator calls the stages.
var stageNames = map[kind.Stage]string{kind.StageCompute: "comp", kind.StageVertex: "vert", kind.StageFragment: "frag"}

// source returns the module for a shader's text or words.
func (c *Cache) source(ctx context.Context, file string, s *amber.Shader) ([]byte, error) {
	src := Source{File: file, Line: s.Line, Text: s.Source, Stage: stageNames[s.Stage], TargetEnv: s.TargetEnv}
	translate := c.Assemble
	switch s.Format {
	case amber.GLSL:
		translate = c.GLSL
		fallthrough
	case amber.SPIRVAsm:
		module, err := translate(ctx, src)
		if err == nil || !s.AnyEnv || ctx.Err() != nil {
			return module, err
		}
		for _, src.TargetEnv = range laterEnvs {
			if module, later := translate(ctx, src); later == nil {
				return module, nil
			}
		}
		return nil, err
	}
	module := make([]byte, 0, 4*len(s.Words))
	for _, w := range s.Words {
		module = binary.LittleEndian.AppendUint32(module, w)
	}
	return module, nil
}

// GLSL compiles with glslangValidator.
func (c *Cache) GLSL(ctx context.Context, s Source) ([]byte, error) {
	return c.translate("glsl", s, func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "jacquard")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "module.spv")
		args := append([]string{"-V", "--stdin", "-S", s.Stage, "-o", out}, glslangEnv(s.TargetEnv)...)
		if s.Debug {
			args = append(args, "-g")
		}
		switch _, err := glslang.run(ctx, s, args); {
		case err == nil:
			return os.ReadFile(out)
		case errors.As(err, new(*MissingError)) || ctx.Err() != nil:
			return nil, err
		default: // glslang stops at the first error without -C, and prints a warning with it
			_, all := glslang.run(ctx, s, append(args, "-C"))
			return nil, cmp.Or(all, err)
		}
	})
}

// Assemble assembles with spirv-as.
func (c *Cache) Assemble(ctx context.Context, s Source) ([]byte, error) {
	return c.translate("asm", s, func() ([]byte, error) {
		return assembler.run(ctx, s, []string{"--target-env", s.TargetEnv, "-o", "-", "-"})
	})
}

func (c *Cache) translate(kind string, s Source, run func() ([]byte, error)) ([]byte, error) {
	key := strings.Join([]string{kind, s.Stage, s.TargetEnv, strconv.FormatBool(s.Debug), s.Text}, "\x00")
	c.mu.Lock()
	module, ok := c.modules[key]
	c.mu.Unlock()
	if ok {
		return module, nil
	}
	module, err := run()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.modules == nil {
		c.modules = map[string][]byte{}
	}
	c.modules[key] = module
	return module, nil
}

// glslangEnv returns the glslangValidator options for a target environment: it
// calls spv1.3 spirv1.3, and treats vulkan1.1spv1.4 as two environments.
func glslangEnv(env string) []string {
	vulkan, spv, found := strings.Cut(env, "spv")
	var args []string
	if vulkan != "" {
		args = append(args, "--target-env", vulkan)
	}
	if found {
		args = append(args, "--target-env", "spirv"+spv)
	}
	return args
}

// tool is a program and the form of its error messages.
type tool struct {
	program, debian string
	// message is a regular expression that matches an error. It has a group msg, and may have groups file, line and col.
	// It is empty if messages have no source lines.
	message string
	noise   string // a regular expression that matches messages that are not errors; may be empty
}

// Linker errors of glslang have no line number, and may continue on indented lines. Its last message only counts the errors.
var glslang = tool{"glslangValidator", "glslang-tools",
	`(?m)^ERROR: (?:(?P<file>[^\s:]+):(?P<line>\d+): )?(?P<msg>(?:[^\n]|\n[ \t])*)`,
	`^'' : compilation terminated$|^\d+ compilation errors\.`}
var assembler = tool{"spirv-as", "spirv-tools", `(?m)^error: (?P<line>\d+): (?P<col>\d+): (?P<msg>.*)$`, ""}

var optimizer = tool{"spirv-opt", "spirv-tools", "", ""}

// MissingError reports a tool that is not installed.
type MissingError struct{ Program, Debian string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed (Debian package: %s)", e.Program, e.Debian)
}

// Summary is the last of several errors in a source: it only says how many there are.
type Summary struct {
	File   string
	Errors int
}

func (e *Summary) Error() string { return fmt.Sprintf("%s: %d errors", e.File, e.Errors) }

// run feeds the source to the program and returns its standard output.
func (t *tool) run(ctx context.Context, s Source, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Stdin = strings.NewReader(s.Text)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		missing := &MissingError{t.program, t.debian}
		return nil, &amber.Error{File: s.File, Msg: missing.Error(), Err: missing}
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, t.positioned(s, stdout.String()+stderr.String(), err)
}

// positioned returns the errors in a program's output, each with its place in the source. Several are joined, followed by
// their number. If none is recognized, the error is the whole output.
func (t *tool) positioned(s Source, printed string, err error) error {
	var list []error
	for _, e := range t.errors(s, printed) {
		if !slices.ContainsFunc(list, func(x error) bool { return x.Error() == e.Error() }) { // glslang repeats some
			list = append(list, e)
		}
	}
	switch len(list) {
	case 0:
		said := strings.Join(strings.Fields(printed), " ")
		if said == "" {
			said = err.Error()
		}
		return &amber.Error{File: s.File, Pos: s.whole(), Msg: t.program + ": " + said}
	case 1:
		return list[0]
	}
	return errors.Join(append(list, &Summary{s.File, len(list)})...)
}

// errors returns the errors that a program printed.
func (t *tool) errors(s Source, printed string) (list []*amber.Error) {
	if t.message == "" {
		return nil
	}
	message := regexp.MustCompile(t.message) // compiled here because errors are rare
	for _, m := range message.FindAllStringSubmatch(printed, -1) {
		group := func(name string) string {
			if i := message.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		msg := strings.Join(strings.Fields(group("msg")), " ")
		if t.noise != "" && regexp.MustCompile(t.noise).MatchString(msg) {
			continue
		}
		e := &amber.Error{File: s.File, Msg: t.program + ": " + msg}
		line, _ := strconv.Atoi(group("line"))
		e.Col, _ = strconv.Atoi(group("col"))
		switch file := group("file"); {
		case file != "" && file != stdin && file != "0": // set by #line
			e.File, e.Line = file, line
		case line > 0:
			e.Line = line + s.Line - 1
		default:
			e.Pos = s.whole()
		}
		list = append(list, e)
	}
	return list
}

// stdin is glslang's name for standard input.
const stdin = "stdin"
