// SPDX-License-Identifier: MIT

package stats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/cmd/jacquard/shard"
)

// statsLine is one line of the output.
type statsLine struct {
	record.Line
	copied bool
	err    error // the reason why it was refused
}

// tally counts lines of output: all of them, of shaders that were refused, due to a defect of jacquard or to the time
// limit, and those that are copied from a former run.
type tally struct {
	all, refused, defects, stopped, copied int
	cpu                                    float64 // in milliseconds
}

// compileAll compiles the files and writes their lines in the order of the files.
func (s *stats) compileAll(a *cli.App, work *share, out io.Writer) (n tally, err error) {
	files := work.files
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
				lines[i] <- s.compile(a, &work.former, files[i])
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
		var list []statsLine
		select {
		case list = <-lines[i]:
		case <-a.Ctx.Done(): // reading the file may take forever
		}
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
	for _, c := range []struct {
		counts bool
		n      *int
	}{{line.Error != nil, &n.refused}, {line.Defect, &n.defects}, {line.Limit != 0, &n.stopped}, {line.copied, &n.copied}} {
		if c.counts {
			*c.n++
		}
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

// compile compiles the selected entry points of a file, each for all targets, unless a former run has.
func (s *stats) compile(a *cli.App, former *shard.Former, file string) (lines []statsLine) {
	in, err := a.Load(file)
	var module []byte
	limit := 0.0
	if err == nil {
		err = s.within(a, file, &limit, func(ctx context.Context) (err error) {
			module, err = a.ModuleWithin(ctx, in)
			return err
		})
	}
	points := []jacquard.EntryPoint{{Name: s.Entry, Stage: jacquard.Stage(s.Stage)}}
	var specs []jacquard.Specialization
	if err == nil {
		points = s.EntryPoints(a, in, module)
		specs, err = s.Specialize.Of(in, module)
	}
	for _, p := range points {
		for _, target := range s.targets {
			line := statsLine{Line: record.Line{File: cli.Shown(file), Limit: limit}, err: err}
			if err == nil { // otherwise the file was refused
				o := s.options(in, target, p, specs)
				line.Key = jacquard.Key(module, o)
				if s.copy(&line, former) {
					lines = append(lines, line)
					continue
				}
				s.compileOne(a, &line, module, o)
			}
			if line.err != nil {
				line.Program = *record.Refused(target, string(p.Stage), p.Name, line.err)
				line.Defect = errors.As(line.err, new(*jacquard.InternalError))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// copy fills in a line from the former line with its key, if there is any. The line of a program that the time limit stopped
// is copied only if the present limit would stop it too.
func (s *stats) copy(line *statsLine, former *shard.Former) bool {
	old, ok := former.Find(line.Key, line.File)
	if !ok || old.Limit != 0 && (s.limit == 0 || milliseconds(s.limit) > old.Limit) {
		return false
	}
	line.Line, line.copied = *old, true
	if s.reproducible {
		line.CPU = 0
	}
	if old.Error != nil {
		line.err = errors.New(*old.Error)
	}
	return true
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

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

// compileOne compiles an entry point.
func (s *stats) compileOne(a *cli.App, line *statsLine, module []byte, o jacquard.Options) {
	var p *jacquard.Program
	cpu := cli.CPUTime(func() {
		line.err = s.within(a, o.File, &line.Limit, func(ctx context.Context) (err error) {
			p, err = jacquard.Compile(ctx, module, o)
			return err
		})
	})
	if !s.reproducible {
		line.CPU = float64(cpu.Microseconds()) / 1000
	}
	if line.err == nil {
		line.Program = *record.Of(p)
		line.Brief()
	}
}

// within calls f with a context that is done after the time limit. If f fails for that reason, *limit becomes the limit in
// milliseconds.
func (s *stats) within(a *cli.App, file string, limit *float64, f func(context.Context) error) error {
	if s.limit == 0 {
		return f(a.Ctx)
	}
	ctx, cancel := context.WithTimeout(a.Ctx, s.limit)
	defer cancel()
	err := f(ctx)
	if err == nil || ctx.Err() == nil || a.Ctx.Err() != nil {
		return err
	}
	*limit = milliseconds(s.limit)
	return &jacquard.Error{File: file, Msg: fmt.Sprintf("not compiled within --time-limit %v", s.limit)}
}
