// SPDX-License-Identifier: MIT

package intel

import (
	"errors"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/guard"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/core/work"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// Pass is a stage of the back end.
type Pass struct {
	Name string
	Doc  string
	// After lists the passes that must have run before. They come earlier in the table.
	After []string
	// Needs is the capability that a machine must have for the pass to run.
	Needs target.Capability
	// Lanewise is set if the pass works on code whose lanes are invocations, and does not run for machines with vectors.
	Lanewise bool
	// Leaves is the invariant that holds after the pass.
	Leaves string
	// Optional is set if the pass only improves the code: Options.Disable can skip it.
	Optional bool

	run func(*job) error
	// renames is set if the pass only reassigns registers and removes copies, which is checked.
	renames bool
	// reorders is set if the pass only changes the order of instructions in blocks, which is checked.
	reorders bool
}

// Names of passes that other code refers to.
const (
	selectPass   = "select"
	payloadsPass = "payloads"
	schedulePass = "schedule"
	allocatePass = "allocate"
	guardPass    = "guard"
	boardPass    = "scoreboard"
	encodePass   = "encode"
)

// passes lists the stages of the back end in the order in which they run.
var passes = ordered([]Pass{
	{Name: selectPass, Doc: "selects machine instructions on virtual registers",
		Leaves: "virtual registers and logical messages",
		run:    (*job).selectCode},
	{Name: payloadsPass, Lanewise: true,
		Doc:   "composes message payloads from the operands that selection named, splitting messages that are too wide",
		After: []string{selectPass}, run: (*job).payloads},
	{Name: "read_lanes", Lanewise: true, Optional: true, Doc: "reads the packed lane numbers instead of a widened copy",
		After: []string{selectPass}, run: inMemory((*opt.Workspace).ReadLanes)},
	{Name: "compare_zero", Lanewise: true, Optional: true, Doc: "moves comparisons with zero into the instruction that computes the value",
		After: []string{selectPass}, run: onFunc(opt.CompareZero)},
	{Name: "same_flag", Lanewise: true, Optional: true, Doc: "removes comparisons whose result is already in the flag",
		After: []string{selectPass}, run: inMemory((*opt.Workspace).SameFlag)},
	{Name: "dead_code", Optional: true, Doc: "removes instructions whose result is never read",
		Leaves: "no side-effect-free instruction whose result and flag are never read",
		After:  []string{selectPass}, run: inMemory((*opt.Workspace).DeadCode)},
	{Name: "broadcast", Lanewise: true, Optional: true, Doc: "computes values in all lanes that one lane computes only to be copied to all",
		After: []string{selectPass, payloadsPass, "dead_code"}, run: inMemory((*opt.Workspace).Broadcast)},
	{Name: "coalesce", Optional: true, Doc: "assigns both sides of a copy the same register if they do not interfere",
		After: []string{selectPass}, run: inMemory((*opt.Workspace).Coalesce), renames: true},
	{Name: "in_place", Lanewise: true, Optional: true, Doc: "computes values in registers whose contents are dead in the meantime",
		After: []string{"coalesce"}, run: inMemory((*opt.Workspace).InPlace), renames: true},
	{Name: "empty_else", Optional: true, Doc: "removes empty else branches",
		Leaves: "no else without instructions",
		After:  []string{selectPass}, run: onFunc(opt.EmptyElse)},
	{Name: "legalize", Lanewise: true, Doc: "moves immediates, regions and descriptors to where the machine accepts them",
		Leaves: "operands that can be encoded, except for operands that later passes split",
		After:  []string{selectPass}, run: (*job).legalize},
	{Name: "end_fence", Lanewise: true, Doc: "completes atomics that return nothing before the end of the thread",
		Leaves: "a fence of the load/store unit before the last message",
		After:  []string{selectPass}, Needs: target.EndFence, run: onFunc(lower.FenceEnd)},
	{Name: "messages", Doc: "lowers logical messages to sends",
		Leaves: "no logical message, except spills and fills, which allocation lowers",
		After:  []string{selectPass, "end_fence"}, run: (*job).messages},
	// Before it, registers hold components of all lanes, and the descriptors of messages describe each of the two
	// halves.
	{Name: "split_simd32", Lanewise: true,
		Doc:    "splits instructions of 32 lanes into two halves of 16 if 32 doublewords take more than two registers",
		Leaves: "no operand that spans more than two registers",
		After:  []string{"coalesce", "legalize", "messages"}, run: onFunc(lower.SplitSIMD32)},
	{Name: "split_narrow", Lanewise: true, Doc: "splits instructions that the machine executes for fewer lanes at a time",
		Leaves: "no instruction wider than the machine supports for its operation",
		After:  []string{"legalize", "split_simd32"}, run: (*job).splitNarrow},
	{Name: "lower_align16", Lanewise: true, Doc: "moves the operands of three-source instructions to where Align16 words can address them",
		Leaves: "three-source operands that Align16 words can address",
		After:  []string{"legalize", "split_simd32"}, Needs: target.Align16Ternary, run: onFunc(lower.Align16)},
	{Name: "clear_accumulator", Lanewise: true, Doc: "clears the accumulator before the end of the thread if it was used",
		Leaves: "an accumulator that is zero at the end of the thread",
		After:  []string{"split_narrow"}, Needs: target.StaleAccumulator, run: onFunc(lower.ClearAccumulator)},
	{Name: "indirect", Lanewise: true, Doc: "turns reads at computed register indices into reads through an address register",
		Leaves: "no read at a computed register index except through an address register",
		After:  []string{"legalize", "split_simd32"}, run: onFunc(lower.Indirect)},
	{Name: "align_sources", Lanewise: true,
		Doc:    "copies operands of instructions on floats and 64-bit numbers to where their lanes are at the same places",
		Leaves: "operands of floats and 64-bit numbers whose lanes are where the result's are",
		After:  []string{"split_narrow", "lower_align16", "indirect"}, Needs: target.AlignedFloats, run: onFunc(lower.AlignSources)},
	{Name: schedulePass, Optional: true,
		Doc:   "orders the instructions of each block by latency, as far as they then fit into the register file",
		After: []string{"split_narrow", "dead_code", "lower_align16", "clear_accumulator", "indirect", "align_sources"},
		run:   (*job).schedule, reorders: true},
	{Name: allocatePass, Doc: "assigns virtual registers to the register file and spills those that do not fit",
		Leaves: "no virtual register",
		After: []string{"split_narrow", "read_lanes", "compare_zero", "same_flag", "dead_code", "empty_else", "lower_align16",
			"clear_accumulator", "indirect", "align_sources", schedulePass}, run: (*job).allocate, renames: true},
	{Name: "scratch_base", Doc: "places private memory after the spilled registers",
		Leaves: "the offset of private memory as a constant",
		After:  []string{allocatePass}, run: (*job).scratchBase},
	{Name: "first_lanes", Lanewise: true, Doc: "places an instruction that all lanes execute at the start, if there is none",
		Leaves: "a first instruction that is unmasked or has all lanes",
		After:  []string{allocatePass}, Needs: target.FirstLanes, run: onFunc(lower.FirstLanes)},
	{Name: guardPass, Doc: "keeps unmasked code in control flow from running in threads without lanes",
		Leaves: "no unmasked instruction that harms a thread without lanes",
		After:  []string{allocatePass, "scratch_base", "first_lanes"}, Needs: target.Fused, run: (*job).guard},
	{Name: boardPass, Doc: "sets the scoreboard fields, which encode the waits of each instruction",
		Leaves: "instructions with their scoreboard fields set",
		After:  []string{allocatePass, "scratch_base", "first_lanes", guardPass}, Needs: target.SoftwareScoreboard, run: (*job).scoreboard},
	{Name: encodePass, Doc: "writes machine code",
		Leaves: "machine code",
		After:  []string{boardPass}, run: (*job).encode},
})

// Passes returns the stages of the back end in the order in which they run.
func Passes() []Pass { return slices.Clone(passes) }

// ordered panics at program start if the constraints of a table do not hold.
func ordered(rows []Pass) []Pass {
	if err := checkOrder(rows); err != nil {
		panic("backend/intel: " + err.Error())
	}
	return rows
}

// checkOrder returns an error if the order of a table is wrong.
func checkOrder(rows []Pass) error {
	for i := range rows {
		if indexOf(rows[:i], rows[i].Name) >= 0 {
			return fmt.Errorf("pass %s is listed twice", rows[i].Name)
		}
		for _, name := range rows[i].After {
			if indexOf(rows[:i], name) < 0 {
				return fmt.Errorf("pass %s must run after %s", rows[i].Name, name)
			}
		}
	}
	return nil
}

// Runs reports whether a pass runs for a machine.
func Runs(name string, t *target.Target) bool {
	i := indexOf(passes, name)
	return i >= 0 && passes[i].runs(t)
}

// runs reports whether the pass runs for a machine.
func (p *Pass) runs(t *target.Target) bool {
	return t.Can(p.Needs) && !(p.Lanewise && t.Can(target.Vectors))
}

func indexOf(rows []Pass, name string) int {
	return slices.IndexFunc(rows, func(p Pass) bool { return p.Name == name })
}

// onFunc adapts a pass over the instructions of a function.
func onFunc(pass func(*mir.Func)) func(*job) error {
	return func(j *job) error {
		j.o.Work.Spend(j.u.Func.NumInsts())
		pass(j.u.Func)
		return nil
	}
}

// inMemory adapts a pass that visits every instruction and uses scratch memory kept by the compiler.
func inMemory(pass func(*opt.Workspace, *mir.Func)) func(*job) error {
	return func(j *job) error {
		j.o.Work.Spend(j.u.Func.NumInsts())
		pass(&j.c.opt, j.u.Func)
		return nil
	}
}

func (j *job) payloads() error {
	j.o.Work.Spend(j.u.Func.NumInsts())
	lower.Payloads(j.u.Func, j.o.Target.Messages)
	return nil
}

func (j *job) legalize() error {
	j.o.Work.Spend(j.u.Func.NumInsts())
	lower.Legalize(j.u.Func, j.o.Target.Can(target.HalfImmediates))
	return nil
}

func (j *job) messages() error {
	j.o.Work.Spend(j.u.Func.NumInsts())
	lower.Messages(j.u.Func, j.o.Target.Messages, j.o.Target.Platform)
	return nil
}

func (j *job) splitNarrow() error {
	j.o.Work.Spend(j.u.Func.NumInsts())
	lower.SplitNarrow(j.u.Func, j.spillsToSurface())
	return nil
}

// spillsToSurface reports whether the machine's scratch space is a surface whose state is in the extended descriptor of each
// message that spills, and thus in an address register.
func (j *job) spillsToSurface() bool { return j.spillSend().State != 0 }

// spillSend returns the machine's message that spills.
func (j *job) spillSend() *message.Send {
	return j.o.Target.Messages.Send(message.ScratchWrite, message.Nowhere)
}

// registers describes the machine's registers to the allocator.
func (j *job) registers() ra.Machine {
	t := j.o.Target
	scratch := lower.Scratch{Messages: t.Messages, Platform: t.Platform, Bytes: uint32(t.ScratchBytes), Taken: uint32(j.u.PrivateMemory())}
	m := ra.Machine{File: t.Registers, Account: j.u.Origins != nil, Reserve: j.reserve, Spill: scratch}
	if t.Can(target.Vectors) {
		m.Spill = lower.VectorScratch{Scratch: scratch}
	}
	return m
}

func (j *job) allocate() error {
	u := j.u
	if j.fits {
		st := j.c.ra.Apply()
		u.Registers = uint32(st.Registers)
		j.keep(st.Account)
		return nil
	}
	private, limit := uint32(u.PrivateMemory()), j.o.Target.ScratchBytes
	st, err := j.c.ra.Allocate(u.Func, j.registers())
	j.keep(st.Account)
	var scratch *ra.ScratchError
	switch { // a smaller width needs fewer registers
	case errors.As(err, &scratch) && uint64(private)+uint64(scratch.Need) > uint64(limit):
		return &WidthError{u.Func.Width,
			fmt.Sprintf("%d bytes of private memory and %d of spilled registers for a thread; %s has %d for both",
				private, scratch.Need, j.o.Target, limit)}
	case err != nil:
		return &WidthError{u.Func.Width, err.Error()}
	}
	u.SpillBytes, u.Spills = st.SpillBytes, uint32(st.Spills)
	u.Fills, u.Registers = uint32(st.Fills), uint32(st.Registers)
	return nil
}

// keep stores the account of the allocation and the set of instructions that it covers: instructions inserted
// later may reuse the numbers of removed ones.
func (j *job) keep(a *ra.Account) {
	if j.account = a; a == nil {
		return
	}
	j.counted = make([]bool, j.u.Func.NumInsts())
	for b := range j.u.Func.Blocks {
		for i := j.u.Func.Blocks[b].First; i != 0; i = j.u.Func.Next(i) {
			j.counted[i] = true
		}
	}
}

func (j *job) scratchBase() error {
	lower.ScratchBase(j.u.Func, j.u.SpillBytes)
	return nil
}

func (j *job) guard() error {
	j.o.Work.Spend(j.u.Func.NumInsts())
	if err := j.c.guard.Insert(j.u.Func, j.o.Target.Registers); err != nil {
		return err
	}
	if j.o.Verify {
		err := j.checked("what threads without lanes do", func(*work.Meter) error { return allocheck.CheckFused(j.u.Func) })
		if err != nil {
			return &CheckError{Pass: guardPass, Function: j.u.Func.Name, Err: err}
		}
	}
	return nil
}

// again restores the unit to its state before the first pass, to compile it again with registers reserved for
// guards. It returns false the second time, or if the unit came with allocated registers.
func (j *job) again() bool {
	switch {
	case j.reserve > 0:
		return false
	case j.s != nil:
		*j.u = mir.Unit{Func: j.u.Func}
	case j.start != nil:
		*j.u = *j.start
	default:
		return false
	}
	j.reserve = guard.Registers
	return true
}

func (j *job) scoreboard() error {
	j.c.swsb.Insert(j.u.Func, swsb.Machine{Pipes: inOrderPipes(j.o.Target), Words: j.o.Target.Registers.Words})
	return nil
}

// inOrderPipes returns the number of pipes of in-order instructions.
func inOrderPipes(machine *target.Target) int {
	switch {
	case machine.Can(target.MathInOrder):
		return swsb.FourPipes
	case machine.Can(target.Pipes):
		return swsb.ThreePipes
	}
	return swsb.OnePipe
}

func (j *job) encode() error {
	platform := j.o.Target.Platform
	j.c.perf.Begin(j.o.Target, j.u.Func.NumInsts())
	j.c.emit.Each = &j.c.perf
	var err error
	if j.code, j.stats, err = j.c.emit.Code(platform, j.u.Func, nil); err != nil {
		return err
	}
	if j.u.Origins != nil {
		j.lines = j.explained()
		j.more = j.facts()
	}
	if j.o.Verify && j.o.Target.Can(target.SoftwareScoreboard) {
		err := j.checked("what instructions wait for", func(meter *work.Meter) error {
			return hazards.Check(platform, j.code, boardOptions(j.o.Target, j.u.Func, meter))
		})
		if err != nil {
			return &CheckError{Pass: boardPass, Function: j.u.Func.Name, Err: err}
		}
	}
	return nil
}

// explained returns the origin of each instruction of the code.
func (j *job) explained() []Line {
	var lines []Line
	known := 0 // number of lines whose registers are known
	for i, at := range j.c.emit.Offsets() {
		lines = append(lines, Line{Offset: at, Origin: j.u.Origins[j.u.Func.At(i).Loc]})
		if int(i) >= len(j.counted) || !j.counted[i] {
			continue // inserted after allocation: it gets the number of the next one
		}
		for ; known < len(lines); known++ {
			lines[known].Registers = int(j.account.Occupied[i])
		}
	}
	return lines
}

// checkRenamed compares a function with its state before registers were reassigned.
func (j *job) checkRenamed(old *mir.Func) error {
	u := j.u
	o := allocheck.Options{LengthInMessage: j.o.Target.Platform.LengthInWord(j.spillSend().SFID)}
	if private := uint32(u.PrivateMemory()); u.After == allocatePass {
		o.ReservedFrom, o.ReservedTo = u.SpillBytes, u.SpillBytes+private
	}
	return allocheck.Check(old, u.Func, o)
}
