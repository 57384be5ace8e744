package eu

// Stage is the stage of a graphics pipeline that the threads of a dispatch belong to, with
// the fixed functions that their messages reach. Each of the threads is a workgroup of its own, with as many
// invocations as the dispatch has lanes.
type Stage struct {
	// Kind says which message ends a thread.
	Kind StageKind
	// Live returns the lanes of a thread that have a vertex or a pixel: its dispatch mask.
	Live func(thread int) uint32
	// VectorMask enables all four lanes of each quad with a live one, so that differences
	// between the pixels of a quad exist (TGL PRM vol. 9, "3DSTATE_PS", Vector Mask Enable).
	VectorMask bool

	// URB has the entries that a vertex thread's handles name.
	URB *URB
	// Outputs says of each doubleword of a URB entry whether something behind the stage reads it: what a thread
	// writes to the others may be undefined. Nil: all are read.
	Outputs []bool

	// Targets is the number of render targets, FirstTarget the first one's entry of the binding table.
	FirstTarget, Targets int
	// The parts of a render-target write that come with it if the pipeline's state says that
	// the shader computes them (TGL PRM vol. 2a, "3DSTATE_PS_EXTRA").
	WritesMask, WritesDepth, WritesStencil bool
	// Write receives a pixel of a render-target write.
	Write func(thread, lane int, w *TargetWrite)

	// Interpolate returns the barycentric coordinates of a lane's pixel for the second and the third
	// vertex at a place.
	Interpolate func(thread, lane int, at *Place) [2]float32
}

// StageKind is a stage of the graphics pipeline.
type StageKind uint8

// The stages.
const (
	VertexStage StageKind = iota
	FragmentStage
)

// quads returns a mask with all lanes of each group of four in which mask has one.
func quads(mask uint32) uint32 {
	mask |= mask >> 1 & 0x55555555
	mask |= mask >> 2 & 0x11111111
	return mask & 0x11111111 * 15
}

// enable sets the lanes of a thread that a stage starts: the mask that hardware keeps of those that are
// live, the one of their quads, and which of the two the thread runs with.
func (t *Thread) enable(s *Stage, lanes uint32) {
	t.live = lanes
	if s != nil && s.Live != nil {
		t.live &= s.Live(int(t.group.id[0]))
	}
	t.vector = quads(t.live)
	t.dispatch = t.live
	if s != nil && s.VectorMask {
		t.dispatch = t.vector
	}
	t.active = t.dispatch
}

// ends checks the last message of a thread. A vertex thread's is a URB write and a fragment
// thread's a write of the last render target: what comes after it in the pipeline waits for them (TGL PRM vol. 9,
// "Thread Termination").
func (t *Thread) ends(m *message) *opError {
	s := t.stage()
	switch {
	case s == nil:
	case s.Kind == VertexStage && !m.urbWrite:
		return operr(FaultMessage, "a vertex thread ends with a message that is not a URB write")
	case s.Kind == FragmentStage && !m.target.last:
		return operr(FaultMessage, "a fragment thread ends with a message that is not a write of the last render target")
	case s.Kind == FragmentStage && t.written != t.groupsOfPixels():
		return operr(FaultMessage, "a fragment thread ends without a write of the last render target for lanes %#x", ^t.written&t.groupsOfPixels())
	}
	return nil
}

// stage returns the stage that the thread belongs to, nil if it is one of a workgroup.
func (t *Thread) stage() *Stage { return t.group.machine.stage }

// groupsOfPixels returns the lanes that the thread has, live or not.
func (t *Thread) groupsOfPixels() uint32 { return uint32(uint64(1)<<t.simd - 1) }
