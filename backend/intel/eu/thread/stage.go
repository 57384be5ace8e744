package thread

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

// Stage returns the stage of the thread, or nil if the thread belongs to a workgroup.
func (t *Thread) Stage() *Stage { return t.Group.Machine.Stage }
