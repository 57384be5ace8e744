package eu

// Stage is the stage of a graphics pipeline to which the threads of a dispatch belong, with the fixed functions
// that their messages reach. Each thread is a workgroup of its own, with as many invocations as the dispatch
// has lanes.
type Stage struct {
	// Kind determines the message that ends a thread.
	Kind StageKind
	// Live returns the dispatch mask of a thread: the lanes that have a vertex or a pixel.
	Live func(thread int) uint32
	// VectorMask enables all four lanes of each quad with a live lane, so that differences between the pixels
	// of a quad exist (TGL PRM vol. 9, "3DSTATE_PS", Vector Mask Enable).
	VectorMask bool

	// URB has the entries that a vertex thread's handles refer to.
	URB *URB
	// Outputs marks the doublewords of a URB entry that later stages or fixed functions read: a thread may
	// write undefined values to the others. Nil means that all are read.
	Outputs []bool

	// Targets is the number of render targets; FirstTarget is the binding table index of the first one.
	FirstTarget, Targets int
	// WritesMask, WritesDepth and WritesStencil declare that the shader computes these values, so that
	// render-target writes carry them (TGL PRM vol. 2a, "3DSTATE_PS_EXTRA").
	WritesMask, WritesDepth, WritesStencil bool
	// Write receives each pixel of a render-target write.
	Write func(thread, lane int, w *TargetWrite)

	// Interpolate returns the barycentric coordinates of a place in a lane's pixel, for the second and the
	// third vertex.
	Interpolate func(thread, lane int, at *Place) [2]float32
}

// StageKind is a stage of the graphics pipeline.
type StageKind uint8

// The stages.
const (
	VertexStage StageKind = iota
	FragmentStage
)

// quads returns the lanes of all groups of four that have a lane in mask.
func quads(mask uint32) uint32 {
	mask |= mask >> 1 & 0x55555555
	mask |= mask >> 2 & 0x11111111
	return mask & 0x11111111 * 15
}

// enable sets the lanes of a thread of a stage: the dispatch mask, the vector mask, and the lanes that run,
// which are one of the two.
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

// ends checks the last message of a thread: a URB write for a vertex thread, and a write of the last render
// target for a fragment thread. The rest of the pipeline waits for them (TGL PRM vol. 9, "Thread Termination").
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

// stage returns the stage of the thread, or nil if the thread belongs to a workgroup.
func (t *Thread) stage() *Stage { return t.group.machine.stage }

// groupsOfPixels returns all lanes of the thread, live or not.
func (t *Thread) groupsOfPixels() uint32 { return uint32(uint64(1)<<t.simd - 1) }
