// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

const (
	compileRounds = 12                   // rounds of each compiler; the least counts
	compileRound  = 4 * time.Millisecond // minimum duration of a round of ours
	compileBatch  = 16                   // modules that one process of the peer compiles
	slowest       = 12                   // number of modules to list
)

// compiled holds the compile times of a module, in milliseconds of CPU time.
type compiled struct {
	name         string
	ours, theirs float64
}

func (c compiled) ratio() float64 { return c.ours / c.theirs }

// compileTimes writes the CPU time of compiling the shaders of some sets, all of a stage, both compilers warm
// and in process. A module counts if both compile its entry point at one width.
func compileTimes(ctx context.Context, w io.Writer, p *opponent, stage kind.Stage, names []string, sets [][]entry) error {
	fmt.Fprintf(w, "| set | modules | total | geometric mean | worst |\n|---|---|---|---|---|\n")
	var all []compiled
	var none []string
	for i, set := range sets {
		var list []compiled
		for batch := range slices.Chunk(distinct(set), compileBatch) {
			// Batch by batch, so that both see the same load of the machine.
			some, without, err := p.compileTimes(ctx, stage, batch)
			if err != nil {
				return err
			}
			list, none = append(list, some...), append(none, without...)
		}
		compileLine(w, names[i], list)
		all = append(all, list...)
	}
	if len(sets) > 1 {
		compileLine(w, "all", all)
	}
	slices.SortFunc(all, func(a, b compiled) int { return cmp.Compare(b.ratio(), a.ratio()) })
	fmt.Fprintf(w, "\n| slowest | ours, ms | theirs, ms | ratio |\n|---|---|---|---|\n")
	for _, c := range all[:min(slowest, len(all))] {
		fmt.Fprintf(w, "| %s | %.3f | %.3f | %.2f |\n", c.name, c.ours, c.theirs, c.ratio())
	}
	if len(none) > 0 {
		fmt.Fprintf(w, "\nLeft out, since the peer does not compile them at this width: %s.\n", strings.Join(none, ", "))
	}
	return nil
}

// distinct drops entry points of modules that are already in the list.
func distinct(set []entry) (out []entry) {
	seen := map[string]bool{}
	for _, e := range set {
		if !seen[string(e.module)] {
			seen[string(e.module)] = true
			out = append(out, e)
		}
	}
	return out
}

func compileLine(w io.Writer, name string, list []compiled) {
	var ours, theirs, logs, worst float64
	for _, c := range list {
		ours, theirs = ours+c.ours, theirs+c.theirs
		logs, worst = logs+math.Log(c.ratio()), max(worst, c.ratio())
	}
	fmt.Fprintf(w, "| %s | %d | %.3f | %.3f | %.2f |\n", name, len(list), ours/theirs, math.Exp(logs/float64(len(list))), worst)
}

// compileTimes measures both compilers on the modules that ours compiles. none lists the modules that the peer rejects
// or does not finish within its own time limit.
func (p *opponent) compileTimes(ctx context.Context, stage kind.Stage, list []entry) (out []compiled, none []string, err error) {
	o := jacquard.Options{Target: jacquard.Target(p.Machine.Name), SIMD: p.simd, Stage: jacquard.Stage(stage.String())}
	var fit, measured []entry
	for _, e := range list {
		if _, err := jacquard.Compile(ctx, e.module, o); err == nil {
			fit = append(fit, e)
		}
	}
	theirs, err := p.times(ctx, stage, fit)
	if err != nil {
		return nil, nil, err
	}
	for i, e := range fit {
		if theirs[i] <= 0 { // a fragment shader's is that of a pipeline less that of its vertex shader
			none = append(none, e.name)
			continue
		}
		out, measured = append(out, compiled{e.name, math.Inf(1), theirs[i]}), append(measured, e)
	}
	// Round by round, so that a moment in which the machine does something else does not distort one module's times.
	runtime.GC() // earlier garbage is not collected during the measurement
	for range compileRounds {
		for i, e := range measured {
			took, err := ourTime(ctx, e.module, o)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", e.name, err)
			}
			out[i].ours = min(out[i].ours, took)
		}
	}
	return out, none, nil
}

// ourTime returns the mean of a round of compilations, the garbage collector's work included.
func ourTime(ctx context.Context, module []byte, o jacquard.Options) (float64, error) {
	if _, err := jacquard.Compile(ctx, module, o); err != nil { // as warm as the peer is
		return 0, err
	}
	before, err := cpuTime()
	if err != nil {
		return 0, err
	}
	for n := 1; ; n++ {
		if _, err := jacquard.Compile(ctx, module, o); err != nil {
			return 0, err
		}
		now, err := cpuTime()
		if err != nil {
			return 0, err
		}
		if took := now - before; took >= compileRound {
			return took.Seconds() * 1e3 / float64(n), nil
		}
	}
}

// times returns the peer's compile time for each module; 0 means that the peer does not compile it at this width.
func (p *opponent) times(ctx context.Context, stage kind.Stage, list []entry) ([]float64, error) {
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"-n", strconv.Itoa(compileRounds)}
	if stage == kind.StageCompute {
		args = append(args, "-s", strconv.Itoa(p.simd))
	}
	index := map[string]int{}
	for i, e := range list {
		file := filepath.Join(dir, strconv.Itoa(i)+peer.Suffix(stage))
		if err := os.WriteFile(file, e.module, 0o666); err != nil {
			return nil, err
		}
		index[file] = i
		args = append(args, file)
	}
	times := make([]float64, len(list))
	if len(list) == 0 {
		return times, nil
	}
	cmd := p.Command(ctx, args...)
	if stage == kind.StageFragment {
		cmd.Env = append(os.Environ(), peer.OnlyWidth(p.simd))
	}
	out, err := cmd.Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed { // it fails if it does not compile all
		return nil, fmt.Errorf("the peer: %w", err)
	}
	for line := range bytes.Lines(out) {
		var r struct {
			Kind  string  `json:"kind"`
			File  string  `json:"file"`
			Stage string  `json:"stage"`
			Size  int     `json:"subgroup_size"`
			CPU   float64 `json:"net_cpu_ms_min"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("the peer's line %q: %w", line, err)
		}
		fits := r.Size == p.simd || p.Machine.Can(target.Vectors) // the peer counts a vertex of four lanes as one
		if i, ok := index[r.File]; ok && r.Kind == "exe" && r.Stage == stage.String() && fits {
			times[i] = r.CPU
		}
	}
	return times, nil
}
