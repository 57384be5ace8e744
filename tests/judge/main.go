// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/state"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

// run judges the sets that the arguments name and writes a report.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("judge", flag.ContinueOnError)
	sets := fs.String("set", "samples,renderer,corpus", "the sets to judge, separated by commas; a folder of .spv files is a set")
	n := fs.Int("n", 200, "the number of shaders of the corpus")
	root := fs.String("root", ".", "folder of the project")
	file := fs.String("o", "", "the file to write; standard output if there is none")
	simd := fs.Int("simd", 16, "lanes of a thread")
	name := fs.String("target", "", "the machine whose code is judged: tgl if it is empty, with -vertices hsw")
	ablate := fs.Bool("ablation", false,
		"measure the gain of each of our optional passes; given a file, write the numbers into its marked table; needs no peer")
	draws := fs.Bool("draws", false, "judge vertex and fragment shaders, of the samples' draws and synthetic ones of the corpus, "+
		"at all widths")
	only := fs.String("only", "", "with -draws, judge only these shaders of the corpus: prefixes of their hashes, separated by commas")
	vertices := fs.Bool("vertices", false, "judge vertex shaders of a machine with vertices of four lanes, of the samples' draws and "+
		"synthetic ones of the corpus; with -compile, the CPU time of compiling them")
	covers := fs.Bool("covered", false, "with -vertices, count the shaders that both compile and those that draw as on the interpreter")
	byWidth := fs.Bool("widths", false, "compare the widths that both compilers choose, and all widths of ours")
	cpu := fs.Bool("compile", false, "write the CPU time of both compilers instead of what the code costs; "+
		"with -draws, for vertex and fragment shaders")
	if err := fs.Parse(args); err != nil {
		return err
	}
	machine := target.TGL
	if *vertices {
		machine = target.HSW
	}
	if *name != "" {
		if *ablate {
			return errors.New("-ablation measures the default target only")
		}
		var ok bool
		if machine, ok = target.ByName(*name); !ok {
			return errors.New(target.Unknown(*name))
		}
	}
	p := findOpponent(machine, *simd)
	if p == nil && !*ablate {
		return fmt.Errorf("%s is not set: there is no peer to compare with", peer.Variable)
	}
	made, err := state.Line(*root, state.Depends...)
	if err != nil {
		return err
	}
	if *ablate {
		var table bytes.Buffer
		if err := ablation(ctx, &table, *root, *simd, *n); err != nil {
			return err
		}
		if *file != "" {
			return rewrite(*file, []byte(state.Begin(made, table.String())))
		}
		_, err := stdout.Write(table.Bytes())
		return err
	}
	var out bytes.Buffer
	if *vertices && *covers {
		err = vertexCoverage(ctx, &out, p.Compiler, *root)
	} else if *vertices && *cpu {
		err = vertexTimes(ctx, &out, p.Compiler, *root, strings.Split(*sets, ","), *n)
	} else if *vertices {
		err = vertexCosts(ctx, &out, p.Compiler, *root, strings.Split(*sets, ","), *n, *only)
	} else if *draws && *cpu {
		err = stageTimes(ctx, &out, p.Compiler, *root, *n)
	} else if *draws {
		err = drawCosts(ctx, &out, p.Compiler, *root, strings.Split(*sets, ","), *n, *only)
	} else if *byWidth {
		var lists [][]entry
		if lists, err = load(ctx, strings.Split(*sets, ","), *root); err == nil {
			err = widthCosts(ctx, &out, p, strings.Split(*sets, ","), lists, *n)
		}
	} else {
		err = dispatchCosts(ctx, &out, p, strings.Split(*sets, ","), *root, *n, *cpu)
	}
	if err != nil {
		return err
	}
	if *file != "" {
		return os.WriteFile(*file, []byte(state.Begin(made, out.String())), 0o666)
	}
	_, err = stdout.Write(out.Bytes())
	return err
}

// dispatchCosts writes the costs of compute shaders or, if cpu is set, of compiling them.
func dispatchCosts(ctx context.Context, out *bytes.Buffer, p *opponent, names []string, root string, n int, cpu bool) error {
	lists, err := load(ctx, names, root)
	if err != nil {
		return err
	}
	if cpu {
		return compileTimes(ctx, out, p, kind.StageCompute, names, lists)
	}
	return costs(ctx, out, p, names, lists, n)
}

// load loads sets by their names.
func load(ctx context.Context, names []string, root string) (lists [][]entry, err error) {
	for _, name := range names {
		var list []entry
		switch name {
		case "samples":
			list, err = sampleSet(ctx, root)
		case "renderer":
			list, err = rendererSet()
		case "corpus":
			list, err = corpusSet(ctx)
		default:
			list, err = folderSet(ctx, name)
		}
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// costs writes the costs of both compilers' code for the shaders of all sets, but only n of the corpus.
func costs(ctx context.Context, out *bytes.Buffer, p *opponent, names []string, lists [][]entry, n int) error {
	var all []verdict
	var sections bytes.Buffer
	for i, name := range names {
		limit := 0
		if name == "corpus" {
			limit = n
		}
		judged, unjudged, err := judge(ctx, p, lists[i], limit)
		if err != nil {
			return err
		}
		section(&sections, name, columns, judged, doublewords)
		notJudged(&sections, unjudged)
		all = append(all, judged...)
	}
	head(out, p) // the peer's version is known now
	out.Write(sections.Bytes())
	reasons, err := readReasons(reasonText)
	if err != nil {
		return err
	}
	byClass(out, all)
	ranges(out, p.Machine, all, false)
	slower(out, all, reasons)
	fmt.Fprintf(out, "\n## estimate\n")
	estimates(out, all)
	return nil
}
