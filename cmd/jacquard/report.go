// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/report"
)

var reportCommand = cli.Command{
	Name:  "report",
	Args:  "FILE…",
	Brief: "show what a shader costs, where and why",
	Text: `
For each shader, or each entry point of a module, shows a table with a row for every SIMD width: the estimated
cycles of a thread and of each lane that a workgroup fills, the registers that are allocated, spills and fills, bytes
of scratch space of a thread and of shared memory of a workgroup, and how many threads fit on a subslice, with the limit:
threads, the size of the workgroup, shared memory, barriers or scratch space. A thread has all of its registers to
itself, so these do not limit it. The width that compile chooses is marked with *; the reason for it follows the table.

For this width it shows: messages by kind; the source lines and the instructions that cost most, with their share of the
cycles; the instruction with the most live registers before it, and the values in them; spilled values, with their
source line, the cost of their messages, and where register pressure was highest when they were spilled; variables in
scratch memory, with the accesses whose index is not constant, and the loops that would make all of these constant if
they were fully unrolled; loops, with their trip counts if known; loops that passes unrolled, and code that they hoisted,
merged or pushed; and hints, which follow from these facts. 'jacquard help compile' explains the estimate. Long lists are
cut; JSON has all of them.

FILE may be in an archive, as for compile.

Source lines need debug information, which glslangValidator -g writes; GLSL is translated with it. Their text comes from
the GLSL source, from the debug information, or from the file that the debug information names.

--targets shows the chosen widths for several targets side by side, without details. There are no times, since the table
of devices has no clock rates; compare the lanes in flight and the cycles per lane.

--format json writes an array with an object for each entry point and target; 'jacquard info schema report' shows its
schema. markdown is for pull requests, html a page without scripts.

Examples:
  jacquard report shader.comp
  jacquard report a.frag b.frag --target icl --format json
  jacquard report shader.comp --targets tgl,icl,skl
  jacquard report shader.comp --format html -o report.html`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		r := &reporter{format: "text"}
		name := string(jacquard.DefaultTarget)
		fs.Target(&name, "the GPU to compile for")
		fs.Targets(&r.targets, "the GPUs to compile for, instead of --target, side by side")
		r.Selection.Flags(fs)
		r.Codegen.Flags(fs)
		fs.Choice(&r.format, "format", []string{"text", "json", "markdown", "html"}, "how to write it")
		fs.Text(&r.out, "o", "OUT", "the file to write; standard output if there is none")
		return func(a *cli.App, args []string) error {
			if r.targets == nil {
				r.targets = []string{name}
			}
			return r.run(a, args)
		}
	},
}

type reporter struct {
	targets []string
	format  string
	out     string
	cli.Selection
	cli.Codegen
}

func (r *reporter) run(a *cli.App, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("FILE is missing")
	}
	var list []*report.Report
	var failed []error
	for _, file := range args {
		inputs, err := r.inputs(a, file)
		if err != nil {
			failed = append(failed, err)
			list = append(list, report.Failed(&inputs[0], err))
			continue
		}
		for i := range inputs {
			x, err := report.Make(a.Ctx, &inputs[i])
			if a.Ctx.Err() != nil {
				return err
			}
			if err != nil {
				failed = append(failed, err)
				x = report.Failed(&inputs[i], err)
			}
			list = append(list, x)
		}
	}
	if r.format == "json" {
		return errors.Join(append(failed, a.Write(r.out, cli.JSON(list)))...)
	}
	var b bytes.Buffer
	err := report.Write(&b, r.format, list)
	return errors.Join(append(failed, err, a.Write(r.out, b.Bytes()))...)
}

// inputs returns the programs of a file to report on: each selected entry point, for each target. On error, it
// returns a single input with the requested options.
func (r *reporter) inputs(a *cli.App, file string) ([]report.Input, error) {
	asked := report.Input{File: file}
	asked.Options.Target, asked.Options.Entry, asked.Options.Stage = jacquard.Target(r.targets[0]), r.Entry, jacquard.Stage(r.Stage)
	in, err := a.Load(file)
	if err != nil {
		return []report.Input{asked}, err
	}
	asked.Options.File = in.Name
	r.Codegen.Apply(&asked.Options)
	if in.Kind == cli.MirInput {
		return []report.Input{asked}, &jacquard.Error{File: in.Name, Msg: "report needs a shader: machine IR has one width and no source"}
	}
	if asked.Module, err = a.Module(in); err == nil {
		asked.Options.Specialize, err = r.Specialize.Of(in, asked.Module)
	}
	if err != nil {
		return []report.Input{asked}, err
	}
	if in.Kind == cli.SourceInput {
		asked.Text = in.Data
	}
	var list []report.Input
	for _, p := range r.EntryPoints(a, in, asked.Module) {
		for _, target := range r.targets {
			one := asked
			one.Options.Entry, one.Options.Stage, one.Options.Target = p.Name, p.Stage, jacquard.Target(target)
			list = append(list, one)
		}
	}
	return list, nil
}
