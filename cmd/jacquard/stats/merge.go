// SPDX-License-Identifier: MIT

package stats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/shard"
)

// MergeCommand is the subcommand merge.
var MergeCommand = cli.Command{
	Name:  "merge",
	Args:  "SHARD…",
	Brief: "join the output of the shards of an array job",
	Text: `
Joins the files that the tasks of an array job wrote by stats, one shard each, and writes the lines that stats writes
without shards, in the same order, and the same to the byte with --reproducible.

All shards must be there, each once and complete, and of the same list of files, by the same build of jacquard with the
same flags; no file may be in two of them. Otherwise nothing is written to OUT, and the errors name the shards that are
missing. The last line of a shard, whose schema 'jacquard info schema shard' shows, has what is compared.

Examples:
  jacquard merge results/*.json --json all.json`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		out := ""
		fs.Text(&out, "json", "OUT", "the file to write; standard output if there is none")
		return func(a *cli.App, args []string) error { return merge(a, out, args) }
	},
}

func merge(a *cli.App, out string, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("SHARD is missing")
	}
	if out == "" || out == "-" {
		_, err := mergeTo(a, a.Stdout, args)
		return err
	}
	if i := slices.IndexFunc(args, func(name string) bool { return sameFile(name, out) }); i >= 0 {
		return cli.Usagef("--json %s is the shard %s", out, args[i])
	}
	f, err := cli.Create(out)
	if err != nil {
		return cli.FileError(out, err)
	}
	n, err := mergeTo(a, f, args)
	if e := f.Finish(err == nil); e != nil {
		return errors.Join(err, cli.FileError(out, e))
	}
	if err == nil {
		fmt.Fprintf(a.Stderr, "jacquard merge: %s with %s\n", cli.Count(len(args), "shard"), cli.Count(n, "line"))
	}
	return err
}

func sameFile(x, y string) bool {
	a, err1 := os.Stat(x)
	b, err2 := os.Stat(y)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

func mergeTo(a *cli.App, out io.Writer, files []string) (int, error) {
	w := bufio.NewWriterSize(out, 1<<16)
	n, err := shard.Merge(a.Ctx, w, files)
	return n, errors.Join(err, w.Flush())
}
