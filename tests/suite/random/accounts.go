// SPDX-License-Identifier: MIT

package random

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	machine "jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/randprog"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/uniform"
)

// Widths are the sizes of subgroups that programs are compiled for.
var Widths = []int{8, 16, 32}

// deadline bounds one account's run of one program.
const deadline = time.Minute

// Account computes the contents of the buffers that a program writes.
type Account struct {
	Name  string
	Width int // width of subgroups
	run   func(r *run) ([][]byte, error)
}

// Accounts returns all accounts but C, which the others are compared with; lavapipe is included if it is set.
func Accounts(lavapipe bool) []*Account {
	var out []*Account
	for _, width := range Widths {
		add := func(name string, run func(r *run) ([][]byte, error)) {
			out = append(out, &Account{fmt.Sprintf("%s%d", name, width), width, run})
		}
		add("raw", func(r *run) ([][]byte, error) { return r.interpret(width, 0x1234567, false, false) })
		add("backwards", func(r *run) ([][]byte, error) { return r.interpret(width, 0x89abcdef, true, false) })
		add("passes", func(r *run) ([][]byte, error) { return r.interpret(width, 0x2468, false, true) })
		for _, target := range machine.All {
			if !slices.Contains(target.Widths, width) {
				continue
			}
			add(target.Name+".", func(r *run) ([][]byte, error) { return r.model(target, width, false) })
			if target.Can(machine.Fused) {
				add(target.Name+".fused", func(r *run) ([][]byte, error) { return r.model(target, width, true) })
			}
		}
	}
	if lavapipe {
		out = append(out, &Account{"lavapipe", 8, (*run).lavapipe})
	}
	return out
}

// ErrLeftOut reports that an account does not run a program, and why.
var ErrLeftOut = errors.New("left out")

// run is the state of running a program in all accounts.
type run struct {
	t      testing.TB
	p      *randprog.Program
	module []byte
	c      map[int][][]byte // the C program's results, by width
	spread bool             // the module has a further buffer
}

// prepare compiles a program to SPIR-V and runs it as C.
func prepare(t testing.TB, p *randprog.Program) (*run, error) {
	r := &run{t: t, p: p, c: map[int][][]byte{}}
	if err := r.compile(); err != nil {
		return nil, err
	}
	return r, r.runC()
}

// compile makes the module.
func (r *run) compile() error {
	module, err := oracle.GLSL(r.t, "comp", []byte(GLSL(r.p)))
	if err != nil {
		return fmt.Errorf("glslang: %w", err)
	}
	if err := r.validate(module); err != nil {
		return fmt.Errorf("%w: glslang's output is invalid: %v", ErrLeftOut, err)
	}
	if len(r.p.Passes) > 0 {
		passed, err := oracle.Optimize(r.t, module, r.p.Passes...)
		if err == nil {
			err = r.validate(passed)
		}
		if err == nil {
			module = passed
		} else { // spirv-opt is unreliable for integers of 8, 16 and 64 bits
			r.p.Passes = nil
		}
	}
	r.module = module
	return nil
}

// validate asks spirv-val.
func (r *run) validate(module []byte) error {
	name := filepath.Join(r.t.TempDir(), "module.spv")
	if err := os.WriteFile(name, module, 0o644); err != nil {
		return err
	}
	flags := []string{"--target-env", oracle.TargetEnv, name}
	if r.p.Packed() {
		flags = append(flags, "--scalar-block-layout")
	}
	_, _, err := oracle.Run(r.t, "spirv-val", nil, flags...)
	return err
}

// runC compiles the C program and runs it at all widths.
func (r *run) runC() error {
	dir := r.t.TempDir()
	source, binary := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(source, []byte(randprog.C(r.p)), 0o644); err != nil {
		return err
	}
	args := []string{"-std=c11", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"}
	if _, _, err := oracle.Run(r.t, "cc", nil, append(args, "-o", binary, source, "-lm")...); err != nil {
		return fmt.Errorf("cc: %w", err)
	}
	var input []byte
	for _, v := range r.p.Buffers {
		input = append(input, v.Data...)
	}
	var widths []string
	for _, w := range Widths {
		widths = append(widths, fmt.Sprint(w))
	}
	out, err := oracle.RunProgram(r.t, binary, input, widths...)
	if err != nil {
		return fmt.Errorf("the C program: %w", err)
	}
	for _, w := range Widths {
		for _, v := range r.p.Buffers {
			if v.Written {
				if len(out) < len(v.Data) {
					return fmt.Errorf("the C program: its output is too short")
				}
				r.c[w] = append(r.c[w], normal(v, out[:len(v.Data)]))
				out = out[len(v.Data):]
			}
		}
	}
	return nil
}

// call returns the dispatch of the program.
func (r *run) call() *runner.Call {
	c := &runner.Call{Shader: &runner.Shader{Name: "random"}, Entry: "main"}
	for i, n := range r.p.Groups {
		c.Groups[i] = uint32(n)
	}
	for _, v := range r.p.Buffers {
		data := bytes.Clone(v.Data)
		if v.Class == randprog.Push {
			c.PushConstants = data
			continue
		}
		kind := runner.Storage
		if v.Class == randprog.Uniform {
			kind = runner.Uniform
		}
		for i, part := range v.Blocks(data) {
			c.Bindings = append(c.Bindings, runner.Binding{Binding: uint32(v.Binding), Element: uint32(i), Kind: kind, Data: part})
		}
	}
	if r.spread {
		c.Bindings = append(c.Bindings, runner.Binding{Binding: uint32(r.p.Zeros()), Kind: runner.Storage,
			Data: make([]byte, 4*r.p.Invocations())})
	}
	for _, v := range r.p.Specs {
		var id uint32
		fmt.Sscan(specID(v), &id)
		s := runner.Spec{ID: id, Size: len(v.Data)}
		for i, b := range v.Data {
			s.Bits |= uint64(b) << (8 * i)
		}
		c.Specialize = append(c.Specialize, s)
	}
	return c
}

// outputs returns the contents, after a call, of the buffers that the program writes.
func (r *run) outputs(c *runner.Call) (out [][]byte) {
	for _, v := range r.p.Buffers {
		if !v.Written {
			continue
		}
		var data []byte
		for _, b := range c.Bindings { // blocks in order
			if b.Binding == uint32(v.Binding) {
				data = append(data, b.Data...)
			}
		}
		out = append(out, normal(v, data))
	}
	return out
}

// normal makes all zeros of a buffer positive: the sign of a zero is not defined.
func normal(v *randprog.Var, data []byte) []byte {
	data = bytes.Clone(data)
	floats := false
	v.T.Each(func(t *randprog.Type) { floats = floats || randprog.IsFloat(t) })
	if !floats {
		return data
	}
	v.T.Leaves(v.Layout, 0, func(s randprog.Scalar, at int) {
		if s.Kind != randprog.Float || data[at+s.Bytes()-1] != 0x80 {
			return
		}
		for _, b := range data[at : at+s.Bytes()-1] {
			if b != 0 {
				return
			}
		}
		data[at+s.Bytes()-1] = 0
	})
	return data
}

func (r *run) moduleOf(context.Context, *runner.Shader) ([]byte, error) { return r.module, nil }

// guard turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v", x)
		}
	}()
	return f()
}

func (r *run) dispatch(e runner.Engine) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), deadline)
	defer cancel()
	c := r.call()
	if err := guard(func() error { return e.Dispatch(ctx, c) }); err != nil {
		return nil, err
	}
	return r.outputs(c), nil
}

// turn returns the target chosen by the program's seed.
func (r *run) turn() *machine.Target {
	return machine.All[r.p.Seed/uint64(len(Widths))%uint64(len(machine.All))]
}

// interpret runs the program on the interpreter, as it is read or after all
// passes for one of the targets.
func (r *run) interpret(width int, seed uint64, backwards, passes bool) ([][]byte, error) {
	var check uniform.Checker
	e := &engine.Interp{Module: r.moduleOf, Width: width, Seed: seed, Configure: func(c *interp.Call) {
		c.Backwards, c.MaxSteps = backwards, 1<<26
		if passes {
			check.Watch(c)
		}
	}}
	if passes {
		e.Pipeline, e.Options = pipeline.Compute, pass.Options{Target: r.turn(), Disable: r.p.LeftOut}
	}
	out, err := r.dispatch(e)
	if err == nil {
		err = check.Err()
	}
	return out, err
}

// model compiles the program for a target and runs it on the model of the execution
// units, with threads in fused pairs or alone. For the target returned by turn, the checks after passes, of register
// allocation and of the scoreboard are enabled.
func (r *run) model(target *machine.Target, width int, fused bool) ([][]byte, error) {
	out, err := r.dispatch(&engine.EU{
		Module:    r.moduleOf,
		Options:   jacquard.Options{Target: jacquard.Target(target.Name), SIMD: width, Verify: target == r.turn(), Disable: r.p.LeftOut},
		Execution: eu.Options{Poison: true, Races: true, Slice: 5, Seed: r.p.Seed, StepLimit: 1 << 24, Fused: fused},
	})
	if err != nil && r.p.Doubles() && strings.Contains(err.Error(), "no arithmetic on 64-bit floats") {
		err = fmt.Errorf("%w: %s has no 64-bit floats", ErrLeftOut, target)
	}
	return out, err
}

// lavapipe runs the program on lavapipe.
func (r *run) lavapipe() ([][]byte, error) {
	d := lavapipe.Need(r.t)
	if d.Subgroup() != 8 && r.p.Subgroups() {
		return nil, fmt.Errorf("%w: lavapipe's subgroups have %d invocations", ErrLeftOut, d.Subgroup())
	}
	if why := lavapipeFault(r.p); why != "" {
		return nil, fmt.Errorf("%w: %s", ErrLeftOut, why)
	}
	lacks := ""
	r.p.Exprs(func(e *randprog.Expr) {
		for _, x := range strings.Fields(e.Op.Ext) {
			if x = strings.ReplaceAll(x, "shuffle_relative", "shuffle relative"); !d.Has("subgroup " + x) {
				lacks = x
			}
		}
	})
	if lacks != "" {
		return nil, fmt.Errorf("%w: lavapipe lacks %s operations of subgroups", ErrLeftOut, lacks)
	}
	child := <-children
	defer func() { children <- child }()
	out, err := r.dispatch(&lavapipe.Engine{Device: child, Module: func(*runner.Shader) ([]uint32, error) { return spv.Words(r.module) }})
	if errors.Is(err, lavapipe.ErrEnded) || errors.Is(err, lavapipe.ErrEndless) {
		err = fmt.Errorf("%w: %v", ErrLeftOut, err)
	}
	return out, err
}

// lastTrips reports whether lavapipe agrees with the others once every value looks
// divergent: where lavapipe considers a value uniform it keeps one for all invocations,
// and a read after a loop that they leave in different iterations then returns the
// value of the last iteration. The other accounts do not get that module.
func (r *run) lastTrips(a *Account) bool {
	module, err := oracle.GLSL(r.t, "comp", []byte(glsl(r.p, true)))
	if err != nil {
		return false
	}
	spread := *r
	spread.module, spread.spread = module, true
	return spread.check(a) == nil
}

// children holds the idle lavapipe processes. A user takes one and puts it back.
var children = func() chan *lavapipe.Child {
	c := make(chan *lavapipe.Child, runtime.GOMAXPROCS(0))
	for range cap(c) {
		c <- &lavapipe.Child{}
	}
	return c
}()

// lavapipeFault returns the feature of a program that lavapipe is known to get wrong.
func lavapipeFault(p *randprog.Program) string {
	if p.Subgroups() && p.Local[0]%8 != 0 && p.Local[1]*p.Local[2] > 1 {
		return "lavapipe begins a subgroup with every row of a workgroup"
	}
	why := ""
	p.Exprs(func(e *randprog.Expr) {
		switch {
		case e.Var != nil && e.Var.Name == "num_subgroups" && p.Lanes()%8 != 0:
			why = "lavapipe does not count a subgroup that is not full"
		case e.Var != nil && e.Var.Class == randprog.Uniform && e.Var.Arrayed:
			why = "lavapipe takes one block of an array of uniform buffers for all invocations"
		case widened(e):
			why = "lavapipe compares a widened integer of 64 bits with a constant wrongly"
		case e.Op.Name == "unpack_half":
			why = "lavapipe takes the second half of a constant for 0"
		}
	})
	return why
}

// widened reports whether an expression compares a constant with a value converted
// to 64 bits.
func widened(e *randprog.Expr) bool {
	if len(e.Args) != 2 || e.T == nil || e.T.Base != randprog.Boolean {
		return false
	}
	for i, a := range e.Args {
		if a.Op == randprog.OpConvert && a.T.Simple() && a.T.Base.Integer() && a.T.Base.Bits == 64 && constant(e.Args[1-i]) {
			return true
		}
	}
	return false
}

// Failure is an account that disagrees with the C program.
type Failure struct {
	Account *Account
	Err     error  // it gives no result
	Where   string // the first number that differs
}

func (f *Failure) String() string {
	if f.Err != nil {
		return fmt.Sprintf("%s: %v", f.Account.Name, f.Err)
	}
	return fmt.Sprintf("%s: %s", f.Account.Name, f.Where)
}

// refused reports whether the program needs more than the compiler supports today.
func (f *Failure) refused() bool {
	return f.Err != nil && strings.Contains(f.Err.Error(), "more registers are needed at once")
}

// check runs an account, and returns the disagreement, or nil if it agrees.
func (r *run) check(a *Account) *Failure {
	got, err := a.run(r)
	if err != nil {
		return &Failure{Account: a, Err: err}
	}
	if where := r.differ(r.c[a.Width], got); where != "" {
		return &Failure{Account: a, Where: where}
	}
	return nil
}

// differ names the first number on which two runs disagree.
func (r *run) differ(want, got [][]byte) string {
	k := 0
	for _, v := range r.p.Buffers {
		if !v.Written {
			continue
		}
		w, g := want[k], got[k]
		k++
		if bytes.Equal(w, g) {
			continue
		}
		where := "padding"
		v.T.Leaves(v.Layout, 0, func(s randprog.Scalar, at int) {
			n := s.Bytes()
			if where == "padding" && !bytes.Equal(w[at:at+n], g[at:at+n]) {
				i := at / v.Layout.Stride(v.T)
				owner := ""
				if v.Own > 0 {
					owner = fmt.Sprintf(" (number %d of invocation %d)", i%v.Own, i/v.Own)
				}
				where = fmt.Sprintf("element %d%s: %s, not %s", i, owner, hex(g[at:at+n]), hex(w[at:at+n]))
			}
		})
		return fmt.Sprintf("%s, %s", v.Name, where)
	}
	return ""
}

// hex returns a number in little endian.
func hex(b []byte) string {
	text := ""
	for _, x := range b {
		text = fmt.Sprintf("%02x", x) + text
	}
	return "0x" + text
}
