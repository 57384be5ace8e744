// SPDX-License-Identifier: MIT

package driver

import (
	"cmp"
	"math"
	"strings"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/launch"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// abiOf describes how to run the output of the back end.
func abiOf(t *target.Target, b *intel.Binary) launch.ABI {
	a := &b.ABI
	out := launch.ABI{
		Name: a.Name, Version: a.Version, Hash: a.Hash,
		LocalSize: a.WorkgroupSize, SharedBytes: int(a.SharedBytes), PushBytes: int(a.PushBytes), Barrier: a.UsesBarrier,
		SizesOffset: int(a.SizesOffset), SizesCount: a.SizesCount,
		AddressesOffset: int(a.AddressesOffset), AddressesCount: a.AddressesCount,
		ReadsView: a.ReadsView, Bindings: make([]launch.Resource, a.Buffers),
		Constants: b.Constants,
	}
	if a.ReadsView {
		out.ViewOffset = int(a.ViewOffset)
	}
	if a.ReadsConstants {
		out.ReadsConstants, out.ConstantsOffset = true, int(a.ConstantsOffset)
	}
	for i := range out.Bindings {
		out.Bindings[i] = launch.Resource{Set: math.MaxUint32, Binding: math.MaxUint32, Kind: unusedKind}
	}
	for _, r := range a.Ranges {
		out.Ranges = append(out.Ranges, launch.Range{Entry: int(r.Entry), Start: int(r.Start), Bytes: int(r.Bytes), Offset: int(r.Offset)})
	}
	for _, x := range a.Payload {
		out.Payload = append(out.Payload, launch.Part{Part: x.Name, Register: x.Register, Registers: x.Registers})
	}
	out.Inputs, out.Outputs, out.Discards = slotsOf(a.Inputs), slotsOf(a.Outputs), a.Discards
	out.PerSample, out.NullTarget = a.PerSample, a.NullTarget
	if m := a.Modes; m != 0 {
		out.Modes = strings.Split(m.String(), "|")
	}
	for _, b := range b.Samplers {
		for len(out.Samplers) < int(b.Index+b.Count) {
			out.Samplers = append(out.Samplers, launch.Resource{Set: math.MaxUint32, Binding: math.MaxUint32, Kind: unusedKind})
		}
		for i := range b.Count {
			out.Samplers[b.Index+i] = launch.Resource{Set: b.Set, Binding: b.Binding, Kind: "sampler", Access: mir.ReadOnly}
		}
	}
	for _, b := range b.Bindings {
		r := launch.Resource{
			Set: b.Set, Binding: b.Binding, Kind: "storage", Access: cmp.Or(b.Access, "readwrite"),
			Shape: b.Shape, Format: b.Format, Surface: surfaceFormat(b.Format),
		}
		switch {
		case b.Mode == kind.ModeConstant.String():
			r.Kind, r.Access = "constants", mir.ReadOnly
		case b.Mode == kind.ModeUBO.String():
			r.Kind, r.Access = "uniform", mir.ReadOnly
		case b.Shape == kind.DimSubpass.String() || b.Shape == kind.DimSubpassMs.String():
			r.Kind, r.Access = "input_attachment", mir.ReadOnly
		case b.Mode == kind.ModeUniform.String():
			r.Kind, r.Access = sampledKind(b, out.Samplers), mir.ReadOnly
		case b.Shape == kind.DimBuf.String():
			r.Kind = "storage_texel_buffer"
		case b.Mode == kind.ModeImage.String():
			r.Kind = "storage_image"
		}
		if b.Unformatted {
			r.Unreadable = UnreadableFormats(t)
		}
		for i := range b.Count {
			out.Bindings[b.Index+i] = r
		}
	}
	return out
}

// unusedKind is the kind of an entry that the layout leaves free.
const unusedKind = "unused"

// slotsOf converts slots to the form of the ABI.
func slotsOf(list []mir.Slot) (out []launch.Slot) {
	for _, x := range list {
		out = append(out, launch.Slot{Slot: int(x.Index), Is: x.Name, Location: int(x.Number), Components: int(x.Mask), Flat: x.Flat})
	}
	return out
}

// sampledKind returns the kind of a sampled image.
func sampledKind(b mir.Binding, samplers []launch.Resource) string {
	if b.Shape == kind.DimBuf.String() {
		return "uniform_texel_buffer"
	}
	for _, s := range samplers {
		if s.Set == b.Set && s.Binding == b.Binding {
			return "combined"
		}
	}
	return "sampled_image"
}

// tableSize returns the number of entries of the binding table.
func tableSize(s *ir.Shader) int {
	n := uint32(0)
	for _, b := range s.Info.Bindings {
		if b.Index != ir.NoIndex {
			n = max(n, b.Index+b.Count)
		}
	}
	return int(n)
}
