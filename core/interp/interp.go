// SPDX-License-Identifier: MIT

// Package interp interprets the IR of shaders, both before memory accesses are lowered (through derefs) and after (by
// offsets).
//
// [Run] executes a [Call] of a compute shader on buffers and images. A [Stage] executes a vertex or fragment shader,
// subgroup by subgroup, for a caller that supplies inputs, builtins and outputs as a [Fixed]. The package is
// independent of targets and machine code. It is the reference for the model of the execution units, with which it
// shares only the formats and sampling of core/texture and the arithmetic of core/num.
//
// The invocations of a subgroup run in lockstep: the then arm of an if before the else arm, and a loop until all of
// them have left it. The subgroups of a workgroup take turns. A turn lasts until the subgroup ends, waits at a barrier
// (the last to arrive there continues), or has executed 4096 loop iterations, so that a subgroup may poll memory that a
// later one writes. Workgroups run one after the other, x fastest, and must not wait for later ones. A run is thus
// deterministic. Undefined values are pseudo-random numbers from a seed; reads outside a buffer return 0 and writes
// outside it are dropped.
package interp

import (
	"context"
	"fmt"
	"slices"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Buffer is the memory bound to a descriptor.
type Buffer struct {
	Set, Binding uint32
	Element      uint32 // element of an array of descriptors
	Address      uint64 // the address at which shaders can access it; 0 if none
	Data         []byte
}

// Call is one dispatch.
type Call struct {
	Groups  [3]uint32
	Width   int // invocations per subgroup, 1 to 64
	Buffers []Buffer
	Images  []Image
	Handles Handles
	Push    []byte
	// MaxSteps bounds the number of executed instructions, each counted once per subgroup
	// (and several times if it accesses much memory); 0 means a default.
	MaxSteps uint64
	Seed     uint64 // for undefined values, and how fast the clock runs
	Clock    uint64 // the time at which the dispatch starts
	// Backwards reverses the order of the workgroups, of the subgroups in a workgroup, and of the memory accesses of
	// the invocations in a subgroup. If a result changes, the shader has a race.
	Backwards bool
	// KeepQuads turns killed fragment invocations into helpers as long as another invocation of their quad is alive, as
	// drivers do, so that the quad has derivatives. Values that a helper would compute from instructions it skipped are
	// undefined. If KeepQuads is false, derivatives that read a killed invocation are undefined.
	KeepQuads bool
	Only      *[3]uint32 // the only workgroup of Groups that runs; nil if all run
	// Override, if set, may compute an ALU operation in place of the constant folder. It has the parameters of
	// fold.Eval, and returns false to leave the operation to the folder. Callers use it to match a machine whose
	// approximations differ in the last bits.
	Override func(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool
	// Watch, if set, is called with each result of a subgroup: mask has the invocations that computed it, and component
	// c of invocation i is result[c·Width + i].
	Watch func(s *ir.Shader, group [3]uint32, subgroup int, v ir.Value, mask uint64, result []uint64)
}

// Stats counts executed instructions and accesses out of bounds.
type Stats struct {
	Steps uint64 // instructions, once per subgroup
	Lanes uint64 // the same times the active invocations
	// Outside counts accesses outside an image. Before derefs are lowered it also counts out-of-bounds array indices
	// and accesses outside an object. If it is not 0, the results of the shader are undefined.
	Outside uint64
}

// Add adds the counts of another run.
func (s *Stats) Add(t Stats) {
	s.Steps += t.Steps
	s.Lanes += t.Lanes
	s.Outside += t.Outside
}

const defaultSteps = 1 << 32

// Error reports that a shader cannot be executed further.
type Error struct {
	Func  string
	Instr string
	Msg   string
}

func (e *Error) Error() string {
	if e.Instr == "" {
		return "interpreter: " + e.Msg
	}
	return fmt.Sprintf("interpreter: %s in %s: %s", e.Instr, e.Func, e.Msg)
}

// stopped is a panic with the error of a context that is done.
type stopped struct{ err error }

// Run executes a dispatch; the buffers are modified in place. It stops soon after ctx is
// done, wherever the shader is, and returns the context's error.
func Run(ctx context.Context, s *ir.Shader, call *Call) (stats Stats, err error) {
	if err := supported(s, call); err != nil {
		return stats, err
	}
	n := s.Info.WorkgroupSize
	total := uint64(n[0]) * uint64(n[1]) * uint64(n[2])
	if total == 0 || total > 4096 {
		return stats, &Error{Msg: fmt.Sprintf("a workgroup of %dx%dx%d invocations is not supported", n[0], n[1], n[2])}
	}
	m, err := newMachine(ctx, s, call, uint32(total))
	if err != nil {
		return stats, err
	}
	defer func() {
		stats = m.stats
		err = caught(recover())
	}()
	g := call.Groups
	if only := call.Only; only != nil {
		if only[0] < g[0] && only[1] < g[1] && only[2] < g[2] {
			m.group(*only)
		}
		return m.stats, nil
	}
	for z := range g[2] {
		for y := range g[1] {
			for x := range g[0] {
				id := [3]uint32{x, y, z}
				if call.Backwards {
					id = [3]uint32{g[0] - 1 - x, g[1] - 1 - y, g[2] - 1 - z}
				}
				m.group(id)
			}
		}
	}
	return m.stats, nil
}

// supported returns an error if a call cannot be executed.
func supported(s *ir.Shader, call *Call) error {
	if call.Width < 1 || call.Width > 64 {
		return &Error{Msg: fmt.Sprintf("a subgroup of %d invocations is not supported", call.Width)}
	}
	if s.Entry() == 0 {
		return &Error{Msg: "the shader has no entry point"}
	}
	return nil
}

// caught returns the error that a panic of the interpreter carries, and panics again with any other value.
func caught(r any) error {
	switch r := r.(type) {
	case nil:
		return nil
	case *Error:
		return r
	case stopped:
		return r.err
	}
	panic(r)
}

// stretch is the number of steps between two checks of the context. Even the slowest instructions take far less than a
// second for it.
const stretch = 1 << 10

// pause is called when a stretch of steps has been used up. It grants the next stretch unless the context is done or
// the limit of steps is reached.
func (m *machine) pause() {
	if err := m.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	if m.left == 0 {
		panic(&Error{Msg: "the step limit was reached; possibly an infinite loop"})
	}
	m.steps = min(m.left, stretch)
	m.left -= m.steps
}

// spend counts n steps for work beyond a single instruction.
func (m *machine) spend(n uint64) {
	for n > m.steps {
		n -= m.steps
		m.pause()
	}
	m.steps -= n
}

// touch counts the steps of an access to n bytes of memory.
func (m *machine) touch(n int) { m.spend(uint64(n) / 256) }

type machine struct {
	ctx      context.Context
	s        *ir.Shader
	call     *Call
	mode     num.Mode
	width    int
	total    uint32 // invocations per workgroup
	shared   []byte
	table    []int // binding table: object of each entry, -1
	samplers []int // the same for samplers
	handles  handles
	res      *resources
	varObj   []int // first object of each variable, -1
	objs     []object
	funcVars [][]ir.Var // variables of each function, once one is called
	counts   []uint32   // descriptors of each variable
	private  int        // bytes of private memory per invocation
	held     int        // bytes of memory of the workgroup's subgroups
	layouts  layouts
	stats    Stats
	clock    uint64 // the last value read from the clock
	steps    uint64 // steps left before the next check of the context
	left     uint64 // steps left after steps is used up
}

// newMachine prepares a shader whose workgroups (or subgroups, of a stage) have total invocations.
func newMachine(ctx context.Context, s *ir.Shader, call *Call, total uint32) (*machine, error) {
	m := &machine{ctx: ctx, s: s, call: call, mode: analysis.FloatMode(s), width: call.Width, left: call.MaxSteps,
		clock: call.Clock, res: newResources(call)}
	if m.left == 0 {
		m.left = defaultSteps
	}
	m.total = total
	m.objs = append(m.objs, object{}) // object 0: a null pointer refers to no memory
	m.varObj = make([]int, s.NumVars())
	m.counts = make([]uint32, s.NumVars())
	for i := range m.varObj {
		m.varObj[i] = -1
	}
	for x := range s.Vars(kind.ModeUBO | kind.ModeSSBO | kind.ModeImage | kind.ModeUniform) {
		v := s.Var(x)
		m.varObj[x] = len(m.objs)
		count, _ := s.Types.Descriptors(v.Type)
		count = m.res.elements(v.Mode, v.Set, v.Binding, count)
		if err := m.room(count); err != nil {
			return nil, err
		}
		m.counts[x] = count
		for e := range count {
			m.objs = append(m.objs, m.res.object(v.Mode, v.Set, v.Binding, e))
		}
	}
	for _, b := range s.Info.Bindings {
		last := b.Sampler
		if b.Index != ir.NoIndex {
			last = max(last, b.Index)
		}
		if err := m.room(ir.SatAdd(last, b.Count)); err != nil {
			return nil, err
		}
		for e := range b.Count {
			if b.Index != ir.NoIndex {
				m.table = listed(m.table, b.Index+e, len(m.objs))
			}
			if b.Sampler != 0 {
				m.samplers = listed(m.samplers, b.Sampler-1+e, len(m.objs))
			}
			if b.Mode == kind.ModeConstant {
				m.objs = append(m.objs, object{data: s.Info.ConstData, size: len(s.Info.ConstData)})
				continue
			}
			m.objs = append(m.objs, m.res.object(b.Mode, b.Set, b.Binding, e))
		}
	}
	if err := m.bindHandles(); err != nil {
		return nil, err
	}
	m.layouts.start(&s.Types)
	if err := m.placeShared(); err != nil {
		return nil, err
	}
	for x := range s.Vars(kind.ModePushConstant) {
		m.varObj[x] = len(m.objs)
		m.objs = append(m.objs, object{data: call.Push, size: len(call.Push)})
	}
	private := uint64(s.Info.ScratchSize)
	for x := range s.Vars(kind.ModeFunctionTemp | kind.ModeShaderTemp) {
		size := m.layouts.extent(inDwords, s.Var(x).Type).size
		private = min(private+size, huge)
		m.varObj[x] = len(m.objs)
		m.objs = append(m.objs, object{private: true, layout: inDwords, size: int(size)})
	}
	if private > maxPrivate {
		return nil, &Error{Msg: fmt.Sprintf("%d bytes of private memory; the limit is %d", private, maxPrivate)}
	}
	m.private = int(private)
	return m, nil
}

// Limits of a run. The memory of a workgroup is the values and private memory of the subgroups that have started and
// not ended.
const (
	maxPrivate     = 1 << 20 // bytes of an invocation's variables and scratch memory
	maxShared      = 1 << 20 // bytes of a workgroup's variables
	maxObjects     = 1 << 20 // descriptors and variables
	maxDescriptors = 1 << 12 // per array
	maxMemory      = 1 << 30 // bytes of a workgroup's subgroups
)

// room returns an error if there are more descriptors than allowed.
func (m *machine) room(n uint32) error {
	if n > maxDescriptors || len(m.objs) > maxObjects {
		return &Error{Msg: fmt.Sprintf("too many descriptors; the limits are %d per array and %d in total", maxDescriptors, maxObjects)}
	}
	return nil
}

// listed sets the entry of a table at an index to an object, and returns the table, which grows if necessary.
func listed(table []int, at uint32, object int) []int {
	for len(table) <= int(at) {
		table = append(table, -1)
	}
	table[at] = object
	return table
}

// placeShared allocates workgroup memory. Variables without an offset are placed one after another; all blocks start at
// 0.
func (m *machine) placeShared() error {
	s := m.s
	size := func(x ir.Var) uint64 { return m.layouts.extent(layoutOfVar(s, x), s.Var(x).Type).size }
	total := uint64(s.Info.SharedSize)
	for x := range s.Vars(kind.ModeShared) {
		if s.Var(x).SharesMemory(&s.Types) {
			s.Var(x).Offset = 0
			total = max(total, upTo(size(x), 16))
		}
	}
	for x := range s.Vars(kind.ModeShared) {
		if !s.Var(x).SharesMemory(&s.Types) && s.Info.SharedSize == 0 { // not laid out yet
			s.Var(x).Offset = uint32(min(total, maxShared))
			total = min(upTo(total+size(x), 16), huge)
		}
	}
	if total > maxShared {
		return &Error{Msg: fmt.Sprintf("%d bytes of workgroup memory; the limit is %d", total, maxShared)}
	}
	m.shared = make([]byte, total)
	for x := range s.Vars(kind.ModeShared) {
		at := min(uint64(s.Var(x).Offset), total)
		data := m.shared[at:min(at+size(x), total)]
		m.varObj[x] = len(m.objs)
		m.objs = append(m.objs, object{data: data, layout: layoutOfVar(s, x), size: len(data)})
	}
	return nil
}

// hold counts n bytes toward a workgroup's memory.
func (m *machine) hold(n int) {
	if m.held += n; m.held > maxMemory {
		panic(&Error{Msg: fmt.Sprintf("the values of a workgroup's invocations exceed %d MiB", maxMemory>>20)})
	}
}

// group executes one workgroup.
func (m *machine) group(id [3]uint32) {
	m.spend(8)
	m.touch(len(m.shared))
	m.fill(m.shared)
	m.held = 0
	for x := range m.s.Vars(kind.ModeShared) {
		if m.s.Var(x).ZeroInit {
			clear(m.objs[m.varObj[x]].data)
		}
	}
	n := (int(m.total) + m.width - 1) / m.width
	if n == 1 {
		m.newSubgroup(id, 0, nil).run()
		return
	}
	m.schedule(id, n)
}

// iterationsPerTurn is the number of loop iterations after which the next subgroup has its turn.
const iterationsPerTurn = 1 << 12

// schedule runs the subgroups of a workgroup in turn. A turn ends when the subgroup ends, reaches a barrier before the
// others, or has executed iterationsPerTurn loop iterations.
func (m *machine) schedule(id [3]uint32, n int) {
	type thread struct {
		resume chan bool
		yield  chan any // nil: waits at a barrier or for its next turn; done: ended; otherwise its panic value
		phase  int      // barriers passed
		wait   bool
		ended  bool
	}
	type done struct{}
	ts := make([]*thread, n)
	arrived, phase := 0, 0
	for i := range ts {
		t := &thread{resume: make(chan bool), yield: make(chan any)}
		next := func() { // the next subgroup's turn
			t.yield <- nil
			if !<-t.resume {
				panic(done{})
			}
		}
		barrier := func() {
			t.phase++
			if arrived++; arrived == n { // the last one opens the barrier and continues
				arrived, phase = 0, t.phase
				return
			}
			next()
		}
		ts[i] = t
		go func() {
			defer func() {
				if r := recover(); r != nil {
					t.yield <- r
					return
				}
				t.yield <- done{}
			}()
			if !<-t.resume {
				panic(done{})
			}
			sg := m.newSubgroup(id, i, barrier)
			sg.next = next
			sg.run()
			m.held -= sg.held
		}()
	}
	stop := func() {
		for _, t := range ts {
			if !t.ended {
				t.resume <- false
				<-t.yield
			}
		}
	}
	order := slices.Clone(ts)
	if m.call.Backwards {
		slices.Reverse(order)
	}
	for left := n; left > 0; {
		moved := false
		for _, t := range order {
			if t.ended || t.wait && t.phase > phase {
				continue
			}
			moved = true
			t.resume <- true
			switch r := (<-t.yield).(type) {
			case nil:
				t.wait = true
			case done:
				t.ended = true
				left--
			default:
				t.ended = true
				stop()
				panic(r)
			}
		}
		if !moved {
			stop()
			panic(&Error{Msg: "some invocations of a workgroup wait at a barrier that others never reach"})
		}
	}
}

// fill fills undefined memory with arbitrary bytes.
func (m *machine) fill(b []byte) {
	x := m.call.Seed*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x >> 32)
	}
}

// subgroup is the state of a subgroup, whose invocations run in lockstep.
type subgroup struct {
	*machine
	held       int // bytes of memory
	id         [3]uint32
	num        int // number of the subgroup in its workgroup
	barrier    func()
	next       func()     // lets the other subgroups of the workgroup run; nil if there are none
	iterations uint32     // loop iterations in this turn
	vals       [][]uint64 // by value: component·width + lane
	slab       []uint64
	from       []ir.Node // by lane: the block it left last
	priv       [][]byte  // by object
	scratch    []byte
	regs       [][]uint64
	halted     uint64
	stage      *stage     // nil in compute shaders
	calls      []ir.Value // calls in progress
	tmp        []uint64
	src        [op.MaxSrc][fold.MaxComps]uint64
	dst        [fold.MaxComps]uint64
}

func (m *machine) newSubgroup(id [3]uint32, n int, barrier func()) *subgroup {
	g := &subgroup{machine: m, id: id, num: n, barrier: barrier}
	const header = 24 // bytes of a slice; each value, object and register has one
	size := header*(m.s.NumValues()+len(m.objs)+int(m.s.Regs.Num())) + m.private*m.width
	g.hold(size)
	g.touch(size)
	g.vals = make([][]uint64, m.s.NumValues())
	g.from = make([]ir.Node, m.width)
	g.priv = make([][]byte, len(m.objs))
	for i := range m.objs {
		if m.objs[i].private {
			g.priv[i] = make([]byte, m.objs[i].size*m.width)
			m.fill(g.priv[i])
		}
	}
	g.scratch = make([]byte, int(m.s.Info.ScratchSize)*m.width)
	m.fill(g.scratch)
	g.regs = make([][]uint64, m.s.Regs.Num())
	return g
}

// arbitrary returns arbitrary bits for undefined values.
func (g *subgroup) arbitrary(n uint32, size uint8) uint64 {
	return (g.call.Seed + uint64(n)) * 0x9e3779b97f4a7c15 >> 7 & (^uint64(0) >> (64 - size))
}

// hold counts n bytes toward the subgroup's memory.
func (g *subgroup) hold(n int) {
	g.held += n
	g.machine.hold(n)
}

// slot returns the memory of a value's result. Until the instruction has run for a lane, the lane's component is
// arbitrary, and different in each lane.
func (g *subgroup) slot(v ir.Value) []uint64 {
	if x := g.vals[v]; x != nil {
		return x
	}
	in := g.s.At(v)
	n := int(in.Comps) * g.width
	if len(g.slab) < n {
		size := max(n, 1<<14)
		g.hold(8 * size)
		g.slab = make([]uint64, size)
	}
	x := g.slab[:n:n]
	g.slab = g.slab[n:]
	for i := range x {
		x[i] = g.arbitrary(uint32(v)+uint32(i)<<20, in.Bits)
	}
	g.vals[v] = x
	return x
}

func (g *subgroup) fail(v ir.Value, format string, args ...any) {
	in := g.s.At(v)
	name := in.Kind.String()
	switch in.Kind {
	case kind.ALU:
		name = in.ALUOp().String()
	case kind.Intrinsic:
		name = in.Intrinsic().String()
	}
	panic(&Error{Func: functionOf(g.s, in.Block()), Instr: name, Msg: fmt.Sprintf(format, args...)})
}

// functionOf returns the name of the function that contains a node.
func functionOf(s *ir.Shader, n ir.Node) string {
	for s.NodeKind(n) != ir.NodeFunc {
		n = s.Parent(n)
	}
	for f := range s.Funcs() {
		if s.Func(f).Node == n {
			return s.Strs.Text(s.Func(f).Name)
		}
	}
	return ""
}

// run runs the entry point for the existing invocations.
func (g *subgroup) run() {
	first := uint32(g.num * g.width)
	n := min(g.total-first, uint32(g.width))
	mask := ^uint64(0) >> (64 - n)
	g.function(g.s.Entry(), mask)
}

func (g *subgroup) function(f ir.Func, mask uint64) {
	fr := frame{}
	g.list(g.s.Body(g.s.Func(f).Node), mask, &fr)
}

// freshVars makes the variables of a called function undefined, so that values of an earlier call are gone.
func (g *subgroup) freshVars(f ir.Func, mask uint64) {
	if g.funcVars == nil {
		g.funcVars = make([][]ir.Var, g.s.NumFuncs())
		for x := range g.s.Vars(kind.ModeFunctionTemp) {
			of := g.s.Var(x).Func
			g.funcVars[of] = append(g.funcVars[of], x)
		}
	}
	for _, x := range g.funcVars[f] {
		obj := g.varObj[x]
		n := g.objs[obj].size
		g.touch(n * popcount(mask))
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			g.fill(g.priv[obj][l*n:][:n])
		}
	}
}

// frame collects the invocations that jump out of a loop's body (break, continue) or out of the function (return).
type frame struct {
	brk, cont, ret uint64
}

// list runs the nodes of a control-flow list, starting at n, for the invocations in mask. It returns the invocations that
// reach the end of the list.
func (g *subgroup) list(n ir.Node, mask uint64, fr *frame) uint64 {
	s := g.s
	for ; n != 0; n = s.NextNode(n) {
		if mask == 0 {
			return 0
		}
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			mask = g.block(n, mask, fr)
		case ir.NodeIf:
			cond := s.Cond(n)
			c := g.laneMask(cond, mask)
			t := g.list(s.Then(n), c, fr)
			mask = t | g.list(s.Else(n), mask&^c, fr)
		case ir.NodeLoop:
			mask = g.loop(n, mask, fr)
		}
	}
	return mask
}

func (g *subgroup) laneMask(cond ir.Src, mask uint64) uint64 {
	x := g.read(cond.Val)[int(cond.Swz.Comp(0))*g.width:]
	out := uint64(0)
	for l := range g.width {
		if mask>>l&1 != 0 && x[l] != 0 {
			out |= 1 << l
		}
	}
	return out
}

func (g *subgroup) loop(n ir.Node, mask uint64, outer *frame) uint64 {
	var exit uint64
	for mask != 0 {
		fr := frame{}
		fall := g.list(g.s.Body(n), mask, &fr)
		exit |= fr.brk
		outer.ret |= fr.ret
		mask = fall | fr.cont
		gone := g.abandoned(mask)
		exit |= gone
		mask &^= gone
		if g.iterations++; g.iterations >= iterationsPerTurn && g.next != nil {
			g.iterations = 0
			g.next()
		}
		g.spend(1) // an empty loop uses up steps too
	}
	return exit
}

// block runs the instructions of a block and returns the invocations that reach its end.
func (g *subgroup) block(b ir.Node, mask uint64, fr *frame) uint64 {
	s := g.s
	v := s.First(b)
	if v != 0 && s.At(v).Kind == kind.Phi {
		first := v
		for v = g.phis(v, mask); first != v; first = s.At(first).Next() {
			g.watch(first, mask)
		}
	}
	lanes := uint64(popcount(mask))
	for ; v != 0; v = s.At(v).Next() {
		if g.steps == 0 {
			g.pause()
		}
		g.steps--
		g.stats.Steps++
		g.stats.Lanes += lanes
		in := s.At(v)
		switch in.Kind {
		case kind.ALU:
			g.alu(v, in, mask)
		case kind.Intrinsic:
			g.intrinsic(v, in, mask)
		case kind.Jump:
			g.leave(b, mask)
			switch kind.JumpKind(in.Op) {
			case kind.JumpBreak:
				fr.brk |= mask
			case kind.JumpContinue:
				fr.cont |= mask
			case kind.JumpReturn:
				fr.ret |= mask
			case kind.JumpTerminate:
				g.halted |= mask
			case kind.JumpHalt:
				return g.kill(mask)
			}
			return 0
		case kind.Call:
			g.calls = append(g.calls, v)
			callee := ir.Func(s.Words(v)[kind.FieldCallCallee])
			g.freshVars(callee, mask)
			g.function(callee, mask)
			g.calls = g.calls[:len(g.calls)-1]
			if mask &^= g.halted; mask == 0 {
				return 0
			}
		default:
			g.other(v, in, mask)
		}
		if g.call.Watch != nil {
			g.watch(v, mask)
		}
	}
	g.leave(b, mask)
	return mask
}

// watch passes a result to Call.Watch.
func (g *subgroup) watch(v ir.Value, mask uint64) {
	if g.call.Watch != nil && g.s.At(v).HasResult() {
		g.call.Watch(g.s, g.id, g.num, v, mask, g.slot(v))
	}
}

// turn returns the i-th lane in the order in which the lanes of a subgroup access memory.
func (g *subgroup) turn(i int) int {
	if g.call.Backwards {
		return g.width - 1 - i
	}
	return i
}

func (g *subgroup) leave(b ir.Node, mask uint64) {
	for l := range g.width {
		if mask>>l&1 != 0 {
			g.from[l] = b
		}
	}
}

// phis executes the phis at the start of a block simultaneously, and returns the first
// instruction after them.
func (g *subgroup) phis(first ir.Value, mask uint64) ir.Value {
	s := g.s
	g.tmp = g.tmp[:0]
	v := first
	for ; v != 0 && s.At(v).Kind == kind.Phi; v = s.At(v).Next() {
		in := s.At(v)
		g.spend(uint64(int(in.NSrc)*popcount(mask)) / 128)
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			at := -1
			for i := range int(in.NSrc) {
				if s.PhiPred(v, i) == g.from[l] {
					at = i
				}
			}
			if at < 0 && g.killed(l) {
				for c := range int(in.Comps) {
					g.tmp = append(g.tmp, g.arbitrary(uint32(v)+uint32(c*g.width+l)<<20, in.Bits))
				}
				continue
			}
			if at < 0 {
				g.fail(v, "control came from a block for which the phi has no source")
			}
			r := s.Src(v, at)
			x := g.read(r.Val)
			for c := range int(in.Comps) {
				g.tmp = append(g.tmp, x[int(r.Swz.Comp(c))*g.width+l])
			}
		}
	}
	at := 0
	for p := first; p != v; p = s.At(p).Next() {
		out := g.slot(p)
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			for c := range int(s.At(p).Comps) {
				out[c*g.width+l] = g.tmp[at]
				at++
			}
		}
	}
	return v
}

// read returns a value's result.
func (g *subgroup) read(v ir.Value) []uint64 {
	if x := g.vals[v]; x != nil {
		return x
	}
	return g.slot(v)
}

func (g *subgroup) alu(v ir.Value, in *ir.Instr, mask uint64) {
	s := g.s
	o := in.ALUOp()
	info := o.Info()
	if info.Has(op.Derivative) {
		g.derivative(v, in, mask)
		return
	}
	out := g.slot(v)
	var x [op.MaxSrc][]uint64
	var r [op.MaxSrc]ir.Src
	bits := uint8(0)
	for i := range int(in.NSrc) {
		r[i] = s.Src(v, i)
		x[i] = g.read(r[i].Val)
		if info.Src[i].Bits == 0 {
			bits = s.At(r[i].Val).Bits
		}
	}
	if bits == 0 && in.NSrc > 0 {
		bits = s.At(r[0].Val).Bits
	}
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		for i := range int(in.NSrc) {
			for c := range int(r[i].N) {
				g.src[i][c] = x[i][int(r[i].Swz.Comp(c))*g.width+l]
			}
		}
		if f := g.call.Override; f != nil && f(o, bits, &g.src, &g.dst, g.mode) {
			// done
		} else if !fold.Eval(o, bits, in.Comps, &g.src, &g.dst, g.mode) {
			g.fail(v, "it is not defined at %d bits", bits)
		}
		for c := range int(in.Comps) {
			out[c*g.width+l] = g.dst[c]
		}
	}
}

func (g *subgroup) other(v ir.Value, in *ir.Instr, mask uint64) {
	s := g.s
	switch in.Kind {
	case kind.LoadConst:
		out := g.slot(v)
		for c := range int(in.Comps) {
			x := s.Const(v, c)
			for l := range g.width {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = x
				}
			}
		}
	case kind.Undef:
		out, x := g.slot(v), g.arbitrary(uint32(v), in.Bits)
		for c := range int(in.Comps) {
			for l := range g.width {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = x
				}
			}
		}
	case kind.Deref:
		g.deref(v, in, mask)
	case kind.Tex:
		g.texture(v, in, mask)
	default:
		g.fail(v, "cannot be interpreted")
	}
}
