// SPDX-License-Identifier: MIT

package driver

import (
	"fmt"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Width is the width of a program and the reason for choosing it.
type Width struct {
	SIMD   int    `json:"simd"`
	Reason string `json:"reason"` // one of the constants below
	Text   string `json:"text"`   // the reason in words
}

// The reasons for a width.
const (
	WidthAsked      = "asked"           // Options.SIMD
	WidthVertex     = "vertex"          // vertex shaders run as many vertices per thread as the machine has
	WidthSubgroup   = "subgroup_size"   // the shader requires subgroups of this size
	WidthWorkgroup  = "small_workgroup" // a workgroup has at most as many invocations as the narrowest thread has lanes
	WidthUsual      = "usual"           // 16 lanes: without spills, or there is no code for eight lanes
	WidthSpills     = "spills"          // 16 lanes spill: of 16 and eight lanes, the width with fewer estimated cycles per lane
	WidthImpossible = "impossible"      // the preferred widths cannot be compiled
)

// chosen returns the reason for choosing the first width that could be compiled. The widths tried before it were
// impossible; asked is Options.SIMD.
func chosen(t *target.Target, s *ir.Shader, v *Variant, impossible []*intel.WidthError, asked int) Width {
	w := Width{SIMD: v.SIMD}
	n, least := s.Info.WorkgroupSize, t.Widths[0]
	switch size := n[0] * n[1] * n[2]; {
	case len(impossible) > 0:
		w.Reason, w.Text = WidthImpossible, fmt.Sprintf("SIMD%d is the first width that can be compiled: %s", v.SIMD, reasons(impossible))
	case asked != 0:
		w.Reason, w.Text = WidthAsked, "this width was requested"
	case s.Info.Stage == kind.StageVertex:
		w.Reason, w.Text = WidthVertex, fmt.Sprintf("a thread of a vertex shader has %d vertices", v.SIMD)
		if t.Vertex.Vertices(v.SIMD) != v.SIMD {
			w.Text = "a thread of a vertex shader has 2 vertices, with 4 lanes each"
		}
	case s.Info.Stage == kind.StageFragment:
		w.Reason, w.Text = WidthUsual, "SIMD16 is the first choice for fragment shaders"
	case s.Info.SubgroupSize != 0:
		w.Reason, w.Text = WidthSubgroup, fmt.Sprintf("the shader requires subgroups of %d", s.Info.SubgroupSize)
	case int(size) <= least:
		w.Reason, w.Text = WidthWorkgroup, fmt.Sprintf("the workgroup has %d invocations, for which %d lanes suffice", size, least)
	default:
		w.Reason, w.Text = WidthUsual, fmt.Sprintf("SIMD16 is the first choice for workgroups of more than %d invocations", least)
	}
	switch {
	case w.Reason != WidthUsual:
	case v.Stats.Spills > 0 && least > 8:
		w.Text += fmt.Sprintf("; it spills, but there is no SIMD8 on %s", t)
	case v.Stats.Spills > 0:
		w.Text += "; it spills, but SIMD8 cannot be compiled"
	default:
		w.Text += ", and it does not spill"
	}
	return w
}

// spilling returns the reason for the choice between SIMD16 code that spills (best is 0) and SIMD8 code (best is 1).
func spilling(wide, narrow *Variant, best int) Width {
	simd := [...]int{16, 8}[best]
	return Width{SIMD: simd, Reason: WidthSpills, Text: fmt.Sprintf(
		"SIMD16 spills, so SIMD8 was compiled too: they take %.1f and %.1f estimated cycles per lane, and SIMD%d was chosen",
		float64(wide.Cycles)/16, float64(narrow.Cycles)/8, simd)}
}

// preferred returns the widths to try, the best first. For a compute shader, the best is as many lanes as the workgroup
// fills, but at most 16, since each lane of a wider thread has too few registers; 32 is the last resort.
func preferred(s *ir.Shader, t *target.Target) []int {
	n := s.Info.WorkgroupSize
	switch {
	case s.Info.Stage == kind.StageVertex: // threads have as few vertices as possible
		return t.Widths[:1]
	case s.Info.Stage == kind.StageFragment:
		return []int{16, 8}
	case s.Info.SubgroupSize != 0:
		return []int{int(s.Info.SubgroupSize)}
	case n[0]*n[1]*n[2] <= 8:
		return []int{8, 16, 32}
	}
	return []int{16, 8, 32}
}
