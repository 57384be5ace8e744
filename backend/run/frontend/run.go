// SPDX-License-Identifier: MIT

package frontend

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"jacquard.example/generated/frontend"
)

// Programs runs the programs that translate sources. It may be used by several goroutines. The zero value is ready.
type Programs struct {
	mu     sync.Mutex
	probed map[string]string // by the path of a program with a probe: the reason to reject it, or empty
}

// Translate returns the module of a source.
func (p *Programs) Translate(ctx context.Context, s *Source) ([]byte, error) {
	l := Language(s.Language)
	switch {
	case l == nil:
		return nil, &Error{File: s.File, Msg: fmt.Sprintf("unknown language %q", s.Language)}
	case l.Refused != "":
		return nil, &Error{File: s.File, Msg: l.Refused}
	}
	var reasons []string
	for _, c := range l.Commands {
		path, reason, err := p.Find(ctx, c)
		if err != nil {
			return nil, err
		}
		if reason == "" {
			return run(ctx, c, path, s)
		}
		reasons = append(reasons, reason)
	}
	return nil, missing(s.File, reasons)
}

// Optimize runs passes of spirv-opt over a module, which is the text of the source.
func Optimize(ctx context.Context, s *Source, passes []string) ([]byte, error) {
	for i := range frontend.Commands {
		if c := &frontend.Commands[i]; c.Name == "spirv_opt" {
			path, err := exec.LookPath(c.Program)
			if err != nil {
				return nil, missing(s.File, []string{absent(c, c.Program)})
			}
			out, said, err := execute(ctx, path, append(slices.Clone(passes), c.Args[1:]...), s.Text)
			if err != nil {
				return nil, failure(ctx, c, s, "", said, err)
			}
			return out, nil
		}
	}
	return nil, errors.New("spirv_opt is not among the commands") // the generator requires this row
}

// Find returns the path of a command's program. If the program cannot run, reason says why; otherwise it is empty.
func (p *Programs) Find(ctx context.Context, c *frontend.Command) (path, reason string, err error) {
	for _, program := range c.Needs {
		if _, err := exec.LookPath(program); err != nil {
			return "", absent(c, program), nil
		}
	}
	if path, err = exec.LookPath(c.Program); err != nil {
		return "", absent(c, c.Program), nil
	}
	if len(c.Probe) == 0 {
		return path, "", nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	reason, known := p.probed[path]
	if !known {
		out, said, _ := execute(ctx, path, c.Probe, "") // some programs fail after printing their help
		if ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		if !strings.Contains(string(out)+said, c.Answer) {
			reason = fmt.Sprintf("%s is another program, or was built without SPIR-V (the right one: %s)", path, where(c))
		}
		if p.probed == nil {
			p.probed = map[string]string{}
		}
		p.probed[path] = reason
	}
	return path, reason, nil
}

// run runs a command over a source.
func run(ctx context.Context, c *frontend.Command, path string, s *Source) ([]byte, error) {
	dir, err := os.MkdirTemp("", "jacquard")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w := words{in: filepath.Join(dir, "source."+s.Language), out: filepath.Join(dir, "module.spv"), name: s.File}
	args, err := w.args(c, s)
	if err != nil {
		return nil, err
	}
	text, called := s.Text, c.Stdin
	if w.reads {
		if err := os.WriteFile(w.in, []byte(s.Text), 0o600); err != nil {
			return nil, err
		}
		text, called = "", w.in
	}
	out, said, err := execute(ctx, path, args, text)
	if err != nil {
		if len(c.Again) > 0 && ctx.Err() == nil {
			if _, all, again := execute(ctx, path, append(args, c.Again...), text); again != nil {
				said, err = all, again
			}
		}
		return nil, failure(ctx, c, s, called, said, err)
	}
	if w.writes {
		if line := refused(c, string(out)+said); line != "" {
			return nil, &Error{File: s.File, Line: s.whole(),
				Msg: fmt.Sprintf("%s: %s (the entry point is %s, unless --entry names another)",
					c.Program, line, cmp.Or(s.Entry, "main"))}
		}
		if out, err = os.ReadFile(w.out); err != nil {
			return nil, &Error{File: s.File, Line: s.whole(), Msg: c.Program + " wrote no module: " + said}
		}
	}
	return named(out, called, s), nil
}

// words has the text for each {name} in arguments. reads and writes report whether the arguments name the input and
// the output file.
type words struct {
	in, out, name string
	reads, writes bool
}

// args returns the arguments for a source.
func (w *words) args(c *frontend.Command, s *Source) (args []string, err error) {
	each := func(form, values []string) {
		for _, v := range values {
			for _, f := range form {
				args = append(args, strings.ReplaceAll(f, "{}", v))
			}
		}
	}
	stage := c.Stages[s.Stage]
	switch {
	case len(c.Stages) == 0 || stage != "":
	case s.Stage == "":
		return nil, &Error{File: s.File,
			Msg: fmt.Sprintf("the name does not tell the stage: give --stage, or name the file FILE.vert.%s", s.Language)}
	default:
		return nil, &Error{File: s.File, Msg: fmt.Sprintf("%s does not translate %s shaders", c.Program, s.Stage)}
	}
	if len(s.Include) > 0 && len(c.Include) == 0 {
		return nil, &Error{File: s.File, Msg: fmt.Sprintf("-I %s: %s includes no files", s.Include[0], c.Program)}
	}
	if len(s.Define) > 0 && len(c.Define) == 0 {
		return nil, &Error{File: s.File, Msg: fmt.Sprintf("-D %s: %s has no macros", s.Define[0], c.Program)}
	}
	for _, arg := range c.Args {
		switch arg {
		case "{env}":
			each(c.Env, environments(c, cmp.Or(s.Env, defaultEnv)))
		case "{include}":
			folders := s.Include
			if s.Dir != "" {
				folders = append([]string{s.Dir}, folders...)
			}
			each(c.Include, folders)
		case "{define}":
			each(c.Define, s.Define)
		default:
			w.reads = w.reads || strings.Contains(arg, "{in}")
			w.writes = w.writes || strings.Contains(arg, "{out}")
			args = append(args, strings.NewReplacer(
				"{in}", w.in, "{out}", w.out, "{name}", w.name, "{stage}", stage, "{entry}", cmp.Or(s.Entry, "main"),
			).Replace(arg))
		}
	}
	return args, nil
}

// environments translates a target environment to a program's own names: spv1.3 is spirv1.3 for glslangValidator, and
// vulkan1.1spv1.4 becomes two environments.
func environments(c *frontend.Command, env string) (list []string) {
	if c.SPIRV == "" {
		return []string{env}
	}
	vulkan, version, found := strings.Cut(env, "spv")
	if vulkan != "" {
		list = append(list, vulkan)
	}
	if found {
		list = append(list, c.SPIRV+version)
	}
	return list
}

// execute runs a program with a standard input. It returns the standard output, and in said the standard error. If the
// program fails, said has both.
func execute(ctx context.Context, path string, args []string, stdin string) (out []byte, said string, err error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err = cmd.Run(); err != nil {
		return nil, stdout.String() + stderr.String(), err
	}
	return stdout.Bytes(), stderr.String(), nil
}

// failure returns the errors that a program printed, each with its position in the source. Several errors are joined,
// followed by their count. If no message is recognized, the error is the whole output. called is the program's name for
// the source.
func failure(ctx context.Context, c *frontend.Command, s *Source, called, printed string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var list []error
	for _, m := range messages(c, printed) {
		e := &Error{File: s.File, Column: m.col, Msg: c.Program + ": " + m.msg}
		switch {
		case m.file != "" && m.file != called && m.file != s.File && m.file != "0": // another file, or set by #line
			e.File, e.Line = m.file, m.line
		case m.line > 0:
			e.Line = m.line + s.Line - 1
		default:
			e.Line = s.whole()
		}
		if !slices.ContainsFunc(list, func(x error) bool { return x.Error() == e.Error() }) { // glslang repeats some
			list = append(list, e)
		}
	}
	switch len(list) {
	case 0:
		said := cmp.Or(strings.Join(strings.Fields(printed), " "), err.Error())
		return &Error{File: s.File, Line: s.whole(), Msg: c.Program + ": " + said}
	case 1:
		return list[0]
	}
	return errors.Join(append(list, &Summary{s.File, len(list)})...)
}
