// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// compiled compiles a shader at a width, runs its machine code and returns the stored results.
func (x *randomShader) compiled(t *testing.T, simd int, in []byte) []byte {
	t.Helper()
	c := pass.New(x.s)
	c.Options = pass.Options{Target: target.TGL}
	if err := c.Run(pipeline.Compute, nil); err != nil {
		t.Fatal(err)
	}
	bin, err := intel.Compile(x.s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: 2, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len(x.results)*randomLanes*randomSlot)
	if _, err := eu.Run(context.Background(), &eu.Dispatch{
		Program: eu.Load(target.TGL, bin.Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
		Surfaces: []*eu.Surface{{Data: in}, {Data: out}}, ScratchPerThread: int(bin.ABI.ScratchBytes), Payload: eu.ComputePayload(abi.JacquardCS, nil),
	}); err != nil {
		t.Fatal(err)
	}
	return out
}
