// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"jacquard.example"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/cmd/jacquard/cli"
)

var runCommand = cli.Command{
	Name:  "run",
	Args:  "FILE.amber",
	Brief: "execute an AmberScript and check its expectations",
	Text: `
Executes an AmberScript, the test format of the Vulkan ecosystem, or its older form, VkScript, and checks its
expectations. Compute pipelines are supported, and graphics pipelines of a vertex and a fragment shader, but not with
--on zebin. Files named by a script are looked up in its folder and below. Each failed expectation is reported with its
position, the index, and the expected and actual values; the exit status is 0 only if all expectations were checked and held.

--timeout and --max-groups bound the resources of a script: one that exceeds a limit ends with an error that names the
limit, at the position of the running command. The timeout covers reading the script, compiling and running it;
the workgroups of all its dispatches are added up, and counted before a dispatch runs; draws have none.

--on selects what executes the shader: interp runs the SPIR-V on Jacquard's interpreter, without compiling; eu compiles
it and runs the machine code on a model of Intel's execution units; zebin does the same with the file that
compile --emit zebin writes, launching its kernel as that file describes. If fragment shaders cannot be compiled for the
target, the interpreter runs them, and eu runs the vertex shaders of the draws.

--stats writes a JSON object on a separate line for each dispatch, and each stage of a draw, for --on eu and zebin:
instructions executed (without nop and sync.nop); sends, the messages by the class of their cost; the bytes that they
moved, and the lines of memory that they touched; cycles, the time of each thread alone on an execution unit, added up;
resident, the time of one unit on which as many threads as it has room for take turns; and, under waits, what both are
spent on: issue (no wait), send (messages), vector and scalar (results of several lanes and of one), flow (branches),
sync (barriers). The figures come from the table of latencies (defs/intel/latency), an estimate to compare programs
by; unlike the cycles that 'compile' prints, they go by what the invocations did, by the number of threads and by the
memory that was touched. Shared memory, barriers and scratch space do not limit how many threads take turns; report
shows these limits. Messages about expectations then go to standard error.

Examples:
  jacquard run tests/amber/saxpy.amber
  jacquard run saxpy.amber --on eu --stats
  jacquard run saxpy.amber --on eu --target tgl
  jacquard run triangle.amber --image triangle.png
  jacquard run triangle.amber --on eu
  jacquard run unknown.amber --timeout 30s --max-groups 100000`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		r := &scriptRunner{on: "interp", target: string(jacquard.DefaultTarget), simd: "auto"}
		fs.Choice(&r.on, "on", []string{"interp", "eu", "zebin"}, "what executes the shader")
		fs.Target(&r.target, "the GPU, unless --on interp")
		fs.Choice(&r.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width, unless --on interp")
		r.Codegen.Flags(fs)
		fs.Duration(&r.timeout, "timeout", "DURATION", "stop a script that takes longer; for example 500ms, 30s or 2m")
		fs.Boolean(&r.stats, "stats", "write a JSON line for each dispatch and each stage of a draw with what it cost")
		fs.Text(&r.image, "image", "OUT.png", "write the first color attachment of the last draw")
		fs.Limit(&r.maxGroups, "max-groups", "N", "refuse a dispatch that exceeds N workgroups in total")
		return r.run
	},
}

type scriptRunner struct {
	on, target, simd string
	timeout          time.Duration // 0 if none
	maxGroups        uint64        // 0 means any number
	stats            bool
	image            string // file to write a picture to, or empty if none
	cli.Codegen
}

// engines create the engine that executes dispatches and draws, by the value of --on.
var engines = map[string]func(*scriptRunner, engine.Module) runner.Drawer{
	"interp": func(_ *scriptRunner, module engine.Module) runner.Drawer {
		return &engine.Interp{Module: module}
	},
	"eu": func(r *scriptRunner, module engine.Module) runner.Drawer {
		return &engine.EU{Module: module, Options: r.options()}
	},
	"zebin": func(r *scriptRunner, module engine.Module) runner.Drawer {
		o := r.options()
		o.Zebin = true
		return &engine.EU{Module: module, Options: o}
	},
}

// options returns the options of the compiler.
func (r *scriptRunner) options() jacquard.Options {
	simd, _ := strconv.Atoi(r.simd) // auto is 0
	o := jacquard.Options{Target: jacquard.Target(r.target), SIMD: simd}
	r.Codegen.Apply(&o)
	return o
}

func (r *scriptRunner) run(a *cli.App, args []string) error {
	if r.on == "interp" {
		for _, f := range []struct {
			name string
			set  bool
		}{{"stats", r.stats}, {"buffers", r.Buffers != ""}, {"robust", r.Robust}, {"disable-pass", r.Disable != ""}} {
			if f.set {
				return cli.Usagef("--%s needs --on eu or --on zebin", f.name)
			}
		}
	}
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	name, data, err := a.Read(file)
	if err != nil {
		return err
	}
	var dir fs.FS // the files that the script may name; none for standard input
	if file != "-" {
		dir = os.DirFS(filepath.Dir(file))
	}
	ctx := a.Ctx
	if r.timeout != 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, r.timeout, fmt.Errorf("the timeout of %v (--timeout) has expired", r.timeout))
		defer stop()
	}
	script, err := amber.ParseIn(ctx, dir, name, data)
	if err != nil {
		return err
	}
	var cache tools.Cache
	e := engines[r.on](r, func(ctx context.Context, s *runner.Shader) ([]byte, error) {
		return cache.Shader(ctx, name, s)
	})
	costs := costWriter{out: a.Stdout}
	if m, ok := e.(*engine.EU); ok && r.stats {
		m.Observe = costs.write
	}
	if r.maxGroups != 0 {
		e = &groupLimit{e, r.maxGroups, r.maxGroups}
	}
	report, err := script.Run(ctx, e)
	errs := report.Errors()
	if r.image != "" && err == nil {
		err = writePicture(a, r.image, report.Picture)
	}
	if err = errors.Join(append(errs, err, costs.err)...); err != nil {
		return err
	}
	out := a.Stdout
	if r.stats {
		out = a.Stderr
	}
	done := cli.Count(report.Dispatches, "dispatch")
	if report.Draws > 0 {
		done = cli.Count(report.Draws, "draw")
		if report.Dispatches > 0 {
			done = cli.Count(report.Dispatches, "dispatch") + " and " + done
		}
	}
	fmt.Fprintf(out, "%s: %s held after %s\n", name, cli.Count(len(report.Checks), "expectation"), done)
	return nil
}

// groupLimit is an engine that runs a limited number of workgroups.
type groupLimit struct {
	runner.Drawer
	max, left uint64
}

// Dispatch implements runner.Engine.
func (g *groupLimit) Dispatch(ctx context.Context, c *runner.Call) error {
	n := uint64(c.Groups[0]) * uint64(c.Groups[1])
	over, n := bits.Mul64(n, uint64(c.Groups[2]))
	if over != 0 || n > g.left {
		return fmt.Errorf("%dx%dx%d workgroups exceed the remaining %d of --max-groups %d", c.Groups[0], c.Groups[1], c.Groups[2],
			g.left, g.max)
	}
	g.left -= n
	return g.Drawer.Dispatch(ctx, c)
}
