package stats

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strconv"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/cmd/jacquard/record"
)

// tally counts lines of output, lines of shaders that were refused, and refusals due to a defect of jacquard.
type tally struct {
	all, refused, defects int
	cpu                   float64 // in milliseconds
}

// compileAll compiles the files and writes their lines in the order of the files.
func (s *stats) compileAll(a *cli.App, files []string, out io.Writer) (n tally, err error) {
	jobs := s.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	lines := make([]chan []statsLine, len(files))
	for i := range lines {
		lines[i] = make(chan []statsLine, 1)
	}
	next := make(chan int)
	for range jobs {
		go func() {
			for i := range next {
				lines[i] <- s.compile(a, files[i])
			}
		}()
	}
	go func() {
		defer close(next)
		for i := range files {
			next <- i
		}
	}()
	progress := cli.NewProgress(a.Stderr, len(files))
	defer progress.End()
	emit := func(data []byte) {
		if _, e := out.Write(data); e != nil && err == nil {
			err = cli.FileError(s.json, e)
		}
	}
	for i := range files {
		list := <-lines[i]
		if a.Ctx.Err() != nil {
			return n, context.Canceled
		}
		for k := range list {
			n.count(&list[k])
			s.diagnose(a, list[k].err)
			emit(s.text(&list[k].Line))
		}
		progress.Step()
	}
	if s.report == "shader-db" {
		emit([]byte(record.ShaderDBTime(n.cpu)))
	}
	return n, err
}

func (n *tally) count(line *statsLine) {
	n.all++
	n.cpu += line.CPU
	if line.err != nil {
		n.refused++
	}
	if line.defect {
		n.defects++
	}
}

// text returns a line in the format that --report selects.
func (s *stats) text(line *record.Line) []byte {
	if s.report == "shader-db" {
		return []byte(line.ShaderDB(len(s.targets) > 1))
	}
	return cli.JSON(line)
}

// diagnose adds the reason why a shader was refused to the log of --diagnostics. Without a log, only the shader's
// line of output has the reason. err is nil if the shader was not refused.
func (s *stats) diagnose(a *cli.App, err error) {
	switch {
	case a.Log == nil || err == nil:
	case s.strict:
		a.Log.Error(diag.Input, err)
	default:
		a.Log.Warn(diag.Input, err)
	}
}

// compile compiles the selected entry points of a file, each for all targets.
func (s *stats) compile(a *cli.App, file string) (lines []statsLine) {
	in, err := a.Load(file)
	var module []byte
	if err == nil {
		module, err = a.Module(in)
	}
	points := []jacquard.EntryPoint{{Name: s.Entry, Stage: jacquard.Stage(s.Stage)}}
	var specs []jacquard.Specialization
	if err == nil {
		points = s.EntryPoints(a, in, module)
		specs, err = s.Specialize.Of(in, module)
	}
	for _, p := range points {
		for _, target := range s.targets {
			line := statsLine{Line: record.Line{File: file}, err: err}
			if err == nil {
				line.compile(a, module, s.options(in, target, p, specs))
			}
			if line.err != nil {
				line.Program, line.defect = *record.Refused(target, string(p.Stage), p.Name, line.err), errors.As(line.err, new(*jacquard.InternalError))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// options returns the options that compile an entry point for a target.
func (s *stats) options(in *cli.Input, target string, p jacquard.EntryPoint, specs []jacquard.Specialization) jacquard.Options {
	simd, err := strconv.Atoi(s.simd)
	if err != nil { // auto
		simd = in.Width()
	}
	o := jacquard.Options{File: in.Name, Target: jacquard.Target(target), SIMD: simd, Entry: p.Name, Stage: p.Stage,
		Specialize: specs}
	s.Codegen.Apply(&o)
	return o
}

// compile compiles an entry point.
func (l *statsLine) compile(a *cli.App, module []byte, o jacquard.Options) {
	var p *jacquard.Program
	cpu := cli.CPUTime(func() { p, l.err = jacquard.Compile(a.Ctx, module, o) })
	l.CPU = float64(cpu.Microseconds()) / 1000
	if l.err == nil {
		l.Program = *record.Of(p)
		l.Brief()
	}
}
