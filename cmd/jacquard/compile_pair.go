// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/record"
)

// pairReport is the JSON object of --emit json and --emit abi for a pipeline.
type pairReport[T any] struct {
	Vertex    T                  `json:"vertex"`
	Fragment  T                  `json:"fragment"`
	Interface jacquard.Interface `json:"interface"`
}

// pairEmitters write a pipeline, by the value of --emit, except for asm, json and bin.
var pairEmitters = map[string]func(*jacquard.Pipeline) ([]byte, error){
	"abi": func(p *jacquard.Pipeline) ([]byte, error) {
		return cli.JSON(pairReport[*launchReport]{launch(p.Vertex), launch(p.Fragment), p.Interface}), nil
	},
}

// emitPairJSON describes a pipeline as JSON.
func (c *compile) emitPairJSON(p *jacquard.Pipeline) ([]byte, error) {
	vertex, err := c.describe(p.Vertex)
	if err != nil {
		return nil, err
	}
	fragment, err := c.describe(p.Fragment)
	if err != nil {
		return nil, err
	}
	return cli.JSON(pairReport[*record.Program]{vertex, fragment, p.Interface}), nil
}

// runPair compiles a pipeline.
func (c *compile) runPair(a *cli.App, vertex, fragment string) error {
	emit := pairEmitters[c.emit]
	switch c.emit {
	case "json":
		emit = c.emitPairJSON
	case "asm":
		emit = func(p *jacquard.Pipeline) ([]byte, error) { return both(p, assembly(c.bytes)) }
	}
	switch {
	case c.emit == "bin" && c.out == "":
		return cli.Usagef("--emit bin with two shaders requires -o OUT: the files are OUT.vert and OUT.frag")
	case emit == nil && c.emit != "bin":
		return cli.Usagef("--emit %s takes one FILE; linked shaders can be written as asm, bin, json or abi", c.emit)
	case c.Stage != "":
		return cli.Usagef("--stage takes one FILE; of two, the first is the vertex shader")
	}
	if err := c.checkPasses(); err != nil {
		return err
	}
	p, err := c.link(a, vertex, fragment)
	if err != nil {
		return err
	}
	warnUnchecked(a, vertex, p.Vertex)
	warnUnchecked(a, fragment, p.Fragment)
	if c.emit == "bin" {
		return errors.Join(c.writeCode(a, ".vert", p.Vertex), c.writeCode(a, ".frag", p.Fragment))
	}
	data, err := emit(p)
	if err != nil {
		return err
	}
	return a.Write(c.out, data)
}

// link reads two shaders, links them and compiles both.
func (c *compile) link(a *cli.App, vertex, fragment string) (*jacquard.Pipeline, error) {
	var modules [2][]byte
	var options [2]jacquard.Options
	look := &passWatch{c: c, a: a, times: newPassTimes(), mir: map[int][]byte{}}
	for i, file := range []string{vertex, fragment} {
		in, err := a.Load(file)
		if err != nil {
			return nil, err
		}
		if modules[i], err = a.Module(in); err != nil {
			return nil, err
		}
		options[i] = c.options(in)
		stage := cli.Selection{Entry: c.Entry, Stage: string(jacquard.Stages()[1+i])}
		if options[i].Entry, _, err = stage.EntryPoint(a, in, modules[i]); err != nil {
			return nil, err
		}
		if options[i].Specialize, err = c.Specialize.Of(in, modules[i]); err != nil {
			return nil, err
		}
		if c.printAfter != "" || c.timePasses {
			options[i].Trace = look.step
		}
	}
	if options[1].SIMD != 0 { // threads of a vertex shader have one width
		options[0].SIMD = 0
	}
	p, err := jacquard.Link(a.Ctx, modules[0], modules[1], options[0], options[1])
	if err != nil {
		return nil, err
	}
	return p, look.done()
}

// writeCode writes the machine code of a shader.
func (c *compile) writeCode(a *cli.App, extension string, p *jacquard.Program) error {
	data, err := emitBin(p)
	if err != nil {
		return err
	}
	return a.Write(c.out+extension, data)
}

func both(p *jacquard.Pipeline, emit func(*jacquard.Program) ([]byte, error)) ([]byte, error) {
	v, err := emit(p.Vertex)
	if err != nil {
		return nil, err
	}
	f, err := emit(p.Fragment)
	return bytes.Join([][]byte{v, f}, []byte("\n")), err
}
