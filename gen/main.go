// Command gen turns the tables in defs/ into the Go packages under generated/.
//
//	go run ./gen [-defs DIR[,DIR…]] [-out DIR]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"jacquard.example/gen/internal/abi"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irgen"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/latency"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/spirvgen"
	"jacquard.example/gen/internal/table"
)

// part is one row of the generator's work. Each reads its own folders of the
// tables.
type part struct {
	name string
	run  func(*domain.Context) error
}

var parts = []part{
	{"opcodes", opcodes.Generate},
	{"ir", irgen.Generate},
	{"spirv", spirvgen.Generate},
	{"build", irgen.GenerateBuild},
	{"isa", isa.Run},
	{"abi", abi.Run},
	{"latency", latency.Generate},
	{"rules", rules.Generate},
	{"select", selectgen.Generate},
}

func main() {
	defs := flag.String("defs", "defs", "folders of tables, separated by commas; later ones add rows to the first")
	out := flag.String("out", "generated", "folder to write; files there that no table gives any more are removed")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(strings.Split(*defs, ","), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(defs []string, out string) error {
	ctx := &domain.Context{Out: emit.New()}
	for _, d := range defs {
		if _, err := os.Stat(d); err != nil {
			return err
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
