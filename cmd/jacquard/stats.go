package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/cmd/jacquard/record"
)

var statsCommand = command{
	name:  "stats",
	args:  "[PATH…]",
	brief: "compile many shaders and write a line of statistics for each",
	text: `
Compiles every shader in the files and folders and writes one JSON object per line: that of compile --emit json, plus
"file" and "cpu_ms", the processor time of the thread that compiled it in milliseconds, with microsecond resolution.
Lines are in the order of the file names, whatever --jobs is. The line of a shader that does not compile has its error;
the exit status is then 1 only with --strict, or if a defect of jacquard is the reason.

OUT is renamed into place when it is complete; if jacquard is stopped earlier, an existing file is left as it was.

In a folder, it takes every .spv in it or below, and every .spvasm, .comp, .vert and .frag without a .spv of the same
name beside it.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --simd 16 --shard 2/8
  find . -name '*.frag' | jacquard stats --files-from -`,
	setup: func(fs *flagSet) func(*app, []string) error {
		s := &stats{target: jacquard.DefaultTarget, simd: "auto", shard: "1/1"}
		fs.target(&s.target, "the GPU to compile for")
		fs.choice(&s.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width")
		s.selection.flags(fs)
		fs.integer(&s.jobs, "jobs", "N", 0, "how many shaders to compile at once; 0 means the number of processors")
		fs.text(&s.shard, "shard", "I/N", "compile only the I-th of N parts of the files")
		fs.text(&s.from, "files-from", "LIST", "also compile the files and folders that LIST names, one a line; - is standard input")
		fs.boolean(&s.strict, "strict", "exit with status 1 if a shader does not compile")
		fs.text(&s.json, "json", "OUT", "the file to write; standard output if there is none")
		return s.run
	},
}

type stats struct {
	target, simd, shard, from, json string
	jobs                            int
	strict                          bool
	selection
}

// statsLine is one line of the output.
type statsLine struct {
	record.Line
	defect bool
	err    error // why it was refused
}

func (s *stats) run(a *app, args []string) error {
	index, parts, err := s.part()
	if err != nil {
		return err
	}
	if s.from != "" {
		more, err := a.listed(s.from)
		if err != nil {
			return err
		}
		args = append(args, more...)
	} else if len(args) == 0 {
		return usagef("PATH is missing")
	}
	all, err := shaderFiles(args)
	if err != nil {
		return err
	}
	var files []string
	for i := index; i < len(all); i += parts {
		files = append(files, all[i])
	}
	if s.json == "" || s.json == "-" {
		return s.write(a, files, a.stdout)
	}
	f, err := create(s.json)
	if err != nil {
		return fileError(s.json, err)
	}
	err = s.write(a, files, f)
	var some *refused
	if e := f.finish(err == nil || errors.As(err, &some)); e != nil {
		return fileError(s.json, e)
	}
	return err
}

// listed returns the lines of a file that are not empty.
func (a *app) listed(file string) (lines []string, err error) {
	_, data, err := a.read(file)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, err
}

// refused reports that some shaders did not compile; the statistics are complete.
type refused struct{ msg string }

func (e *refused) Error() string { return e.msg }

// write compiles the files and writes their lines.
func (s *stats) write(a *app, files []string, out io.Writer) error {
	failed, defects, err := s.compileAll(a, files, out)
	switch {
	case err != nil:
		return err
	case defects > 0:
		return &refused{fmt.Sprintf("jacquard: error: %s of %d did not compile because of a defect of jacquard; their lines have the errors",
			count(defects, "shader"), len(files))}
	case failed > 0 && s.strict:
		return &refused{fmt.Sprintf("jacquard: error: %d of %s did not compile", failed, count(len(files), "shader"))}
	}
	return nil
}

// compileAll writes the lines in file order. It counts the failures, and the defects of jacquard among them.
func (s *stats) compileAll(a *app, files []string, out io.Writer) (failed, defects int, err error) {
	jobs := s.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	lines := make([]chan statsLine, len(files))
	for i := range lines {
		lines[i] = make(chan statsLine, 1)
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
	progress := newProgress(a.stderr, len(files))
	defer progress.end()
	for i := range files {
		line := <-lines[i]
		if a.ctx.Err() != nil {
			return failed, defects, context.Canceled
		}
		if line.err != nil {
			failed++
			s.diagnose(a, line.err)
		}
		if line.defect {
			defects++
		}
		progress.step()
		if _, e := out.Write(marshal(line.Line)); e != nil && err == nil {
			err = fileError(s.json, e)
		}
	}
	return failed, defects, err
}

// diagnose reports why a shader was refused, if --diagnostics asks for it: as text, only its line of the output does.
func (s *stats) diagnose(a *app, err error) {
	switch {
	case a.log == nil:
	case s.strict:
		a.log.Error(diag.Input, err)
	default:
		a.log.Warn(diag.Input, err)
	}
}

func (s *stats) compile(a *app, file string) statsLine {
	c := &compile{target: s.target, simd: s.simd, selection: s.selection}
	line := statsLine{Line: record.Line{File: file}}
	var p *jacquard.Program
	in, err := a.load(file)
	var module []byte
	if err == nil {
		module, err = a.module(in)
	}
	o := c.options(file)
	if err == nil {
		o.Specialize, err = c.specialize.of(in, module)
	}
	if err == nil {
		cpu := cpuTime(func() { p, err = jacquard.Compile(a.ctx, module, o) })
		line.CPU = float64(cpu.Microseconds()) / 1000
	}
	if err != nil {
		var internal *jacquard.InternalError
		line.Program, line.defect, line.err = *c.failure(err), errors.As(err, &internal), err
	} else {
		line.Program = *record.Of(p)
	}
	return line
}

// part parses --shard: the index of the part, from 0, and the number of parts.
func (s *stats) part() (index, parts int, err error) {
	left, right, ok := strings.Cut(s.shard, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return 0, 0, usagef("--shard must be I/N with I from 1 to N, not %q", s.shard)
	}
	return i - 1, n, nil
}
