// SPDX-License-Identifier: MIT

package interp

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// inactiveShader runs an instruction in the odd lanes only. Every instruction with a result is tried once; %0 is the
// lane, %1 and %2 are divergent, %3 and %4 are uniform.
const inactiveShader = `shader compute "main"
workgroup_size 8 1 1
shared_size 64
scratch_size 64
binding 0 0 ssbo count=1 index=0 access=none
const_data 00010203
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "b" ssbo S1
var @2 "im" image IMAGE binding=1
var @3 "tx" uniform SAMPLED binding=2
var @4 "sm" uniform sampler binding=3
var @5 "p" function_temp u32 fn=1
reg 1 32x2
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_local_invocation_index.32
    %2 = load_subgroup_invocation.32
    %3 = load_const.32 value=(0x2)
    %4 = load_const.32 value=(0x1)
    %5 = iand.32 %0, %4
    %6 = ine.1 %5, %3
    %7 = ieq.1 %5, %4
    %8 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %9 = load_const.64 value=(0x0, 0x0)
    %10 = vec2.32x2 %0, %0
    %11 = deref_var.32 modes=ssbo type=S1 var=@1
    %12 = deref_struct.32 %11 modes=ssbo type=[0 x u32, 4]
    %13 = deref_array.32 %12, %0 modes=ssbo type=u32
    %14 = deref_var.32 modes=image type=IMAGE var=@2
    %15 = deref_var.32 modes=uniform type=SAMPLED var=@3
    %16 = deref_var.32 modes=uniform type=sampler var=@4
    %17 = load_const.32x2 value=(0x0, 0x0)
  if %7 {
    b1:
BODY      call %0 callee=fn2
    if %6 {
      b4:
    } else {
      b5:
    }
    b6:
      %18 = phi.32 b4: %0, b5: %1
  } else {
    b2:
  }
  b3:
}
fn 2 "f"(32) {
  b7:
    %19 = load_param.32 param=0
}
`

// inactiveLines are the instructions to try, by operation. Every intrinsic with a result must be among them.
const inactiveLines = `
load_const.32x2 value=(0x5, 0x6)
undef.32x3
mov.32x2 %10
iadd.32 %0, %3
deref_var.32 modes=function_temp type=u32 var=@5
deref_struct.32 %11 modes=ssbo type=[0 x u32, 4]
deref_array.32 %12, %0 modes=ssbo type=u32
deref_cast.32 %13 modes=ssbo type=u32 stride=4
deref_ptr_as_array.32 %27, %0 modes=ssbo type=u32
tex_txl.32x4 coord: %17, lod: %3, texture_deref: %15, sampler_deref: %16 dim=2d dest_base=float
tex_txs.32x2 lod: %4, texture_deref: %15 dim=2d dest_base=uint
image_load.32x4 %8, %3, %14 image_dim=2d format=r32ui texel_base=uint
image_load_raw.32x2 %8, %3, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_add.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_min.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_max.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_and.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_or.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_xor.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_exchange.32 %8, %3, %0, %14 image_dim=2d format=r32ui texel_base=uint
image_atomic_comp_swap.32 %8, %3, %0, %4, %14 image_dim=2d format=r32ui texel_base=uint
image_size.32x2 %3, %14 image_dim=2d format=r32ui
image_samples.32 %14 image_dim=2d format=r32ui
load_deref.32 %13
deref_atomic.32 %13, %4 atomic_op=iadd
deref_atomic_swap.32 %13, %4, %0 atomic_op=cmpxchg
deref_buffer_array_length.32 %12
load_ubo.32 %3, %0
load_ssbo.32x2 %3, %0
ssbo_atomic.32 %3, %0, %4 atomic_op=iadd
ssbo_atomic_swap.32 %3, %0, %4, %0 atomic_op=cmpxchg
get_ssbo_size.32 %3
load_buffer_descriptor.32x4 %3
load_constant_address.32x2
load_shared.32 %0
shared_atomic.32 %3, %4 atomic_op=iadd
shared_atomic_swap.32 %3, %4, %0 atomic_op=cmpxchg
load_scratch.32 %3
load_push_constant.32 %3
load_constant.32 %3
load_global.32 %9
global_atomic.32 %9, %4 atomic_op=iadd
global_atomic_swap.32 %9, %4, %0 atomic_op=cmpxchg
global_atomic_2x32.32x2 %9, %10 atomic_op=iadd
global_atomic_swap_2x32.32x2 %9, %10, %10 atomic_op=cmpxchg
load_reg.32x2 reg=1
elect.1
vote_any.1 %6
vote_all.1 %6
vote_feq.1 %10
vote_ieq.1 %10
ballot.32x4 %6
ballot.64 %6
inverse_ballot.1 %8
ballot_bitfield_extract.1 %8, %0
ballot_bit_count_reduce.32 %8
ballot_bit_count_inclusive.32 %8
ballot_bit_count_exclusive.32 %8
ballot_find_lsb.32 %8
ballot_find_msb.32 %8
first_invocation.32
read_invocation.32x2 %10, %4
read_first_invocation.32x2 %10
shuffle.32 %1, %2
shuffle_xor.32 %1, %3
shuffle_up.32 %1, %3
shuffle_down.32 %1, %3
rotate.32 %1, %3
quad_broadcast.32 %1, %4
quad_swap.32 %1
quad_vote_any.1 %6
quad_vote_all.1 %6
shader_clock.32x2
reduce.32 %1
inclusive_scan.32 %1
exclusive_scan.32 %1
load_workgroup_id.32x3
load_base_workgroup_id.32x3
load_num_workgroups.32x3
load_workgroup_size.32x3
load_local_invocation_id.32x3
load_local_invocation_index.32
load_global_invocation_id.32x3
load_global_invocation_index.32
load_subgroup_size.32
load_subgroup_invocation.32
load_subgroup_id.32
load_num_subgroups.32
load_subgroup_eq_mask.32x4
load_subgroup_ge_mask.32x4
load_subgroup_gt_mask.32x4
load_subgroup_le_mask.64
load_subgroup_lt_mask.32x4
load_device_index.32
`

// TestInactiveLanes: an instruction does not change the result of lanes that are inactive.
func TestInactiveLanes(t *testing.T) {
	var body strings.Builder
	// load_param needs a call. image_atomic_fadd differs from image_atomic_add only in the image that it needs.
	tried := map[string]bool{"load_param": true, "image_atomic_fadd": true}
	for i, line := range strings.Split(strings.TrimSpace(inactiveLines), "\n") {
		name, _, _ := strings.Cut(line, ".")
		tried[name] = true
		fmt.Fprintf(&body, "      %%%d = %s\n", 20+i, line)
	}
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		other := id.Info().Stages != 0 && id.Info().Stages>>kind.StageCompute&1 == 0 // TestStageInactiveLanes
		if i := id.Info(); handlers[id] != nil && i.HasDest && !tried[i.Name] && !other {
			t.Errorf("%s is not tried", i.Name)
		}
	}
	src := strings.NewReplacer("BODY", body.String(), "IMAGE", "image(u32, 2d, r32ui, storage)", "SAMPLED",
		"image(f32, 2d, unknown)").Replace(inactiveShader)
	s, err := text.Parse([]byte(src))
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	const width = 8
	data := make([]byte, 64)
	m, err := newMachine(t.Context(), s, &Call{Groups: [3]uint32{1, 1, 1}, Width: width, Buffers: []Buffer{{Data: data, Address: 4096}},
		Images: []Image{{Binding: 1, Dim: kind.Dim2D, Width: 1, Height: 1, Data: make([]byte, 4)}}},
		s.Info.WorkgroupSize[0]*s.Info.WorkgroupSize[1]*s.Info.WorkgroupSize[2])
	if err != nil {
		t.Fatal(err)
	}
	g := m.newSubgroup([3]uint32{}, 0, nil)
	g.run()
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			if b == s.FirstBlock(s.Entry()) {
				continue
			}
			for v := range s.Instrs(b) {
				in := s.At(v)
				if !in.HasResult() {
					continue
				}
				if g.vals[v] == nil {
					t.Errorf("value %d: it was not computed", v)
					continue
				}
				for i, x := range g.vals[v] {
					if i%width%2 == 0 && x != g.arbitrary(uint32(v)+uint32(i)<<20, in.Bits) {
						t.Errorf("value %d, %v %v: component %d of lane %d became %#x", v, in.Kind, in.Intrinsic(), i/width, i%width, x)
					}
				}
			}
		}
	}
}
