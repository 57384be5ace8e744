// SPDX-License-Identifier: MIT

package draw

import (
	"cmp"
	"fmt"
	"testing"

	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/scripts"
)

// peerAllowed holds the tolerances for rounding in some scripts, and the reasons for leaving out others. The peer's
// compiler contracts and reorders operations of floats.
var peerAllowed = map[string]struct {
	step, share float64
	skip        string
}{
	"noise":                  {step: 0.1, share: 0.01}, // a hash takes the fraction of a product of large numbers
	"branchy":                {share: 0.001},           // at the edge of a fractal an iteration more or less
	"multisample":            {skip: "the peer compiles for pipelines of one sample"},
	"interpolate_at":         {skip: "the peer compiles for pipelines of one sample"},
	"interpolate_at_samples": {skip: "the peer compiles for pipelines of one sample"},
	"half_floats":            {skip: "the driver has no 16-bit inputs and outputs"},
	"half_integers":          {skip: "the driver has no 16-bit inputs and outputs"},
	"distances":              {skip: "where distances are as inputs is not read from the final IR"},
	"vertex_descriptors":     {skip: "the peer reads the addresses of arrays of buffers from memory"},
	"vertex_spill":           {skip: "the peer takes a minute to spill the registers"},
	// Here the peer's code is wrong.
	"sample_behind_loop":     {skip: "the peer takes what the loop has sampled"},
	"derivative_behind_loop": {skip: "the peer takes the loop's derivative"},
	"discard_before_loop":    {skip: "the peer's helpers do not leave the loop"},
	"discard_continue":       {skip: "the peer's helpers do not leave the loop"},
	"discard_private":        {skip: "the peer's helpers write at the indices that they are discarded for"},
	"discard_vote":           {skip: "the peer's helpers vote"},
	"quad_control":           {skip: "the peer does not offer the extension"},
	"discard_quad_vote":      {skip: "the peer does not offer the extension"},
	"points":                 {skip: "the coordinates of a point as an input with planes are not modeled"},
	"clipping":               {skip: "its array of constants is at an address that the driver writes into the code"},
	"sample_shading":         {skip: "the peer compiles for pipelines of one sample"},
	"sample_shading_static":  {skip: "the peer compiles for pipelines of one sample"},
	"sample_shading_stmt":    {skip: "the peer compiles for pipelines of one sample"},
	"debug_scope":            {skip: "the peer makes no code"},
	"discard_loops":          {skip: "the peer's helpers do not leave the loop"},
	"discard_values":         {skip: "the peer's helpers have other values"},
	"vertex_samplers":        {skip: "its code computes indices into the binding table, and several arrays could be meant"},
	"vertex_images":          {skip: "its vertices are other ones; the reason is not known"},
	// Of one machine.
	"icl/vertex_array":             {skip: "the model refuses the peer's hints in a header of scratch messages"},
	"skl/vertex_array":             {skip: "the model refuses the peer's hints in a header of scratch messages"},
	"icl/discard_lights":           {skip: "the peer reads buffers by the sampler"},
	"skl/discard_lights":           {skip: "the peer reads buffers by the sampler"},
	"skl/derivatives":              {skip: "words of two sources in Align16 are not described for Gen9"},
	"skl/discard_derivative_loop":  {skip: "words of two sources in Align16 are not described for Gen9"},
	"dg2/vertex_array":             {skip: "the peer does not wait between the instructions that compute a0"},
	"dg2/uniform_loops":            {skip: "one of the peer's addresses is not aligned; the reason is not known"},
	"dg2/input_attachment_samples": {skip: "parameters of 16 bits are not modeled"},
	"skl/interlock":                {skip: "the peer does not wait for the reply of the interlock, which the model requires"},
}

// narrow lists scripts whose shaders the peer compiles only for the fewest lanes: two colors, references of stencil tests.
var narrow = map[string]bool{"dual_source": true, "stencil_export": true, "targets_stencil": true}

// TestPeerDrawsLikeInterpreter draws every script with the machine code of another compiler on the
// model of each machine with fragment shaders, at its two smallest numbers of lanes.
func TestPeerDrawsLikeInterpreter(t *testing.T) {
	files := append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...)
	for _, machine := range target.All {
		compiler := peer.Find(machine)
		if compiler == nil {
			t.Skip("no peer: " + peer.Variable + " is not set")
		}
		for _, file := range files {
			for _, simd := range machine.Widths[:2] {
				t.Run(fmt.Sprint(machine, "/", nameOf(file), "/", simd), func(t *testing.T) { drawWithPeer(t, compiler, file, simd) })
			}
		}
	}
}

// drawWithPeer draws a script with another compiler's machine code and compares the pictures with the interpreter's.
func drawWithPeer(t *testing.T, compiler *peer.Compiler, file string, simd int) {
	script := scripts.Read(t, file)
	allowed := peerAllowed[nameOf(file)]
	if skip := cmp.Or(allowed.skip, peerAllowed[compiler.Machine.Name+"/"+nameOf(file)].skip); skip != "" {
		t.Skip(skip)
	}
	if simd > compiler.Machine.Widths[0] && narrow[nameOf(file)] {
		t.Skip("the peer does not compile a shader with what it writes for more lanes")
	}
	e := &both{t: t, step: allowed.step, share: allowed.share, first: onInterp(file),
		second: &peer.Drawer{Compiler: compiler, Module: moduleOf(file), SIMD: simd}}
	if _, err := script.Run(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if e.covered == 0 {
		t.Error("no draw changes a pixel")
	}
}
