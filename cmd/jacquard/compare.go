// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"path/filepath"

	"jacquard.example"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/compare"
)

var compareCommand = cli.Command{
	Name:  "compare",
	Args:  "OLD NEW",
	Brief: "compare two statistics files, or two versions of a shader",
	Text: `
OLD and NEW are two files written by stats, or two shaders of any kind that compile takes.

For statistics files, it shows what changed: the totals over the programs in both files, the programs whose statistics
differ, the largest change in instructions first, and the programs that only one of the files has. A program is an entry
point of a file at one SIMD width, for a target. Totals are of one target; if the files are for different targets, the
first line says so, and if each has one, programs are compared across them.

Given two versions of a shader, it compiles both and shows their statistics and how the machine code differs. Instructions
are aligned by what they do. Registers are compared by what they hold, not by their numbers: '-' lines are written with
the registers of NEW that hold the same values. r128 and above are registers of OLD, for values that NEW does not have
(r130 is r2 of OLD). Comments say what messages ask for and, if known, the source line. Waits for the scoreboard
and the addresses of jumps are not compared.

With --threshold, the exit status is 1 if a total of instructions, sends, spills, fills, cycles or bytes has grown by
more than PERCENT, if a program of the old file is missing in the new one, or if programs are compared across targets.

--format markdown is for comments on pull requests. 'jacquard info schema compare' and 'jacquard info schema
compare-shaders' show the schemas of --format json.

Examples:
  jacquard compare old.json new.json
  jacquard compare --threshold 0.5 old.json new.json
  jacquard compare old.json new.json --format markdown
  jacquard compare before.comp after.comp --simd 16`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		c := &comparison{threshold: -1, format: "text", context: 3}
		c.compile = compile{target: string(jacquard.DefaultTarget), simd: "auto"}
		fs.Choice(&c.format, "format", []string{"text", "markdown", "json"}, "how to write it")
		fs.Percentage(&c.threshold, "threshold", "PERCENT", "fail if a total grows by more than this")
		fs.Integer(&c.top, "top", "N", 0, "for statistics: list only the N largest changes; 0 lists all")
		fs.Integer(&c.context, "context", "N", 0, "for shaders: the number of equal lines to show around differences")
		fs.Target(&c.compile.target, "for shaders: the GPU to compile for")
		fs.Choice(&c.compile.simd, "simd", []string{"auto", "8", "16", "32"}, "for shaders: the SIMD width")
		c.Selection.Flags(fs)
		c.Codegen.Flags(fs)
		fs.Text(&c.compile.out, "o", "OUT", "the file to write; standard output if there is none")
		return c.run
	},
}

type comparison struct {
	top, context int
	threshold    float64 // in percent; negative if none
	format       string
	compile
}

func (c *comparison) run(a *cli.App, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("expected two files: OLD and NEW")
	}
	var names [2]string
	var data [2][]byte
	of := 0
	for i, file := range args {
		var err error
		if names[i], data[i], err = a.Read(file); err != nil {
			return err
		}
		if file == "-" {
			a.Stdin = bytes.NewReader(data[i]) // to be read again
		}
		if isStatistics(file, data[i]) {
			of++
		}
	}
	switch of {
	case 0:
		return c.shaders(a, args, data)
	case 1:
		return cli.Usagef("expected two statistics files or two shaders, not one of each")
	}
	return c.statistics(a, names, data)
}

// isStatistics reports whether a file contains statistics, judging by its name or by a start like JSON.
func isStatistics(file string, data []byte) bool {
	return filepath.Ext(file) == ".json" || bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
}

func (c *comparison) statistics(a *cli.App, names [2]string, data [2][]byte) error {
	var sides [2]compare.Statistics
	for i := range sides {
		var err error
		if sides[i], err = compare.Read(names[i], data[i]); err != nil {
			return err
		}
	}
	r := compare.Files(sides[0], sides[1])
	var failed error
	if c.threshold >= 0 {
		failed = r.Check(names[1], c.threshold)
	}
	if c.top > 0 {
		r.Top(c.top)
	}
	out := map[string]func() []byte{"text": r.Text, "markdown": r.Markdown, "json": func() []byte { return cli.JSON(r) }}
	if err := a.Write(c.compile.out, out[c.format]()); err != nil {
		return err
	}
	return failed
}

// shaders compares two versions of a shader.
func (c *comparison) shaders(a *cli.App, files []string, data [2][]byte) error {
	var programs [2]*jacquard.Program
	for i, file := range files {
		var err error
		c.explain = !mirtext.Is(data[i]) // machine IR has no source
		if programs[i], err = c.compile.compile(a, file, nil); err != nil {
			return err
		}
	}
	p, err := platformOf(c.target)
	if err != nil {
		return err
	}
	v, err := compare.Shaders(p, files[0], files[1], programs[0], programs[1])
	if err != nil {
		return err
	}
	out := map[string]func() []byte{
		"text":     func() []byte { return v.Text(c.context) },
		"markdown": func() []byte { return v.Markdown(c.context) },
		"json":     func() []byte { return cli.JSON(v) },
	}
	if err := a.Write(c.compile.out, out[c.format]()); err != nil {
		return err
	}
	if c.threshold < 0 {
		return nil
	}
	return v.Check(c.threshold)
}
