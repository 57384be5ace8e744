// SPDX-License-Identifier: MIT

package main

import (
	"io"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/runner"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/generated/latency"
)

// costWriter writes a line of JSON for each dispatch, and for each stage of a draw.
type costWriter struct {
	out io.Writer
	err error // the first
}

// costLine is the cost of a dispatch or of a stage of a draw.
type costLine struct {
	Shader       string                 `json:"shader"`
	Stage        string                 `json:"stage"`
	Entry        string                 `json:"entry"`
	Target       string                 `json:"target"`
	SIMD         int                    `json:"simd"`
	Threads      uint64                 `json:"threads"`
	Instructions uint64                 `json:"instructions"`
	Sends        map[string]uint64      `json:"sends"`
	Bytes        uint64                 `json:"bytes"`
	Lines        uint64                 `json:"lines"`
	Cycles       uint64                 `json:"cycles"`
	Resident     uint64                 `json:"resident"`
	Waits        map[string]waitsOfTime `json:"waits"`
}

// waitsOfTime maps causes of waiting to cycles.
type waitsOfTime map[string]uint64

func newCostLine(c *runner.Call, p *jacquard.Program, cost *eu.Account) *costLine {
	l := &costLine{
		Shader: c.Shader.Name, Stage: string(p.Stage), Entry: p.Entry, Target: string(p.Target), SIMD: p.Variants[0].SIMD,
		Threads: cost.Threads, Instructions: cost.Instructions, Sends: map[string]uint64{}, Bytes: cost.Bytes, Lines: cost.Lines,
		Cycles: cost.Alone.Cycles(), Resident: cost.Resident.Cycles(),
		Waits: map[string]waitsOfTime{"cycles": waits(&cost.Alone), "resident": waits(&cost.Resident)},
	}
	for class, n := range cost.Sends {
		if n != 0 {
			l.Sends[latency.Class(class).String()] = n
		}
	}
	return l
}

func waits(t *eu.Time) waitsOfTime {
	m := waitsOfTime{}
	for w, n := range t {
		m[eu.Wait(w).String()] = n
	}
	return m
}

// write implements the Observe callback of engine.EU.
func (w *costWriter) write(c *runner.Call, p *jacquard.Program, cost *eu.Account) {
	if _, err := w.out.Write(cli.JSON(newCostLine(c, p, cost))); err != nil && w.err == nil {
		w.err = cli.FileError("-", err)
	}
}
