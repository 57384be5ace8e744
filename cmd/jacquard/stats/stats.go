package stats

import (
	"errors"
	"fmt"
	"io"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/record"
)

// Command is the subcommand stats.
var Command = cli.Command{
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
without a .spv of the same name beside it: 'jacquard info languages' lists their names; and every Fossilize archive
(.foz). A PATH that is an archive, of zip, tar, gzipped tar or Fossilize, is taken like a folder, and ARCHIVE/PATH names a
file or a folder in it.

The shaders of a Fossilize archive are the stages of its pipelines, ARCHIVE/HASH:STAGE, with their entry points, values of
specialization constants and required sizes of subgroups; and the modules that no pipeline uses, ARCHIVE/HASH.spv. Stages
that are the same in all of this, which are many, are compiled once, under the name of the first. Stages of a pipeline are
not linked, and layouts of descriptors and push constants do not change the code.

In an array job, each task compiles one part of the files. Without --shard, its number is taken from Slurm's
SLURM_ARRAY_TASK_ID, among the tasks that SLURM_ARRAY_TASK_MIN, _MAX, _COUNT and _STEP describe, or with --shards N from
SLURM_ARRAY_TASK_ID or Kubernetes' JOB_COMPLETION_INDEX, which then count from 0. A line on standard error then says which
shard it is, and which variables say so; --shard 1/1 ignores them. What a file contains decides which part it is in, so
that other files move none to another part; --shard-by name does not need to read all files for that.

--report shader-db writes lines for report.py of Mesa's shader-db instead, one for each width, and at the end the
processor time; shaders that do not compile have none.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --simd 16 --shard 2/8 --json 2.json
  JOB_COMPLETION_INDEX=1 jacquard stats shaders/ --simd 16 --shards 8 --json 2.json
  jacquard stats shaders/ --targets tgl,skl --json both.json
  jacquard stats game.foz --json game.json
  jacquard stats shaders/ --report shader-db --json new-run
  find . -name '*.frag' | jacquard stats --files-from -`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		s := &stats{simd: "auto", by: "content", report: "json"}
		name := string(jacquard.DefaultTarget)
		fs.Target(&name, "the GPU to compile for")
		fs.Targets(&s.targets, "the GPUs to compile for, instead of --target: each gets separate lines")
		fs.Choice(&s.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width")
		s.Selection.Flags(fs)
		s.Codegen.Flags(fs)
		fs.Integer(&s.jobs, "jobs", "N", 0, "how many shaders to compile at once; 0 means the number of processors")
		fs.Text(&s.shard, "shard", "I/N", "compile only the I-th of N parts of the files (default: from the variables of an array job, else 1/1)")
		fs.Integer(&s.shards, "shards", "N", 1, "the number of tasks of an array job, which are numbered from 0; 0 means that the variables tell it")
		fs.Choice(&s.by, "shard-by", []string{"content", "name"}, "what decides which part a file is in")
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
	simd, shard, by, from, json, report string
	targets                             []string
	jobs, shards                        int
	strict                              bool
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
	part, err := s.part(a)
	if err != nil {
		return err
	}
	all, err := s.list(a, args)
	if err != nil {
		return err
	}
	files := s.share(a, all, part)
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
			cli.Count(n.defects, "shader"), n.all)}
	case n.refused > 0 && s.strict:
		return &refused{fmt.Sprintf("jacquard: error: %d of %s did not compile", n.refused, cli.Count(n.all, "shader"))}
	}
	return nil
}
