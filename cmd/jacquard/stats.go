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
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/cmd/jacquard/record"
)

var statsCommand = cli.Command{
	Name:  "stats",
	Args:  "[PATH…]",
	Brief: "compile many shaders and write a line of statistics for each",
	Text: `
Compiles every shader in the files and folders, with all entry points of a module, and writes one JSON object per line:
that of compile --emit json, plus "file" and "cpu_ms", the processor time of the thread that compiled it in
milliseconds, with microsecond resolution. Lines are in the order of the file names, the entry points of the module and
--targets, whatever --jobs is. The line of a shader that does not compile has its error; the exit status is then 1 only
with --strict, or if a defect of jacquard is the reason. 'jacquard info schema stats' shows the schema of a line.

OUT is renamed into place when it is complete; if jacquard is stopped earlier, an existing file is left as it was.

In a folder, it takes every .spv in it or below, and every source whose name says the stage, or whose module does,
without a .spv of the same name beside it: 'jacquard info languages' lists their names.

--report shader-db writes lines for report.py of Mesa's shader-db instead, one for each width, and at the end the
processor time; shaders that do not compile have none.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --simd 16 --shard 2/8
  jacquard stats shaders/ --targets tgl,skl --json both.json
  jacquard stats shaders/ --report shader-db --json new-run
  find . -name '*.frag' | jacquard stats --files-from -`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		s := &stats{simd: "auto", shard: "1/1", report: "json"}
		name := string(jacquard.DefaultTarget)
		fs.Target(&name, "the GPU to compile for")
		fs.Targets(&s.targets, "the GPUs to compile for, instead of --target: each gets separate lines")
		fs.Choice(&s.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width")
		s.Selection.Flags(fs)
		s.Codegen.Flags(fs)
		fs.Integer(&s.jobs, "jobs", "N", 0, "how many shaders to compile at once; 0 means the number of processors")
		fs.Text(&s.shard, "shard", "I/N", "compile only the I-th of N parts of the files")
		fs.Text(&s.from, "files-from", "LIST", "also compile the files and folders that LIST names, one a line; - is standard input")
		fs.Boolean(&s.strict, "strict", "exit with status 1 if a shader does not compile")
		fs.Choice(&s.report, "report", []string{"json", "shader-db"}, "what to write")
		fs.Text(&s.json, "json", "OUT", "the file to write, whatever --report is; standard output if there is none")
		return func(a *cli.App, args []string) error {
			if s.targets == nil {
				s.targets = []string{name}
			}
			return s.run(a, args)
		}
	},
}

type stats struct {
	simd, shard, from, json, report string
	targets                         []string
	jobs                            int
	strict                          bool
	cli.Selection
	cli.Codegen
}

// statsLine is one line of the output.
type statsLine struct {
	record.Line
	defect bool
	err    error // the reason why it was refused
}

func (s *stats) run(a *cli.App, args []string) error {
	index, parts, err := s.part()
	if err != nil {
		return err
	}
	if s.from != "" {
		more, err := listedFiles(a, s.from)
		if err != nil {
			return err
		}
		args = append(args, more...)
	} else if len(args) == 0 {
		return cli.Usagef("PATH is missing")
	}
	all, err := cli.ShaderFiles(args)
	if err != nil {
		return err
	}
	var files []string
	for i := index; i < len(all); i += parts {
		files = append(files, all[i])
	}
	if s.json == "" || s.json == "-" {
		return s.write(a, files, a.Stdout)
	}
	f, err := cli.Create(s.json)
	if err != nil {
		return cli.FileError(s.json, err)
	}
	err = s.write(a, files, f)
	var some *refused
	if e := f.Finish(err == nil || errors.As(err, &some)); e != nil {
		return cli.FileError(s.json, e)
	}
	return err
}

// listedFiles returns the lines of a file that are not empty.
func listedFiles(a *cli.App, file string) (lines []string, err error) {
	_, data, err := a.Read(file)
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
func (s *stats) write(a *cli.App, files []string, out io.Writer) error {
	n, err := s.compileAll(a, files, out)
	switch {
	case err != nil:
		return err
	case n.defects > 0:
		return &refused{fmt.Sprintf("jacquard: error: %s of %d did not compile because of a defect of jacquard; their lines "+
			"have the errors",
			count(n.defects, "shader"), n.all)}
	case n.refused > 0 && s.strict:
		return &refused{fmt.Sprintf("jacquard: error: %d of %s did not compile", n.refused, count(n.all, "shader"))}
	}
	return nil
}

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
	return marshal(line)
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
			c := &compile{target: target, simd: s.simd, Selection: s.Selection, Codegen: s.Codegen}
			c.Entry, c.Stage = p.Name, string(p.Stage)
			line := statsLine{Line: record.Line{File: file}, err: err}
			if err == nil {
				o := c.options(in.Name)
				o.Specialize = specs
				line.compile(a, module, o)
			}
			if line.err != nil {
				line.Program, line.defect = *c.failure(line.err), errors.As(line.err, new(*jacquard.InternalError))
			}
			lines = append(lines, line)
		}
	}
	return lines
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

// part parses --shard and returns the index of the part, from 0, and the number of parts.
func (s *stats) part() (index, parts int, err error) {
	left, right, ok := strings.Cut(s.shard, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return 0, 0, cli.Usagef("--shard must be I/N with I from 1 to N, not %q", s.shard)
	}
	return i - 1, n, nil
}
