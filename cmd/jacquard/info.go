// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"jacquard.example"
	"jacquard.example/backend/intel"
	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/facts"
	"jacquard.example/cmd/jacquard/modinfo"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/core/outline"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
)

var infoCommand = cli.Command{
	Name:  "info",
	Args:  "[FILE|intrinsics|languages|opcodes|targets|passes|schema [NAME]]",
	Brief: "show what a module declares, or what the compiler knows",
	Text: `
For FILE, a SPIR-V module or a source in another language, shows what it declares: entry points, also of stages that cannot
be compiled, with the size of workgroups; capabilities; bindings, which are the descriptors that it uses, with the
format that storage images declare; specialization constants with their default values; and the blocks of push constants
with their members. ? is a number that is not declared, or is computed from specialization constants. Types are spelled as in GLSL.

If FILE is a zip, tar or gzipped tar archive, it lists the files in it; if it is a Fossilize archive (.foz), the pipelines
with their stages, shader modules and specialization, and the layouts of descriptors and push constants. --format json
then writes the object of 'jacquard info schema info-archive'. FILE may be in an archive itself: ARCHIVE/NAME.

Otherwise it lists the intrinsics, languages, opcodes, targets, passes or schemas of JSON outputs, or shows one of them;
a FILE of such a name is written ./NAME. Without arguments it shows what can be listed.

--format json writes one object:
  {"version", "file", "spirv", "capabilities", "entry_points": [{"name", "stage", "local_size"}], "bindings": [{"set", "binding",
  "kind", "access", "shape", "format", "count", "name", "bytes"}], "specialization_constants": [{"id", "type", "name",
  "default"}], "push_constants": [{"name", "offset", "bytes", "members": [{"name", "type", "offset", "bytes"}]}]}
A count or a size of 0 is not declared, or computed; bytes do not include an array of unknown length at the end of a block.

Examples:
  jacquard info shader.spv
  jacquard info shader.comp --format json
  jacquard info game.foz
  jacquard info languages
  jacquard info targets
  jacquard info opcodes ishl
  jacquard info schema stats`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		format := ""
		fs.Choice(&format, "format", []string{"text", "json"}, "how to write what FILE declares")
		stage, entry := "", ""
		fs.Choice(&stage, "stage", cli.StageFlag(), "the stage of a source whose name does not say it")
		fs.Text(&entry, "entry", "NAME", "the entry point of HLSL (default: main)")
		fs.Source(&stage, &entry)
		return func(a *cli.App, args []string) error {
			if len(args) == 0 {
				return infoOverview(a)
			}
			if _, ok := topics[args[0]]; !ok && isFile(args[0]) {
				return infoFile(a, args, format)
			}
			if format != "" {
				return cli.Usagef("--format requires a FILE")
			}
			if len(args) > 2 {
				return cli.Usagef("expected one NAME, but found another, %q", args[2])
			}
			name := ""
			if len(args) == 2 {
				name = args[1]
			}
			topic, ok := topics[args[0]]
			if !ok {
				return cli.Usagef("unknown topic %q; expected a FILE, %s%s", args[0], cli.OrList(topicNames()),
					cli.Guess(args[0], maps.Keys(topics)))
			}
			return topic.show(a, name)
		}
	},
}

// isFile reports whether an argument names a file rather than a topic: it exists, or looks like one.
func isFile(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || arg == "-" || strings.ContainsAny(arg, "./\\")
}

// infoFile shows the declarations of a module.
func infoFile(a *cli.App, args []string, format string) error {
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	if x, err := a.Archive(file); err != nil {
		return err
	} else if x != nil {
		return infoArchive(a, x, format)
	}
	in, err := a.Load(file)
	if err != nil {
		return err
	}
	if !in.IsModule() {
		return &jacquard.Error{File: in.Name,
			Msg: "info shows what a SPIR-V module declares; this file has one of Jacquard's own formats"}
	}
	module, err := a.Module(in)
	if err != nil {
		return err
	}
	m, err := outline.Read(a.Ctx, module)
	if err != nil {
		return cli.ModuleError(in.Name, err)
	}
	show := modinfo.Of(in.Name, m).Text
	if format == "json" {
		show = modinfo.Of(in.Name, m).JSON
	}
	if err := show(a.Stdout); err != nil {
		return cli.FileError("(standard output)", err)
	}
	return nil
}

// infoArchive lists the contents of an archive.
func infoArchive(a *cli.App, x *archive.Archive, format string) error {
	show := x.Text
	if format == "json" {
		show = x.JSON
	}
	err := show(a.Ctx, a.Stdout)
	var input *jacquard.Error
	if err == nil || errors.As(err, &input) || a.Ctx.Err() != nil {
		return err
	}
	return cli.FileError("(standard output)", err)
}

// topics lists the topics of info.
var topics = map[string]topic{
	"intrinsics": {"operations that are not pure arithmetic, with their sources", facts.InfoIntrinsics},
	"languages":  {"the languages that are translated to SPIR-V, with the programs that do it and where they are", facts.InfoLanguages},
	"opcodes":    {"operations on values, with their types", facts.InfoOpcodes},
	"schema":     {"JSON Schemas (draft 2020-12) of what the command writes as JSON", infoSchema},
	"passes":     {"the passes that opt --passes accepts, then the back-end passes", infoPasses},
	"targets":    {"the GPUs that can be compiled for, and those that only asm and dis accept", infoTargets},
}

type topic struct {
	brief string
	show  func(a *cli.App, name string) error
}

func topicNames() []string { return slices.Sorted(maps.Keys(topics)) }

// infoOverview lists the topics of info.
func infoOverview(a *cli.App) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, name := range topicNames() {
		fmt.Fprintf(w, "jacquard info %s\t%s\n", name, topics[name].brief)
	}
	return w.Flush()
}

// infoTargets lists the targets, or describes one.
func infoTargets(a *cli.App, name string) error {
	if name == "" {
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		for _, t := range slices.Concat(target.All, target.Partial) {
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, t.Doc, strings.Join(t.Aliases, " "))
		}
		for _, t := range target.Codecs {
			fmt.Fprintf(w, "%s\t%s (only asm and dis)\t%s\n", t.Name, t.Doc, strings.Join(t.Aliases, " "))
		}
		return w.Flush()
	}
	t, ok := target.ByName(name)
	codec := false
	if !ok {
		t, codec = target.CodecByName(name)
	}
	if !ok && !codec {
		return fmt.Errorf("jacquard: error: unknown target %q; the targets are %s%s", name,
			cli.OrList(append(target.Names(), target.CodecNames()...)), cli.Guess(name, cli.GpuNames()))
	}
	fmt.Fprintf(a.Stdout, "%s: %s\n", t.Name, t.Doc)
	fmt.Fprintf(a.Stdout, "  products: %s\n", strings.Join(t.Products, ", "))
	fmt.Fprintf(a.Stdout, "  other names: %s\n", strings.Join(t.Aliases, " "))
	if codec {
		fmt.Fprintln(a.Stdout, "  nothing can be compiled for it yet; asm and dis accept it")
		return nil
	}
	var stages []string
	for _, stage := range jacquard.Stages() {
		if slices.Contains(jacquard.TargetsOf(stage), jacquard.Target(t.Name)) {
			stages = append(stages, string(stage))
		}
	}
	fmt.Fprintf(a.Stdout, "  stages: %s; widths: %s\n", strings.Join(stages, " "), strings.Trim(fmt.Sprint(t.Widths), "[]"))
	fmt.Fprintf(a.Stdout, "  limits: %d binding table entries, %d bytes of push constants, %d invocations per workgroup\n",
		t.Bindings, t.PushBytes, t.Invocations)
	fmt.Fprintf(a.Stdout, "  capabilities: %s\n", strings.Join(t.Has.Names(), " "))
	for _, d := range report.DevicesOf(t.Platform) {
		fmt.Fprintf(a.Stdout, "  device %s: %d EUs with %d threads each, in %d subslices with %d KiB of shared memory each; "+
			"at most %d threads per workgroup and %d KiB of scratch space per thread\n",
			d.Name, d.EUs, d.ThreadsPerEU, d.Subslices, d.SLMBytes>>10, d.GroupThreads, d.ScratchBytes>>10)
	}
	return nil
}

// passNames yields the names of all passes.
func passNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range cli.IRPassNames() {
			if !yield(n) {
				return
			}
		}
		for _, p := range intel.Passes() {
			if !yield(p.Name) {
				return
			}
		}
	}
}

func infoPasses(a *cli.App, name string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	found := false
	show := func(pass, part, doc string, more ...string) {
		if name != "" && name != pass {
			return
		}
		found = true
		fmt.Fprintf(w, "%s\t%s%s\n", pass, part, doc)
		for i := 0; i < len(more) && name != ""; i += 2 {
			if more[i+1] != "" {
				fmt.Fprintf(w, "\t%s: %s\n", more[i], more[i+1])
			}
		}
	}
	for p := range pipeline.Known.Passes() {
		show(p.Name, "", p.Doc, "after", strings.Join(p.After, ", "), "leaves", p.Leaves)
	}
	for _, p := range intel.Passes() {
		show(p.Name, "back end: ", p.Doc, "after", strings.Join(p.After, ", "), "leaves", p.Leaves)
	}
	if !found {
		return fmt.Errorf("jacquard: error: unknown pass %q%s", name, cli.Guess(name, passNames()))
	}
	return w.Flush()
}
