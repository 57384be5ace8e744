// SPDX-License-Identifier: MIT

package selectgen

import (
	"slices"

	"jacquard.example/gen/internal/irtab"
)

// isSource reports whether rows can give a source of a logical message.
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

// contradictions lists combinations of keys that no message for an intrinsic can have, although each key by itself is valid.
var contradictions = []struct {
	in   func(m *msg, d *irtab.IntrinsicDef) bool
	says string
}{
	{func(m *msg, d *irtab.IntrinsicDef) bool { return d.Dest == nil && !m.logical.Effect },
		"a message that only reads needs an intrinsic with a result"},
	{func(m *msg, d *irtab.IntrinsicDef) bool { return d.Dest != nil && m.logical.Effect && !m.has("op") },
		"a write has no result; among messages with an effect, only atomics do"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("data") && !m.logical.Effect },
		"data is for writes and atomics; this message reads"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("surface") && !m.surfaced() },
		"surface needs space=buffer; other spaces have no surface"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return (m.given["surface"] == "image") != (m.typed() || m.sampler())
	}, "messages for images need surface=image, other messages cannot have it"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool { return m.has("header") && m.result != "row" },
		"header needs row instead of dst"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return m.result == "row" && !m.has("header") && m.given["space"] != "buffer"
	}, "row needs header, or address with space=buffer"},
	{func(m *msg, _ *irtab.IntrinsicDef) bool {
		return m.has("bytes") && (m.given["bytes"] == "size") == m.has("op")
	}, "reads and writes need bytes=size, atomics bytes=4 or bytes=8"},
	{func(m *msg, d *irtab.IntrinsicDef) bool {
		return m.has("comps") && (m.given["comps"] == "read") != (d.Dest != nil && (m.typed() || m.sampler() && *d.Dest != 1))
	}, "comps=read is for reads of texels and for queries of several components; other messages need a number"},
	{func(m *msg, d *irtab.IntrinsicDef) bool { return m.has("op") && m.given["data"] != operands(d) },
		"an atomic needs data=data, or data=compare,data if the intrinsic has a source with the role compare"},
	{func(m *msg, d *irtab.IntrinsicDef) bool {
		return !m.has("op") && m.has("data") && m.given["data"] != "value"
	}, "a write needs data=value"},
}

// operands returns the value of the key data that an atomic needs.
func operands(d *irtab.IntrinsicDef) string {
	if d.Source("compare") != nil {
		return "compare,data"
	}
	return "data"
}
