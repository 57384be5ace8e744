// SPDX-License-Identifier: MIT

package draw

import (
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
}

// narrow lists scripts whose shaders the peer compiles only for 8 lanes: two colors, references of stencil tests.
var narrow = map[string]bool{"dual_source": true, "stencil_export": true}

// TestPeerDrawsLikeInterpreter draws every script with the machine code of another compiler on the
// model, at 8 and 16 lanes.
func TestPeerDrawsLikeInterpreter(t *testing.T) {
	compiler := peer.Find(target.TGL)
	if compiler == nil {
		t.Skip("no peer: " + peer.Variable + " is not set")
	}
	files := append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...)
	for _, file := range files {
		for _, simd := range []int{8, 16} {
			t.Run(fmt.Sprint(nameOf(file), "/", simd), func(t *testing.T) {
				script := scripts.Read(t, file)
				allowed := peerAllowed[nameOf(file)]
				if allowed.skip != "" {
					t.Skip(allowed.skip)
				}
				if simd > 8 && narrow[nameOf(file)] {
					t.Skip("the peer does not compile a shader with what it writes for 16 lanes")
				}
				e := &both{t: t, step: allowed.step, share: allowed.share, first: onInterp(file),
					second: &peer.Drawer{Compiler: compiler, Module: moduleOf(file), SIMD: simd}}
				if _, err := script.Run(t.Context(), e); err != nil {
					t.Fatal(err)
				}
				if e.covered == 0 {
					t.Error("no draw changes a pixel")
				}
			})
		}
	}
}
