package main

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"jacquard.example"
	"jacquard.example/backend/intel"
	"jacquard.example/cmd/jacquard/modinfo"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/core/outline"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
)

var infoCommand = command{
	name:  "info",
	args:  "[FILE|intrinsics|languages|opcodes|targets|passes|schema [NAME]]",
	brief: "show what a module declares, or what the compiler knows",
	text: `
Of FILE, a SPIR-V module or what is translated to one, shows what it declares: entry points, also of stages that cannot
be compiled, with the size of workgroups; capabilities; bindings, which are the descriptors that it uses, with the
format that storage images declare; specialization constants with their default values; and the blocks of push constants
with their members. ? is a number that is open, or computed from specialization constants. Types are spelled as in GLSL.

Otherwise it lists the intrinsics, languages, opcodes, targets, passes or schemas of JSON outputs, or shows one of them;
a FILE of such a name is written ./NAME. Without arguments it shows what can be listed.

--format json writes one object:
  {"version", "file", "spirv", "capabilities", "entry_points": [{"name", "stage", "local_size"}], "bindings": [{"set", "binding",
  "kind", "access", "shape", "format", "count", "name", "bytes"}], "specialization_constants": [{"id", "type", "name",
  "default"}], "push_constants": [{"name", "offset", "bytes", "members": [{"name", "type", "offset", "bytes"}]}]}
A count or a size of 0 is open or computed; bytes are those of the block without an array of open length at its end.

Examples:
  jacquard info shader.spv
  jacquard info shader.comp --format json
  jacquard info languages
  jacquard info targets
  jacquard info opcodes ishl
  jacquard info schema stats`,
	setup: func(fs *flagSet) func(*app, []string) error {
		format := ""
		fs.choice(&format, "format", []string{"text", "json"}, "how to write what FILE declares")
		stage, entry := "", ""
		fs.choice(&stage, "stage", stageFlag(), "the stage of a source whose name does not say it")
		fs.text(&entry, "entry", "NAME", "the entry point of HLSL (default: main)")
		fs.source(&stage, &entry)
		return func(a *app, args []string) error {
			if len(args) == 0 {
				return infoOverview(a)
			}
			if _, ok := topics[args[0]]; !ok && isFile(args[0]) {
				return infoFile(a, args, format)
			}
			if format != "" {
				return usagef("--format is for a FILE")
			}
			if len(args) > 2 {
				return usagef("expected one NAME, but found another, %q", args[2])
			}
			name := ""
			if len(args) == 2 {
				name = args[1]
			}
			topic, ok := topics[args[0]]
			if !ok {
				return usagef("unknown word %q; expected a FILE, %s%s", args[0], orList(topicNames()), guess(args[0], maps.Keys(topics)))
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
func infoFile(a *app, args []string, format string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	in, err := a.load(file)
	if err != nil {
		return err
	}
	if !in.isModule() {
		return &jacquard.Error{File: in.name, Msg: "info shows what a SPIR-V module declares; this is Jacquard's own text, which says it itself"}
	}
	module, err := a.module(in)
	if err != nil {
		return err
	}
	m, err := outline.Read(a.ctx, module)
	if err != nil {
		return moduleError(in.name, err)
	}
	show := modinfo.Of(in.name, m).Text
	if format == "json" {
		show = modinfo.Of(in.name, m).JSON
	}
	if err := show(a.stdout); err != nil {
		return fileError("(standard output)", err)
	}
	return nil
}

// topics lists the topics of info.
var topics = map[string]topic{
	"intrinsics": {"operations that are not pure arithmetic, with their sources", infoIntrinsics},
	"languages":  {"the languages that are translated to SPIR-V, with the programs that do it and where they are", infoLanguages},
	"opcodes":    {"operations on values, with their types", infoOpcodes},
	"schema":     {"JSON Schemas (draft 2020-12) of what the command writes as JSON", infoSchema},
	"passes":     {"the passes that opt --passes accepts, then the back-end passes", infoPasses},
	"targets":    {"the GPUs that can be compiled for", infoTargets},
}

type topic struct {
	brief string
	show  func(a *app, name string) error
}

func topicNames() []string { return slices.Sorted(maps.Keys(topics)) }

// infoOverview lists the topics of info.
func infoOverview(a *app) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range topicNames() {
		fmt.Fprintf(w, "jacquard info %s\t%s\n", name, topics[name].brief)
	}
	return w.Flush()
}

// infoTargets lists the targets, or describes one.
func infoTargets(a *app, name string) error {
	if name == "" {
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, t := range target.All {
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, t.Doc, strings.Join(t.Aliases, " "))
		}
		return w.Flush()
	}
	t, ok := target.ByName(name)
	if !ok {
		return fmt.Errorf("jacquard: error: unknown target %q; the targets are %s%s", name, orList(target.Names()), guess(name, gpuNames()))
	}
	fmt.Fprintf(a.stdout, "%s: %s\n", t.Name, t.Doc)
	fmt.Fprintf(a.stdout, "  products: %s\n", strings.Join(t.Products, ", "))
	fmt.Fprintf(a.stdout, "  other names: %s\n", strings.Join(t.Aliases, " "))
	stages := []string{"compute"}
	if t.Vertex != nil {
		stages = append(stages, "vertex")
	}
	if t.Fragment != nil {
		stages = append(stages, "fragment")
	}
	fmt.Fprintf(a.stdout, "  stages: %s; widths: %s\n", strings.Join(stages, " "), strings.Trim(fmt.Sprint(t.Widths), "[]"))
	fmt.Fprintf(a.stdout, "  limits: %d entries of a binding table, %d bytes of push constants, %d invocations of a workgroup\n",
		t.Bindings, t.PushBytes, t.Invocations)
	fmt.Fprintf(a.stdout, "  capabilities: %s\n", strings.Join(t.Has.Names(), " "))
	for _, d := range report.DevicesOf(t.Platform) {
		fmt.Fprintf(a.stdout, "  device %s: %d EUs with %d threads each, in %d subslices with %d KiB of shared memory each; "+
			"at most %d threads a workgroup and %d KiB of scratch space a thread\n",
			d.Name, d.EUs, d.ThreadsPerEU, d.Subslices, d.SLMBytes>>10, d.GroupThreads, d.ScratchBytes>>10)
	}
	return nil
}

// passNames yields the names of all passes.
func passNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range irPassNames() {
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

// irPassNames yields the names of the passes of the IR.
func irPassNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range pipeline.Known.Passes() {
			if !yield(p.Name) {
				return
			}
		}
	}
}

// noIRPass returns the end of a message about a word that is not the name of an IR pass; it may be the name of a
// back-end pass.
func noIRPass(name string) string {
	if slices.Contains(jacquard.Passes(), name) {
		return "; it is a back-end pass, which belongs to compile"
	}
	return guess(name, irPassNames())
}

func infoPasses(a *app, name string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
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
		return fmt.Errorf("jacquard: error: unknown pass %q%s", name, guess(name, passNames()))
	}
	return w.Flush()
}
