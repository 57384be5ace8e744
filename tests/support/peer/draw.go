// SPDX-License-Identifier: MIT

package peer

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/latency"
)

// Drawer draws with the peer's machine code on the model. It must be used for only one script at a time.
type Drawer struct {
	Compiler  *Compiler
	Module    engine.Module
	SIMD      int            // lanes of a fragment thread
	Costs     *latency.Costs // latencies to use; nil means the machine's
	StepLimit uint64         // instructions of a thread, as eu.Options has it
	// Observe, if not nil, is called after each draw with the costs of each of its stages.
	Observe func(stage kind.Stage, b *Binary, cost *eu.Account)
}

// vertexLanes returns the number of lanes of a vertex thread.
func (d *Drawer) vertexLanes() int { return d.Compiler.Machine.Widths[0] }

// Dispatch implements runner.Engine. It returns an error, since the peer's programs are launched for draws only.
func (d *Drawer) Dispatch(context.Context, *runner.Call) error {
	return fmt.Errorf("the peer's programs are launched for draws only")
}

// Draw implements runner.Drawer.
func (d *Drawer) Draw(ctx context.Context, c *runner.DrawCall) error {
	if c.Fragment.Shader == nil {
		return fmt.Errorf("the peer's programs are launched for draws with fragment shaders only")
	}
	vs, err := d.compile(ctx, &c.Vertex, kind.StageVertex, d.vertexLanes())
	if err != nil {
		return err
	}
	fs, err := d.compile(ctx, &c.Fragment, kind.StageFragment, d.SIMD)
	if err != nil {
		return err
	}
	var stages engine.Programs
	if stages.Vertex, err = d.program(c, vs, kind.StageVertex); err != nil {
		return err
	}
	if stages.Fragment, err = d.program(c, fs, kind.StageFragment); err != nil {
		return err
	}
	describeVertex(stages.Vertex, vs.IR)
	describeFragment(stages.Fragment, fs)
	stages.SetTopology(c.State.Topology)
	state := c.State
	state.EarlyTests = strings.Contains(fs.IR, "\nearly_fragment_tests: true\n")
	if err := draw.Run(ctx, &state, &c.Draw, &stages); err != nil {
		return err
	}
	if d.Observe != nil {
		d.Observe(kind.StageVertex, vs, stages.Vertex.Options.Account)
		d.Observe(kind.StageFragment, fs, stages.Fragment.Options.Account)
	}
	return nil
}

// beyond lists instructions of the final IR that read data known only to the driver.
var beyond = []string{"@bindless", "@load_shader_record"}

// compile compiles a shader. Code that reads data known only to the driver is an error.
func (d *Drawer) compile(ctx context.Context, s *runner.Stage, stage kind.Stage, simd int) (*Binary, error) {
	module, err := d.Module(ctx, s.Shader)
	if err != nil {
		return nil, err
	}
	b, err := d.Compiler.Compile(ctx, &Shader{Module: module, Entry: s.Entry, Stage: stage, SIMD: simd})
	if err != nil {
		return nil, err
	}
	for _, word := range beyond {
		if strings.Contains(b.IR, word) {
			return nil, fmt.Errorf("its code has %s, whose data is unknown", word)
		}
	}
	return b, nil
}

// program returns a program for a draw, with the driver's bindings and pushed constants.
func (d *Drawer) program(c *runner.DrawCall, b *Binary, stage kind.Stage) (*graphics.Program, error) {
	machine := *d.Compiler.Machine
	if d.Costs != nil {
		machine.Costs = d.Costs
	}
	g := &graphics.Program{
		Code: eu.Load(&machine, b.Code), SIMD: d.vertexLanes(), ABI: machine.Vertex,
		ScratchPerThread: b.Stats.ScratchPerThread(), Options: eu.Options{Hazards: eu.HazardsLenient, StepLimit: d.StepLimit},
	}
	if stage == kind.StageFragment {
		g.SIMD, g.ABI = d.SIMD, machine.Fragment
	}
	if d.Observe != nil {
		g.Options.Account = new(eu.Account)
	}
	g.User = pushed(b, c)
	if len(g.User) > 0 {
		g.Uses |= graphics.PartsOf(abi.User)
	}
	tables, err := b.Tables(c.Bindings)
	if err != nil {
		return nil, err
	}
	g.Surfaces, g.Samplers = tables.Surfaces, tables.Samplers
	if len(b.Constants) > 0 {
		g.Mappings = append(g.Mappings, eu.Mapping{Addr: ConstantsAddress, Data: b.Constants})
	}
	return g, nil
}

// The rows of the assembly's head that describe ranges of parameters. A range's "binding" is the number of a descriptor
// in the set. A range NULL occupies a register, without a source.
var rangeRow = regexp.MustCompile(`(?m)^ +RANGE\d+ \((\d+)B\): (?:(Vulkan push constants)|UBO \(set=(\d+) binding=(\d+) start=(\d+)B\)|NULL)`)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err) // of a regular expression
	}
	return n
}

// bound returns the resource bound to an element of a binding, or nil if there is none.
func bound(c []runner.Binding, set, binding, element uint32) *runner.Binding {
	for i := range c {
		if b := &c[i]; b.Set == set && b.Binding == binding && b.Element == element {
			return b
		}
	}
	return nil
}

// pushed returns the data that the driver passes in registers: ranges of push constants and of buffers.
func pushed(b *Binary, c *runner.DrawCall) (user []byte) {
	for _, m := range rangeRow.FindAllStringSubmatch(b.Assembly, -1) {
		data := make([]byte, number(m[1]))
		switch {
		case m[2] != "":
			copy(data, c.PushConstants)
		case m[3] != "":
			if binding, element, ok := bindingOf(b.layout, uint32(number(m[3])), number(m[4])); ok {
				if b := bound(c.Bindings, uint32(number(m[3])), binding, element); b != nil {
					copy(data, b.Data[min(number(m[5]), len(b.Data)):])
				}
			}
		}
		user = append(user, data...)
	}
	return user
}
