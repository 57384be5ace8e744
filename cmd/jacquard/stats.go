package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"jacquard.example"
)

var statsCommand = command{
	name:  "stats",
	args:  "PATH…",
	brief: "compile many shaders and write a line of statistics for each",
	text: `
Compiles every shader in the files and folders and writes one JSON object per line: that of compile --emit json, plus
"file" and "cpu_ms", the processor time of the thread that compiled it in milliseconds, with microsecond resolution.
Lines are in the order of the file names, whatever --jobs is. The line of a shader that does not compile has its error,
and the exit status is then 1.

In a folder, it takes every .spv in it or below, and every .spvasm, .comp, .vert and .frag without a .spv of the same
name beside it.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --shard 2/8`,
	setup: func(fs *flagSet) func(*app, []string) error {
		s := &stats{target: jacquard.DefaultTarget, shard: "1/1"}
		fs.target(&s.target, "the GPU to compile for")
		fs.integer(&s.jobs, "jobs", "N", 0, "how many shaders to compile at once; 0 means the number of processors")
		fs.text(&s.shard, "shard", "I/N", "compile only the I-th of N parts of the files")
		fs.text(&s.json, "json", "OUT", "the file to write; standard output if there is none")
		return s.run
	},
}

type stats struct {
	target, shard, json string
	jobs                int
}

// statsLine is one line of the output.
type statsLine struct {
	File string `json:"file"`
	programReport
	CPU float64 `json:"cpu_ms"`
}

func (s *stats) run(a *app, args []string) error {
	if len(args) == 0 {
		return usagef("PATH is missing")
	}
	index, parts, err := s.part()
	if err != nil {
		return err
	}
	all, err := shaderFiles(args)
	if err != nil {
		return err
	}
	var files []string
	for i := index; i < len(all); i += parts {
		files = append(files, all[i])
	}
	out := a.stdout
	if s.json != "" && s.json != "-" {
		f, err := os.Create(s.json)
		if err != nil {
			return fileError(s.json, err)
		}
		defer f.Close()
		out = f
	}
	failed, err := s.compileAll(a, files, out)
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("jacquard: error: %d of %s did not compile", failed, count(len(files), "shader"))
	}
	return nil
}

// compileAll writes the lines in file order and counts the failures.
func (s *stats) compileAll(a *app, files []string, out io.Writer) (failed int, err error) {
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
		if line.Error != nil {
			failed++
		}
		progress.step()
		if _, e := out.Write(marshal(line)); e != nil && err == nil {
			err = fileError(s.json, e)
		}
	}
	return failed, err
}

func (s *stats) compile(a *app, file string) statsLine {
	c := &compile{target: s.target, simd: "auto"}
	in, err := a.load(file)
	var module []byte
	if err == nil {
		module, err = a.module(in)
	}
	line := statsLine{File: file}
	var p *jacquard.Program
	if err == nil {
		cpu := cpuTime(func() { p, err = c.program(a, file, module) })
		line.CPU = float64(cpu.Microseconds()) / 1000
	}
	if err != nil {
		line.programReport = *c.failure(err)
	} else {
		line.programReport = *report(p)
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
