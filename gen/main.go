// SPDX-License-Identifier: MIT

// Command gen turns the tables in defs/ into the Go packages under generated/.
//
//	go run ./gen [-defs DIR]… [-alone] [-out DIR [-overlay FILE]]
//
// -defs names a folder of tables in addition to the project's own; it may be
// repeated, or list several folders separated by commas. Rows of later folders follow the rows of earlier ones, and a
// duplicate row is an error. With -alone the folders replace the project's own.
//
// The file that -overlay writes builds the compiler with the contents of -out in
// place of generated/:
//
//	go run ./gen -defs mine -out build/generated -overlay build/overlay.json
//	go build -overlay build/overlay.json ./cmd/jacquard
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"jacquard.example/gen/internal/abi"
	"jacquard.example/gen/internal/atomics"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/frontends"
	"jacquard.example/gen/internal/irgen"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/latency"
	"jacquard.example/gen/internal/legal"
	"jacquard.example/gen/internal/message"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/reductions"
	"jacquard.example/gen/internal/rules/ruleset"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/spirvgen"
	"jacquard.example/gen/internal/table"
	"jacquard.example/gen/internal/target"
)

// part is one part of the generator. Each reads its own folders of the tables.
type part struct {
	name string
	run  func(*domain.Context) error
}

var parts = []part{
	{"opcodes", opcodes.Generate},
	{"ir", irgen.Generate},
	{"spirv", spirvgen.Generate},
	{"frontends", frontends.Generate},
	{"build", irgen.GenerateBuild},
	{"atomics", atomics.Generate},
	{"isa", isa.Run},
	{"abi", abi.Run},
	{"latency", latency.Generate},
	{"message", message.Generate},
	{"reductions", reductions.Generate},
	{"rules", ruleset.Generate},
	{"target", target.Generate},
	{"select", selectgen.Generate},
	{"freedom", selectgen.CheckFreedom},
	{"legal", legal.Generate},
	{"unused", ruleset.Unused},
	{"functions", functions},
	{"values", values},
	{"schemas", schemas},
	{"passes", passPage},
	{"machine", machinePage},
	{"manual", manual},
	{"hash", hash},
}

// own is the folder of the project's tables.
const own = "defs"

// folders is a flag that may be repeated or hold a list separated by commas.
type folders []string

func (f *folders) String() string { return strings.Join(*f, ",") }

func (f *folders) Set(s string) error {
	for _, d := range strings.Split(s, ",") {
		if d == "" {
			return fmt.Errorf("an empty folder name")
		}
		*f = append(*f, d)
	}
	return nil
}

func main() {
	var defs folders
	flag.Var(&defs, "defs", "`folder` of tables in addition to the project's own, "+own+"; may be repeated, or several separated by commas")
	alone := flag.Bool("alone", false, "use only the folders of -defs, not the project's own")
	out := flag.String("out", "generated", "`folder` to write; stale generated files there are removed")
	overlay := flag.String("overlay", "", "`file` to write, for go build -overlay, which replaces generated/ with -out")
	flag.Parse()
	debug.SetGCPercent(400) // a short-lived process: memory is cheaper than time
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := run(roots(defs, *alone), *out)
	if err == nil && *overlay != "" {
		err = writeOverlay(*overlay, "generated", *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// roots returns the folders of tables: the project's own first, unless alone is set or defs lists it.
func roots(defs []string, alone bool) []string {
	if alone {
		return defs
	}
	project, err := os.Stat(own)
	for _, d := range defs {
		if info, e := os.Stat(d); err == nil && e == nil && os.SameFile(info, project) {
			return defs
		}
	}
	return append([]string{own}, defs...)
}

func run(defs []string, out string) error {
	ctx := &domain.Context{Out: emit.New()}
	for _, d := range defs {
		info, err := os.Stat(d)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder of tables", d)
		}
		ctx.Roots = append(ctx.Roots, table.Root{Dir: d, Name: filepath.ToSlash(d)})
	}
	for _, p := range parts {
		if err := p.run(ctx); err != nil {
			return err
		}
	}
	return ctx.Out.Write(out)
}

// writeOverlay writes the file that makes the go command replace the Go files below generated with the ones below out.
func writeOverlay(file, generated, out string) error {
	list := struct{ Replace map[string]string }{map[string]string{}}
	for i, dir := range []string{generated, out} { // files only in generated map to "": deleted
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			stands, err := filepath.Abs(filepath.Join(generated, rel))
			if err != nil {
				return err
			}
			list.Replace[stands] = ""
			if i == 1 {
				list.Replace[stands], err = filepath.Abs(path)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o666)
}
