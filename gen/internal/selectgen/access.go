package selectgen

import (
	"cmp"
	"slices"

	"jacquard.example/gen/internal/irtab"
)

// isSource reports whether a source of a logical message is a key of rows.
func isSource(name string) bool {
	return slices.Contains([]string{"address", "address64", "header", "data", "surface"}, name)
}

// accesses reports whether the message is an access at an address, which may be in its header.
func (m *msg) accesses() bool {
	s := m.logical.Sources
	return slices.Contains(s, "address") || slices.Contains(s, "address64") || slices.Contains(s, "header") && !m.logical.Effect
}

// typed reports whether the message accesses texels.
func (m *msg) typed() bool { return !m.sampler() && slices.Contains(m.logical.Spaces, "image") }

// contradictions are what no message for an intrinsic can be, although each key by itself is right.
var contradictions = []struct {
	in   func(m *msg, d *irtab.IntrinsicDef) bool
	says string
}{
	{func(m *msg, d *irtab.IntrinsicDef) bool { return d.Dest == nil && !m.logical.Effect },
		"a message that only reads is for an intrinsic with a result"},
	{func(m *msg, d *irtab.IntrinsicDef) bool { return d.Dest != nil && m.logical.Effect && !m.has("op") },
		"a write has no result; among messages with an effect, only atomics do"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("data") && !m.logical.Effect },
		"data is what a message writes, or an operand of an atomic; this one reads"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("surface") && !m.surfaced() },
		"surface is of space=buffer, not of other spaces"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return (m.given["surface"] == "image") != (m.typed() || m.sampler())
	}, "surface=image is of messages for images, which have no other surface"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("header") && m.result != "row" },
		"a header with the offset is for a row, not for dst"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return m.result == "row" && !m.has("header") && m.given["space"] != "buffer"
	}, "row is read from space=buffer, by a header or a 32-bit address"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return m.has("bytes") && (m.given["bytes"] == "size") == m.has("op")
	},
		"bytes is the size of the value for reads and writes (bytes=size), and 4 or 8 for atomics"},
	{func(m *msg, d *irtab.IntrinsicDef) bool {
		return m.has("comps") && (m.given["comps"] == "read") != (d.Dest != nil && (m.typed() || m.sampler() && *d.Dest != 1))
	}, "comps=read is of images, for each read of texels or of several components; others have a number"},
	{func(m *msg, d *irtab.IntrinsicDef) bool { return m.has("op") && m.given["data"] != operands(d) },
		"data of an atomic is data, or compare,data if the intrinsic has a source with the role compare"},
	{func(m *msg, d *irtab.IntrinsicDef) bool {
		return !m.has("op") && m.has("data") && m.given["data"] != "value"
	},
		"data of a write is the source with the role value"},
}

// operands returns the data of an atomic.
func operands(d *irtab.IntrinsicDef) string {
	if slices.ContainsFunc(d.Src, func(s irtab.SrcDef) bool { return cmp.Or(s.Role, s.Name) == "compare" }) {
		return "compare,data"
	}
	return "data"
}
