// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// quads returns the lanes of all groups of four that have a lane in mask.
func quads(mask uint32) uint32 {
	mask |= mask >> 1 & 0x55555555
	mask |= mask >> 2 & 0x11111111
	return mask & 0x11111111 * 15
}

// Enable sets the masks of a thread at its start: the dispatch mask, the vector mask, and the lanes that run, which are
// one of the two. The dispatch mask is lanes, without the lanes that stage s has no work for. s is nil if the thread has
// no stage.
func Enable(t *thread.Thread, s *thread.Stage, lanes uint32) {
	t.Live = lanes
	if s != nil && s.Live != nil {
		t.Live &= s.Live(int(t.Group.Id[0]))
	}
	t.Vector = quads(t.Live)
	t.Dispatch = t.Live
	if s != nil && s.VectorMask {
		t.Dispatch = t.Vector
	}
	t.Active = t.Dispatch
}

// ends checks the last message of a thread: a URB write for a vertex thread, and a write of the last render
// target for a fragment thread. The rest of the pipeline waits for them (TGL PRM vol. 9, "Thread Termination").
func ends(t *thread.Thread, m *thread.Message) *thread.OpError {
	if t.Unsettled && t.Prog.Machine.Can(target.EndFence) {
		return thread.Operr(thread.FaultMessage,
			"the thread ends after an atomic without a result and no fence of the load/store unit (Wa_22013689345)")
	}
	s := t.Stage()
	switch {
	case s == nil:
	case s.Kind == thread.VertexStage && !m.UrbWrite:
		return thread.Operr(thread.FaultMessage, "a vertex thread ends with a message that is not a URB write")
	case s.Kind == thread.VertexStage && m.Urb.Vectors && !m.Urb.Complete:
		return thread.Operr(thread.FaultMessage, "a vertex thread ends without completing its URB entries")
	case s.Kind == thread.FragmentStage && !m.Target.Last:
		return thread.Operr(thread.FaultMessage, "a fragment thread ends with a message that is not a write of the last render target")
	case s.Kind == thread.FragmentStage && t.Written != groupsOfPixels(t):
		return thread.Operr(thread.FaultMessage, "a fragment thread ends without a write of the last render target for lanes %#x",
			^t.Written&groupsOfPixels(t))
	}
	return nil
}

// groupsOfPixels returns all lanes of the thread, live or not.
func groupsOfPixels(t *thread.Thread) uint32 { return uint32(uint64(1)<<t.Simd - 1) }
