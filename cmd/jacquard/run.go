package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/cmd/jacquard/amber/tools"
	"jacquard.example/cmd/jacquard/engine"
)

var runCommand = command{
	name:  "run",
	args:  "FILE.amber",
	brief: "execute an AmberScript and check its expectations",
	text: `
Executes an AmberScript, the test format of the Vulkan ecosystem, or its older form, VkScript, and checks what it expects.
Compute pipelines are supported. Files that a script names are looked up in its folder and below. Each expectation that does not hold is reported with its place, the index, what was wanted and what came;
the exit status is 0 only if every one was checked and held.

--on says what executes the shader: interp runs the SPIR-V on Jacquard's interpreter, without compiling; eu compiles
it and runs the machine code on a model of Intel's execution units.

Examples:
  jacquard run tests/amber/saxpy.amber
  jacquard run saxpy.amber --on eu --target tgl`,
	setup: func(fs *flagSet) func(*app, []string) error {
		r := &runner{on: "interp", target: jacquard.DefaultTarget, simd: "auto"}
		fs.choice(&r.on, "on", []string{"interp", "eu"}, "what executes the shader")
		fs.choice(&r.target, "target", jacquard.Targets(), "the GPU, with --on eu")
		fs.choice(&r.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width, with --on eu")
		return r.run
	},
}

type runner struct{ on, target, simd string }

// engines make what executes the dispatches, by the word after --on.
var engines = map[string]func(*runner, engine.Module) amber.Engine{
	"interp": func(_ *runner, module engine.Module) amber.Engine {
		return &engine.Interp{Module: module}
	},
	"eu": func(r *runner, module engine.Module) amber.Engine {
		simd, _ := strconv.Atoi(r.simd) // auto is 0
		return &engine.EU{Module: module, Options: jacquard.Options{Target: r.target, SIMD: simd}}
	},
}

func (r *runner) run(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	name, data, err := a.read(file)
	if err != nil {
		return err
	}
	var dir fs.FS // what the script may name; nothing beside standard input
	if file != "-" {
		dir = os.DirFS(filepath.Dir(file))
	}
	script, err := amber.ParseIn(dir, name, data)
	if err != nil {
		return err
	}
	var cache tools.Cache
	report, err := script.Run(a.ctx, engines[r.on](r, func(ctx context.Context, s *amber.Shader) ([]byte, error) {
		return cache.Shader(ctx, name, s)
	}))
	errs := report.Errors()
	if err = errors.Join(append(errs, err)...); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s: %s held after %s\n", name, count(len(report.Checks), "expectation"), count(report.Dispatches, "dispatch"))
	return nil
}

// count writes "1 dispatch", "2 dispatches".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case noun == "dispatch":
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
