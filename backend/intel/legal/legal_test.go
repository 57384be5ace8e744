// SPDX-License-Identifier: MIT

package legal_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
)

// bad are programs that violate one restriction each. patch, if not nil, changes the first word in a way that
// the assembler rejects.
var bad = []struct {
	rule, text string
	patch      func(code []byte)
	on         isa.Platform
}{
	{rule: "no_64bit", text: "mov (4|M0) r1.0<1>:df r2.0<4;4,1>:df"},
	{rule: "types", text: "not (8|M0) r1.0<1>:f r2.0<8;8,1>:f"},
	{rule: "types", text: "bfrev (8|M0) r1.0<1>:d r2.0<8;8,1>:d"},
	{rule: "types", text: "bfe (8|M0) r1.0<1>:ud r2.0<8;1>:d r3.0<8;1>:ud r4.0<1>:ud"},
	{rule: "grf_range", text: "mov (8|M0) r128.0<1>:ud r2.0<8;8,1>:ud"},
	{rule: "grf_range", text: "mov (8|M0) r1.0<1>:ud r200.0<8;8,1>:ud"},
	{rule: "two_registers", text: "mov (32|M0) r1.0<1>:ud r20.0<8;8,1>:uw"},
	{rule: "two_registers", text: "mov (8|M0) r1.0<1>:ud r20.0<16;2,1>:ud"},
	{rule: "two_registers", text: "mov (16|M0) r127.0<1>:ud r20.0<8;8,1>:ud"},
	{rule: "two_registers", text: "mad (16|M0) r1.0<1>:f r4.0<8;1>:f r6.0<8;1>:f r8.0<2>:f"},
	{rule: "subregister_aligned", text: "mov (1|M0) r1.0<1>:ud r2.0<0;1,0>:ud", patch: func(c []byte) { c[8] |= 1 << 3 }},
	{rule: "width_exceeds_exec", text: "mov (4|M0) r1.0<1>:ud r2.0<8;8,1>:ud"},
	{rule: "vstride_of_one_row", text: "mov (8|M0) r1.0<1>:uw r2.0<16;8,1>:uw"},
	{rule: "width_one_hstride", text: "mov (8|M0) r1.0<1>:ud r2.0<1;1,1>:ud"},
	{rule: "scalar_vstride", text: "mov (1|M0) r1.0<1>:ud r2.0<1;1,0>:ud"},
	{rule: "zero_strides_width", text: "mov (8|M0) r1.0<1>:ud r2.0<0;8,0>:ud"},
	{rule: "row_crosses_register", text: "mov (8|M0) r1.0<1>:ud r2.4<8;8,1>:ud"},
	{rule: "dst_stride_zero", text: "mov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud", patch: func(c []byte) { c[6] &^= 3 }},
	{rule: "dst_halves", text: "mov (8|M0) r1.2<1>:ud r2.0<8;8,1>:ud"},
	{rule: "dst_stride_exec_type", text: "mov (8|M0) r1.0<1>:uw r2.0<8;8,1>:ud"},
	{rule: "dst_sub_exec_type", text: "mov (4|M0) r1.1<2>:uw r2.0<4;4,1>:ud"},
	{rule: "packed_byte_dst", text: "add (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub 1:w"},
	{rule: "byte_src", text: "add (8|M0) r1.0<1>:w r2.0<8;8,1>:w r3.0<8;8,1>:b"},
	{rule: "channel_offset", text: "mov (8|M4) r1.0<1>:ud r2.0<8;8,1>:ud"},
	{rule: "channel_offset", text: "mov (16|M8) r1.0<1>:uw r2.0<8;8,1>:uw"},
	{rule: "flag_range", text: "(f0.1) mov (16|M16) r1.0<1>:uw r2.0<8;8,1>:uw"},
	{rule: "half_int_conversion", text: "mov (8|M0) r1.0<1>:hf r2.0<8;8,1>:w"},
	{rule: "half_int_conversion", text: "mov (8|M0) r1.0<1>:w r2.0<8;8,1>:hf"},
	{rule: "half_float_dst", text: "mov (16|M0) r1.0<1>:hf r2.0<8;8,1>:f"},
	{rule: "half_float_dst", text: "add (4|M0) r1.4<1>:hf r2.0<4;4,1>:f r3.0<4;4,1>:hf"},
	{rule: "mixed_float_lanes", text: "add (16|M0) r1.0<1>:f r4.0<8;8,1>:hf r6.0<8;8,1>:f"},
	{rule: "mixed_float_indirect", text: "add (8|M0) r1.0<1>:f r[a0.0]<8;8,1>:hf r6.0<8;8,1>:f"},
	{rule: "mul_dword_dword", text: "mul (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "mul_dword_first", text: "mul (8|M0) r1.0<1>:d r2.0<8;8,1>:w r3.0<8;8,1>:d"},
	{rule: "mul_dword_sat_cmod", text: "mul (8|M0) (sat)r1.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:w"},
	{rule: "mul_word_mods", text: "mul (8|M0) r1.0<1>:d r2.0<8;8,1>:d -r3.0<16;8,2>:w"},
	{rule: "mul_acc", text: "mul (8|M0) r1.0<1>:d acc0.0<8;8,1>:d r3.0<16;8,2>:w"},
	{rule: "mad_dword_dword", text: "mad (8|M0) r1.0<1>:d r2.0<8;1>:d r3.0<8;1>:d r4.0<1>:d"},
	{rule: "dp4a_acc", text: "dp4a (8|M0) r1.0<1>:d acc0.0<8;1>:d acc0.0<8;1>:d r4.0<1>:d"},
	{rule: "logic_abs", text: "and (8|M0) r1.0<1>:d (abs)r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "logic_cmod", text: "or (8|M0) (ov)f0.0 r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "int_divide_mods", text: "math.iqot (8|M0) r1.0<1>:d -r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "int_divide_lanes", text: "math.irem (16|M0) r1.0<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d"},
	{rule: "math_types", text: "math.inv (8|M0) r1.0<1>:d r2.0<8;8,1>:d"},
	{rule: "math_types", text: "math.iqot (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f"},
	{rule: "sel_condition", text: "sel (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "sel_condition", text: "(f0.0) sel (8|M0) (ge)f0.0 r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "cmp_condition", text: "cmp (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{rule: "csel_condition", text: "csel (8|M0) r1.0<1>:f r2.0<8;1>:f r3.0<8;1>:f r4.0<1>:f"},
	{rule: "csel_pred", text: "csel (8|M0) (ge)f0.0 r1.0<1>:f r2.0<8;1>:f r3.0<8;1>:f r4.0<1>:f", patch: func(c []byte) { c[3] |= 1 }},
	{rule: "vector_imm_dst", text: "mov (8|M0) r1.0<2>:uw 0x76543210:v"},
	{rule: "vector_imm_dst", text: "mov (8|M0) r1.4<1>:uw 0x76543210:uv"},
	{rule: "vector_imm_dst", text: "mov (4|M0) r1.1<1>:f 0x30:vf"},
	{rule: "send_lanes", text: "send.dc1 (4|M0) r1 r2 null 0x0 0x02106E00"},
	{rule: "send_lanes", text: "send.dc1 (32|M0) r1 r2 null 0x0 0x02106E00"},
	{rule: "send_lanes_xe2", on: isa.LNL, text: "send.ugm (4|M0) r11 r7 null:0 0x0 0x62100500"},
	{rule: "send_payload_file", text: "send.dc1 (8|M0) r1 null null 0x0 0x02106E00"},
	{rule: "send_payload_file", text: "send.dc1 (8|M0) r1 r2 null 0x40 0x02106E00"},
	{rule: "send_payload_file", text: "send.dc1 (8|M0) r1 r2 r3 0x0 0x02106E00"},
	{rule: "send_mlen", text: "send.dc1 (8|M0) r1 r2 null 0x0 0x00106E00"},
	{rule: "send_range", text: "send.dc1 (16|M0) r1 r127 null 0x0 0x04205E00"},
	{rule: "send_range", text: "send.dc1 (16|M0) r127 r2 null 0x0 0x04205E00"},
	{rule: "send_range", text: "send.dc1 (16|M0) null r2 r127 0x80 0x04025E00"},
	{rule: "send_overlap", text: "send.dc1 (16|M0) null r2 r3 0x80 0x04025E00"},
	{rule: "send_null_dst", text: "send.dc1 (16|M0) null r2 null 0x0 0x04205E00"},
	{rule: "send_float_atomic", text: "send.dc1 (8|M0) null r2 r3 0x40 0x0206D400"},
	{rule: "send_float_atomic", text: "send.dc1 (16|M0) r8 r2 r4 0x80 0x0426E501"},
	{rule: "eot_registers", text: "send.ts (16|M0) null r111 null 0x0 0x02000000 {EOT}"},
	{rule: "eot_dst", text: "send.dc1 (16|M0) r1 r112 null 0x0 0x04205E00 {EOT}"},
	{rule: "target_order", text: "send.rc (8|M0) null r124 null 0x0 0x08031400"},
	{rule: "target_order", on: isa.ICL, text: "send (8|M0) null r124 0x5 0x08031400"},
	{rule: "target_lanes_xe2", on: isa.LNL, text: "sendc.rc (16|M0) null r124 r116:6 0x0 0x04031100"},
	{rule: "target_lanes_xe2", on: isa.LNL, text: "sendc.rc (8|M0) null r124 null:0 0x0 0x08031000"},
	{rule: "target_lanes_xe2", on: isa.LNL, text: "sendc.rc (16|M0) null r124 null:0 0x0 0x08031800"},
	{rule: "target_lanes", text: "sendc.rc (16|M0) null r124 null 0x0 0x08031400"},
	{rule: "target_lanes", text: "sendc.rc (8|M0) null r112 null 0x0 0x10031000"},
	{rule: "target_lanes", text: "sendc.rc (16|M0) null r112 null 0x0 0x10031800"},
	{rule: "target_lanes", text: "sendc.rc (8|M0) null r112 null 0x0 0x10031300"},
	{rule: "urb_header", text: "send.urb (8|M0) null r126 r122 0x100 0x02000027"},
	{rule: "urb_lanes", text: "send.urb (16|M0) null r126 r122 0x100 0x02080027"},
	{rule: "branch_target", text: "A: nop\n(f0.0) while (8|M0) -64"},
	{rule: "branch_target", text: "nop\njmpi END\nEND:"},
	{rule: "branch_target", text: "nop\nendif (8|M0) -8"},
	{rule: "decodable", text: "nop\nillegal"},
	{rule: "decodable", text: "nop", patch: func(c []byte) { c[0] = 0x0A }},

	{on: isa.ICL, rule: "no_64bit", text: "mov (4|M0) r1.0<1>:q r2.0<4;4,1>:q"},
	{on: isa.ICL, rule: "src1_general", text: "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f"},
	{on: isa.ICL, rule: "math_general", text: "math.cos (8|M0) acc0.0<1>:f r2.0<8;8,1>:f"},
	{on: isa.ICL, rule: "math_general", text: "math.cos (8|M0) r1.0<1>:f acc0.0<8;8,1>:f"},
	{on: isa.ICL, rule: "send_mlen", text: "send (8|M0) r1 r2 0xC 0x00106E00"},
	{on: isa.ICL, rule: "send_overlap", text: "sends (16|M0) null r2 r3 0x8C 0x04025E00"},
	{on: isa.ICL, rule: "send_payload_file", text: "sends (8|M0) r1 r2 null 0x4C 0x02106E00"},
	{on: isa.ICL, rule: "eot_registers", text: "send (16|M0) null r111 0x27 0x02000010"},
	{on: isa.ICL, rule: "no_dd_math", text: "math.inv (8|M0) r1.0<1>:f r2.0<8;8,1>:f {NoDDClr}"},
	{on: isa.ICL, rule: "no_dd_predicate", text: "(f0.0) mov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud {NoDDClr,NoDDChk}"},
	{on: isa.ICL, rule: "control_switch", text: "(W) or (1|M0) cr0.0<1>:ud r1.0<0;1,0>:ud 0x30:ud"},
	{on: isa.ICL, rule: "control_switch", text: "(W) and (1|M0) r1.0<1>:ud cr0.0<0;1,0>:ud 0x30:ud"},

	{on: isa.SKL, rule: "vectors_aligned", text: "mad (8|M0) r1.0<1>:f r2.4<0;0>:f r3.2<8;1>:f r4.1<0>:f"},
	{on: isa.SKL, rule: "vectors_aligned", text: "mad (4|M0) r1.2<1>:f r2.4<0;0>:f r3.4<8;1>:f r4.1<0>:f"},
	{on: isa.SKL, rule: "vectors_aligned", text: "(W) mad (1|M0) r1.4<1>:hf r2.4<0;0>:hf r3.0<0;0>:hf r4.1<0>:hf"},
	{on: isa.SKL, rule: "one_lane_of_four", text: "(W) mad (1|M0) r1.5<1>:f r2.4<0;0>:f r3.0<2;1>:f r4.1<0>:f"},
	{on: isa.SKL, rule: "one_lane_of_four", text: "mad (1|M0) r1.5<1>:f r2.4<0;0>:f r3.0<0;0>:f r4.1<0>:f"},
	{on: isa.SKL, rule: "one_lane_of_four", text: "(W&f0.0) mad (1|M0) r1.5<1>:f r2.4<0;0>:f r3.0<0;0>:f r4.1<0>:f"},
	{on: isa.SKL, rule: "types", text: "lzd (4|M0) r1.0<1>:uq r2.0<4;4,1>:uq"},
	{on: isa.SKL, rule: "types", text: "and (4|M0) r1.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df"},
	{on: isa.SKL, rule: "types", text: "mul (4|M0) r1.0<1>:q r2.0<4;4,1>:q r3.0<4;4,1>:q"},
	{on: isa.SKL, rule: "types", text: "math.rsqtm (2|M0) (eo)f0.0 r4.nomme:f r60.mme5:df"},
	{on: isa.SKL, rule: "types", text: "csel (8|M0) (lt)f0.0 r1.0<1>:d r2.0<8;1>:d r3.0<8;1>:d r4.0<1>:d"},
	{on: isa.SKL, rule: "mixed_float_lanes", text: "mad (16|M0) r1.0<1>:f r4.0<8;1>:f r6.0<8;1>:hf r8.0<1>:f"},
	{on: isa.SKL, rule: "half_float_dst", text: "mad (16|M0) r1.0<1>:hf r4.0<8;1>:f r6.0<8;1>:hf r8.0<1>:f"},
	{on: isa.SKL, rule: "types", text: "add (4|M0) r1.0<1>:q r2.0<4;4,1>:q r3.0<4;4,1>:b"},
	{on: isa.SKL, rule: "types", text: "add (4|M0) r1.0<2>:d r2.0<4;4,1>:q r3.0<4;4,1>:b"},
	{on: isa.SKL, rule: "types", text: "mov (4|M0) r1.0<4>:hf r2.0<4;4,1>:df"},
	{on: isa.SKL, rule: "plane_scalar", text: "pln (8|M0) r1.0<1>:f r2.1<0;1,0>:f r4.0<8;8,1>:f"},
	{on: isa.SKL, rule: "plane_coordinates", text: "pln (8|M0) r1.0<1>:f r2.0<0;1,0>:f r4.0<0;1,0>:f"},
	{on: isa.SKL, rule: "plane_coordinates", text: "pln (4|M0) r1.0<1>:f r2.0<0;1,0>:f r4.0<4;4,1>:f"},
	{on: isa.SKL, rule: "plane_coordinates", text: "pln (8|M0) r1.0<2>:f r2.0<0;1,0>:f r4.0<8;8,1>:f"},
	{on: isa.SKL, rule: "plane_coordinates", text: "pln (16|M0) r1.0<1>:f r2.0<0;1,0>:f r125.0<8;8,1>:f"},
	{on: isa.SKL, rule: "target_extended", text: "sendsc (8|M0) null:ud r124 r120 0x1000C5 0x02031400"},
	{on: isa.SKL, rule: "plane_scalar", text: "line (8|M0) r1.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f"},
	{on: isa.SKL, rule: "send_last_register", text: "send (8|M0) r127 r127 0xC 0x02106E00"},
	{on: isa.SKL, rule: "send_last_register", text: "sends (8|M0) r126 r2 r127 0x4C 0x02206E00"},
	{on: isa.SKL, rule: "src1_general", text: "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f"},
	{on: isa.SKL, rule: "math_general", text: "math.cos (8|M0) r1.0<1>:f acc0.0<8;8,1>:f"},
	{on: isa.SKL, rule: "control_switch", text: "(W) or (1|M0) cr0.0<1>:ud r1.0<0;1,0>:ud 0x30:ud"},

	{on: isa.HSW, rule: "vectors_aligned", text: "mad (8|M0) r1.0<1>:f r2.4<2;1>:f r3.2<2;1>:f r4.0<1>:f"},
	{on: isa.HSW, rule: "one_lane_of_four", text: "mad (1|M0) r1.1<1>:f r2.4<0;0>:f r3.0<0;0>:f r4.1<0>:f"},
	{on: isa.HSW, rule: "vectors_dst_stride", text: "add (8|M0) r1.0<2>.xy:f r2.0<4;4,1>:f r3.0<4;4,1>:f {Align16}"},
	{on: isa.HSW, rule: "vectors_rows", text: "add (8|M0) r1.0<1>.xy:f r2.0<4;4,1>.wzyx:f r3.0<8;4,1>:f {Align16}"},
	{on: isa.HSW, rule: "vectors_rows", text: "mov (8|M0) r1.0<1>:f r2.0<2;4,1>:f {Align16}"},
	{on: isa.HSW, rule: "cmp_null_switch", text: "cmp (8|M0) (eq)f0.0 null<1>.x:d r2.0<4;4,1>:d r3.0<4;4,1>:d {Align16}"},
	{on: isa.HSW, rule: "cmp_null_switch", text: "cmp (8|M0) (eq)f0.0 null<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
	{on: isa.HSW, rule: "math_immediate", text: "math.inv (8|M0) r1.0<1>:f 0x3F800000:f {Align16}"},
	{on: isa.HSW, rule: "math_immediate", text: "math.pow (8|M0) r1.0<1>:f r2.0<4;4,1>:f 0x3F800000:f {Align16}"},
	{on: isa.HSW, rule: "urb_pairs", text: "send (8|M0) null:ud r112 0x26 0x0C08C000 {Align16}"},
	{on: isa.HSW, rule: "urb_pairs", text: "send (8|M0) null:ud r112 0x26 0x0208C000 {Align16,EOT}"},

	{on: isa.DG2, rule: "aligned_floats", text: "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:w"},
	{on: isa.LNL, rule: "aligned_floats", text: "mov (16|M0) r1.0<1>:f r2.0<16;16,1>:w"},
	{on: isa.DG2, rule: "aligned_floats", text: "mov (8|M0) r1.0<1>:f r2.1<16;8,2>:w"},
	{on: isa.DG2, rule: "aligned_floats", text: "add (4|M0) r1.0<1>:f r2.0<4;4,1>:f r3.4<4;4,1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "mul (8|M0) r1.0<1>:f r2.0<4;4,0>:f r3.0<8;8,1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "add (8|M0) r1.0<1>:hf r2.0<16;8,2>:hf r3.0<8;8,1>:hf"},
	{on: isa.DG2, rule: "aligned_floats", text: "mov (8|M0) r1.0<2>:f r2.0<8;8,1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "mov (8|M0) r1.0<1>:f r2.4<8;8,1>:hf"},
	{on: isa.DG2, rule: "aligned_floats", text: "mad (4|M0) r1.0<1>:f r2.0<4;1>:f r3.0<4;1>:f r4.4<1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "math.inv (4|M0) r1.0<1>:f r2.4<4;4,1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "cmp (4|M0) (lt)f0.0 null<1>:f r2.4<4;4,1>:f r3.4<4;4,1>:f"},
	{on: isa.DG2, rule: "aligned_floats", text: "mov (8|M0) r1.0<1>:f r[a0.0]<1,0>:f"},

	{on: isa.DG2, rule: "math_half_scalar", text: "math.inv (8|M0) r1.0<1>:hf r2.0<0;1,0>:hf"},
	{on: isa.DG2, rule: "math_half_scalar", text: "math.sqt (4|M0) r1.0<2>:hf (abs)r2.3<0;1,0>:hf"},

	{on: isa.ICL, rule: "mul_dword_dword", text: "mul (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
}

func assemble(t *testing.T, p isa.Platform, text string) []byte {
	code, err := isatext.Assemble(p, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return code
}

// TestViolations checks that each program violates exactly its restriction.
func TestViolations(t *testing.T) {
	for _, b := range bad {
		code := assemble(t, b.on, b.text)
		if b.patch != nil {
			b.patch(code)
		}
		got := legal.Check(b.on, code)
		if len(got) != 1 || got[0].Rule != b.rule || got[0].Msg == "" {
			t.Errorf("%s\nwant a violation of %s, got %v", b.text, b.rule, got)
		}
	}
}

// TestEveryRestriction checks that every row has a program that violates it, and that its check exists.
func TestEveryRestriction(t *testing.T) {
	tested := map[string]bool{}
	for _, b := range bad {
		tested[b.rule] = true
	}
	known := map[string]bool{}
	for _, r := range isa.Restrictions {
		known[r.ID] = true
		if !tested[r.ID] {
			t.Errorf("no program breaks %s", r.ID)
		}
		if r.Check != "" && !legal.HasCheck(r.Check) {
			t.Errorf("%s names a check %q that does not exist", r.ID, r.Check)
		}
	}
	for rule := range tested {
		if !known[rule] {
			t.Errorf("no row for %s", rule)
		}
	}
	for _, name := range legal.CheckNames() {
		used := false
		for _, r := range isa.Restrictions {
			used = used || r.Check == name
		}
		if !used {
			t.Errorf("no row names the check %s", name)
		}
	}
}

// good are programs without violations.
var good = []string{
	// A compute shader: y += a*x.
	`(W) mov (8|M0) r4.0<1>:uw 0x76543210:v
	(W) add (8|M0) r4.8<1>:uw r4.0<8;8,1>:uw 0x8:uw {@1}
	shl (16|M0) r6.0<1>:d r1.6<0;1,0>:d 4:w
	mov (16|M0) r8.0<1>:ud r4.0<8;8,1>:uw {@2}
	add (16|M0) r10.0<1>:d r8.0<8;8,1>:d r6.0<8;8,1>:d {@1}
	send.dc1 (16|M0) r14 r12 null 0x0 0x04205E01 {@1,$0}
	sync.nop null {$0.dst}
	mad (16|M0) r18.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r1.0<0>:f {$1.dst}
	send.dc1 (16|M0) null r12 r18 0x80 0x04025E02 {@1,$2}
	(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
	(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT,@1}`,
	// The ends of vertex and fragment threads.
	`(W) mov (8|M0) r126.0<1>:ud r1.0<8;8,1>:ud
	send.urb (8|M0) null r126 r122 0x100 0x02080027 {EOT,@1}`,
	`sendc.rc (8|M8) null r112 null 0x0 0x10030300
	sendc.rc (16|M16) null r112 null 0x0 0x10031800 {EOT}`,
	// A 32-bit product from words.
	`mul (8|M0) r8.0<1>:d r4.0<8;8,1>:d r5.0<16;8,2>:uw
	mul (8|M0) r9.0<1>:d r4.0<8;8,1>:d r5.1<16;8,2>:uw
	add (8|M0) r8.1<2>:uw r8.1<16;8,2>:uw r9.0<16;8,2>:uw {@1}
	mul (8|M0) acc0.0<1>:d r4.0<8;8,1>:d r5.0<16;8,2>:uw
	mach (8|M0) r6.0<1>:d r4.0<8;8,1>:d r5.0<8;8,1>:d {AccWrEn}`,
	// Flow control.
	`L: cmp (16|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d
	(f0.0) if (16|M0) E E
	mov (16|M0) r6.0<1>:ub r7.0<16;16,1>:ub
	E: endif (16|M0) W
	W: (f0.0) while (16|M0) L
	mov (32|M0) r16.0<1>:uw r18.0<16;16,1>:uw
	mov (8|M8) r10.0<1>:f r11.5<0;1,0>:f`,
}

func TestLegal(t *testing.T) {
	for _, text := range good {
		if v := legal.Check(isa.TGL, assemble(t, isa.TGL, text)); len(v) != 0 {
			t.Errorf("%s\n%v", text, v)
		}
	}
	if v := legal.Check(isa.ICL, assemble(t, isa.ICL, goodICL)); len(v) != 0 {
		t.Errorf("%s\n%v", goodICL, v)
	}
	if v := legal.Check(isa.SKL, assemble(t, isa.SKL, goodSKL)); len(v) != 0 {
		t.Errorf("%s\n%v", goodSKL, v)
	}
	if v := legal.Check(isa.HSW, assemble(t, isa.HSW, goodHSW)); len(v) != 0 {
		t.Errorf("%s\n%v", goodHSW, v)
	}
	if v := legal.Check(isa.DG2, assemble(t, isa.DG2, goodDG2)); len(v) != 0 {
		t.Errorf("%s\n%v", goodDG2, v)
	}
}

// goodHSW is a vec4 vertex shader for Haswell.
const goodHSW = `add (8|M0) r3.0<1>.xy:f r1.0<0;4,1>.zwww:f r2.4<0;4,1>.yxxx:f {Align16}
	mul (8|M0) r4.0<1>:d r1.0<4;4,1>.xxxx:d r2.0<4;4,1>:d {Align16}
	mov (8|M0) r5.0<1>:f 0x30302020:vf {Align16}
	mov (8|M0) r6.0<1>.w:ud 0x3:ud {Align16}
	mad (8|M0) r7.0<1>.xyz:f r1.2<0;0>:f r3.0<2;1>.yyyy:f r4.0<1>:f
	cmp (8|M0) (eq)f0.0 null<1>.x:d r2.0<4;4,1>:d 0x3:d {Align16,Switch}
	(f0.0.x) sel (8|M0) r8.0<1>:ud r2.0<4;4,1>:ud r3.0<4;4,1>.wwww:ud {Align16}
	cmp (8|M0) (lt)f0.0 r9.0<1>:d r2.0<4;4,1>:d r3.0<4;4,1>:d {Align16}
	math.pow (8|M0) r10.0<1>.xy:f r2.0<4;4,1>.xyyy:f -r3.0<4;4,1>.wwww:f {Align16}
	dp4 (8|M0) r11.0<1>.z:f r2.0<4;4,1>:f r1.4<0;4,1>:f {Align16}
	(W) mov (8|M0) r118.0<1>:ud r0.0<4;4,1>:ud {Align16}
	(W) or (1|M0) r118.5<1>:ud r0.5<0;1,0>:ud 0xFF00:ud
	send (8|M0) null:ud r118 0x26 0x0E08C000 {Align16,EOT}`

// goodSKL multiplies doublewords and subtracts bytes on Gen9, which is illegal on later machines.
const goodSKL = `mul (8|M0) r8.0<1>:d r4.0<8;8,1>:d r5.0<8;8,1>:d
	mul (8|M0) r10.0<1>:q r4.0<8;8,1>:d r5.0<8;8,1>:d
	add (8|M0) r12.0<1>:w r13.0<8;8,1>:ub -r14.0<8;8,1>:ub
	mad (16|M0) r18.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r1.3<0>:f
	pln (16|M0) r20.0<1>:f r12.4<0;1,0>:f r2.0<8;8,1>:f
	mad (1|M0) r21.4<1>:f r16.3<0;0>:f r14.5<0;0>:f r1.3<0>:f
	(W) mad (1|M0) r21.6<1>:f r16.3<0;0>:f r14.5<0;0>:f r1.3<0>:f
	mov (4|M0) r22.0<1>:df r2.0<4;4,1>:d
	send (8|M0) r126 r127 0xC 0x02106E00
	sends (16|M0) null:ud r6 r18 0x8C 0x04025E02
	(W) send (16|M0) null r127 0x27 0x02000010 {EOT}`

// goodICL is y += a*x on Gen11, after a barrier.
const goodICL = `(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:ud {Switch}
	(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
	(W) send (1|M0) null r127 0x3 0x02000004
	(W) wait n0.0<0;1,0>:ud
	shl (16|M0) r6.0<1>:d r1.6<0;1,0>:d 4:w
	send (16|M0) r14 r6 0xC 0x04205E01
	send (16|M0) r16 r6 0xC 0x04205E02
	mad (16|M0) r18.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r1.0<0>:f
	sends (16|M0) null:ud r6 r18 0x8C 0x04025E02
	(W) send (16|M0) null r127 0x27 0x02000010 {EOT}`

// goodDG2 are moves and conversions as Intel's compiler emits them for Alchemist: integers are spread before they become
// floats, halves are packed or spread.
const goodDG2 = `mov (16|M0) r20.0<1>:f r3.0<1;1,0>:hf
	mov (16|M0) r30.0<1>:f r26.0<4;1,0>:ub
	mov (16|M0) r14.0<1>:f r12.0<2;1,0>:uw
	mov (8|M0) r2.0<1>:hf r20.0<1;1,0>:f
	mov (8|M8) r2.8<1>:hf r21.0<1;1,0>:f
	mov (16|M0) r30.0<2>:hf r28.0<1;1,0>:d
	mov (16|M0) (sat)r22.0<2>:uw r20.0<1;1,0>:f
	mov (16|M0) r80.0<1>:d r48.0<1;1,0>:hf
	mad (16|M0) r7.0<1>:f r32.0<1;0>:f acc0.0<1;0>:f r28.0<1>:f
	mul (16|M0) r31.0<1>:f r31.0<1;1,0>:f r6.3<0;1,0>:f
	(W) mov (1|M0) r6.1<1>:f r5.0<0;1,0>:hf
	(W) mov (1|M0) r18.4<2>:hf r9.0<0;1,0>:f
	add (4|M0) r1.4<1>:f r2.4<4;4,1>:f r3.4<4;4,1>:f
	mov (8|M0) r1.0<1>:ud r2.0<2;2,0>:ud
	mov (8|M0) r1.0<1>:ud r[a0.0]<1,0>:ud`

// TestTruncated checks a program that ends within an instruction.
func TestTruncated(t *testing.T) {
	code := assemble(t, isa.TGL, "nop\nmov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud")
	v := legal.Check(isa.TGL, code[:24])
	if len(v) != 1 || v[0].Rule != "decodable" || v[0].Offset != 16 || !strings.Contains(v[0].String(), "0x10: decodable: truncated") {
		t.Errorf("got %v", v)
	}
}
