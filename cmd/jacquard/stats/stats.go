// SPDX-License-Identifier: MIT

package stats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/shard"
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

OUT is renamed into place when it is complete; if jacquard is stopped earlier, an existing file is left as it was, and
with --resume also what has been written, in a file .OUT.*, so that the next run with --resume can go on from there.

In a folder, it takes every .spv in it or below, and every source whose name says the stage, or whose module does,
without a .spv of the same name beside it: 'jacquard info languages' lists their names; and every Fossilize archive
(.foz). Links to folders are not followed. A PATH that is an archive (zip, tar, gzipped tar or Fossilize) is treated as a
folder, without the links in it, and ARCHIVE/PATH names a file or a folder in it. A Fossilize archive in a folder that
cannot be read has one line, with the error. Bytes of names that are not UTF-8 are spelled %XX in the lines.

The shaders of a Fossilize archive are the stages of its pipelines, ARCHIVE/HASH:STAGE, with their entry points, values of
specialization constants and required sizes of subgroups; and the modules that no pipeline uses, ARCHIVE/HASH.spv. Stages
that are the same in all of this, which are many, are compiled once, under the name of the first. Stages of a pipeline are
not linked, and layouts of descriptors and push constants do not change the code.

In an array job, each task compiles one part of the files. Without --shard, its number is taken from Slurm's
SLURM_ARRAY_TASK_ID, among the tasks that SLURM_ARRAY_TASK_MIN, _MAX, _COUNT and _STEP describe, or with --shards N from
SLURM_ARRAY_TASK_ID or Kubernetes' JOB_COMPLETION_INDEX, which then count from 0. A line on standard error tells which
shard it is and which variables were used; --shard 1/1 ignores them. The contents of a file decide which part it is in, so
other files move none to another part; --shard-by name does not need to read all files for that. The output of a
shard ends with a line that 'jacquard merge' needs, and compare skips: 'jacquard info schema shard' shows its schema.

"key" names the module, the options and this build of jacquard. --resume and --since compile no program whose key a line of
an earlier run has, but copy that line. A line with "stopped_after_ms" is of a program that --time-limit stopped. It is
copied only if the limit is not longer now, and it cannot be reproduced: on a faster machine the program may compile.

--report shader-db writes lines for report.py of Mesa's shader-db instead, one for each width, and at the end the
processor time; shaders that do not compile have none.

Examples:
  jacquard stats shaders/ --json new.json
  jacquard stats shaders/ --simd 16 --shard 2/8 --json 2.json
  JOB_COMPLETION_INDEX=1 jacquard stats shaders/ --simd 16 --shards 8 --time-limit 30s --json 2.json
  jacquard stats shaders/ --since old.json --json new.json
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
		fs.Text(&s.shard, "shard", "I/N",
			"compile only the I-th of N parts of the files (default: from the variables of an array job, otherwise 1/1)")
		fs.Integer(&s.shards, "shards", "N", 1,
			"the number of tasks of an array job, which are numbered from 0; 0 means that the variables tell it")
		fs.Choice(&s.by, "shard-by", []string{"content", "name"}, "what decides which part a file is in")
		fs.Boolean(&s.resume, "resume",
			"go on where an earlier run was stopped or killed, and leave a complete shard alone; an array job always does")
		fs.Text(&s.since, "since", "OLD",
			"copy the lines of programs whose key a line of this file has, instead of compiling them again")
		fs.Duration(&s.limit, "time-limit", "TIME", "stop the compilation of a program after this time; its line has an error")
		fs.Boolean(&s.reproducible, "reproducible", "write cpu_ms as 0: another run writes the same bytes")
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
	simd, shard, by, from, json, report, since string
	targets                                    []string
	jobs, shards                               int
	strict, resume, reproducible               bool
	limit                                      time.Duration
	cli.Selection
	cli.Codegen
}

func (s *stats) run(a *cli.App, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	part, array, err := s.part(a)
	if err != nil {
		return err
	}
	s.resume = s.resume || array && s.resumable() == nil
	all, err := s.list(a, args)
	if err != nil {
		return err
	}
	work := s.share(a, all, part)
	defer work.former.Close()
	if a.Ctx.Err() != nil {
		return context.Canceled
	}
	if s.json == "" || s.json == "-" {
		return s.write(a, work, a.Stdout)
	}
	if s.resume {
		end, ok, err := shard.ReadEnd(s.json)
		switch {
		case err != nil || !ok:
		case end.Same(&work.Summary):
			fmt.Fprintf(a.Stderr, "jacquard stats: %s is complete already\n", s.json)
			return s.verdict(tally{all: end.Lines, refused: end.Refused, defects: end.Defects})
		case end.Other(&work.Summary):
			return cli.Usagef("%s is shard %d/%d of the same run; each task needs a file of its own", s.json, end.Index, end.Of)
		}
	}
	return s.writeFile(a, work)
}

// check rejects combinations of flags.
func (s *stats) check() error {
	if s.resume {
		return s.resumable()
	}
	return nil
}

// resumable returns an error unless the output is a file of records.
func (s *stats) resumable() error {
	if s.json == "" || s.json == "-" {
		return cli.Usagef("--resume needs --json OUT")
	}
	if s.report != "json" {
		return cli.Usagef("--resume needs --report json")
	}
	if info, err := os.Stat(s.json); err == nil && !info.Mode().IsRegular() {
		return cli.Usagef("--resume needs a regular file as OUT")
	}
	return nil
}

// writeFile compiles the files and writes their lines to the file of --json.
func (s *stats) writeFile(a *cli.App, work *share) error {
	var partials []string
	if s.resume {
		partials, _ = cli.Partials(s.json) // there are none in a folder that cannot be read; Create reports that
		if _, err := os.Stat(s.json); err == nil {
			partials = append(partials, s.json)
		}
	}
	for _, file := range partials {
		if err := work.former.Open(file, true); err != nil {
			return err
		}
	}
	f, err := cli.Create(s.json)
	if err != nil {
		return cli.FileError(s.json, err)
	}
	err = s.write(a, work, f)
	work.former.Close()
	var some *refused
	complete := err == nil || errors.As(err, &some)
	if !complete && s.resume {
		return errors.Join(err, f.Close())
	}
	if e := f.Finish(complete); e != nil {
		return cli.FileError(s.json, e)
	}
	for _, file := range partials {
		if file != s.json {
			os.Remove(file) // it is of no use, but does no harm either
		}
	}
	return err
}

// refused reports that some shaders did not compile; the statistics are complete.
type refused struct{ msg string }

func (e *refused) Error() string { return e.msg }

// write compiles the files and writes their lines, and the last line of a shard.
func (s *stats) write(a *cli.App, work *share, out io.Writer) error {
	if s.since != "" {
		if err := work.former.Open(s.since, false); err != nil {
			return err
		}
	}
	n, err := s.compileAll(a, work, out)
	if err != nil {
		return err
	}
	if n.copied > 0 {
		fmt.Fprintf(a.Stderr, "jacquard stats: %d of %s had been compiled before\n", n.copied, cli.Count(n.all, "program"))
	}
	if n.stopped > 0 {
		fmt.Fprintf(a.Stderr, "jacquard stats: %s stopped by --time-limit %v; another run may not stop the same\n",
			cli.Count(n.stopped, "program"), s.limit)
	}
	if work.Of > 1 && s.report == "json" {
		end := shard.End{Shard: work.Summary}
		end.Shard.Lines, end.Shard.Refused, end.Shard.Defects = n.all, n.refused, n.defects
		if _, err := out.Write(cli.JSON(&end)); err != nil {
			return cli.FileError(s.json, err)
		}
	}
	return s.verdict(n)
}

// verdict returns an error if programs were refused and the exit status should show it.
func (s *stats) verdict(n tally) error {
	switch {
	case n.defects > 0:
		return &refused{fmt.Sprintf("jacquard: error: %s of %d did not compile because of a defect of jacquard; their lines "+
			"have the errors",
			cli.Count(n.defects, "shader"), n.all)}
	case n.refused > 0 && s.strict:
		return &refused{fmt.Sprintf("jacquard: error: %d of %s did not compile", n.refused, cli.Count(n.all, "shader"))}
	}
	return nil
}
