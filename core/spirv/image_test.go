// SPDX-License-Identifier: MIT

package spirv_test

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/tests/oracle"
)

// imageTypes declares images and pointers to them, for assemble.
const imageTypes = `OpDecorate %im DescriptorSet 0
OpDecorate %im Binding 1
OpDecorate %co DescriptorSet 0
OpDecorate %co Binding 2
OpDecorate %co Coherent
OpDecorate %co Volatile
OpDecorate %tx DescriptorSet 0
OpDecorate %tx Binding 3
OpDecorate %smp DescriptorSet 0
OpDecorate %smp Binding 4
OpDecorate %cmb DescriptorSet 0
OpDecorate %cmb Binding 5
OpDecorate %many DescriptorSet 0
OpDecorate %many Binding 6
%i32 = OpTypeInt 32 1
%v2u = OpTypeVector %u32 2
%v4u = OpTypeVector %u32 4
%v4 = OpTypeVector %f32 4
%u3 = OpConstant %u32 3
%v2un = OpConstantNull %v2u
%sparse = OpTypeStruct %u32 %v4
%fcode = OpTypeStruct %f32 %v4
%utexel = OpTypeStruct %u32 %v4u
%v4n = OpConstantNull %v4
%img = OpTypeImage %u32 2D 0 0 0 2 R32ui
%pim = OpTypePointer UniformConstant %img
%im = OpVariable %pim UniformConstant
%co = OpVariable %pim UniformConstant
%pt = OpTypePointer Image %u32
%tex = OpTypeImage %f32 2D 0 0 0 1 Unknown
%ptex = OpTypePointer UniformConstant %tex
%tx = OpVariable %ptex UniformConstant
%sam = OpTypeSampler
%psam = OpTypePointer UniformConstant %sam
%smp = OpVariable %psam UniformConstant
%si = OpTypeSampledImage %tex
%psi = OpTypePointer UniformConstant %si
%cmb = OpVariable %psi UniformConstant
%two = OpConstant %u32 2
%imgs = OpTypeArray %img %two
%pimgs = OpTypePointer UniformConstant %imgs
%many = OpVariable %pimgs UniformConstant
`

func readImages(t *testing.T, body string, globals ...string) *ir.Shader {
	t.Helper()
	s, err := spirv.Read(assemble(t, body, imageTypes+strings.Join(globals, "")), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return s
}

// only returns the single instruction with this intrinsic.
func only(t *testing.T, s *ir.Shader, id intrinsic.ID) ir.Value {
	t.Helper()
	var found []ir.Value
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == id {
				found = append(found, v)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d instructions are %s, want 1\n%s", len(found), id, text.Print(s))
	}
	return found[0]
}

// TestHalfCoordinates: 16-bit coordinates and levels of detail are widened, which is exact.
func TestHalfCoordinates(t *testing.T) {
	s := readImages(t, "%s = OpLoad %si %cmb\n%c = OpFConvert %v2h %v2n\n%l = OpFConvert %h %f0\n"+
		"%x = OpImageSampleExplicitLod %v4 %s %c Lod %l\n"+
		"OpReturn", "%h = OpTypeFloat 16\n%v2h = OpTypeVector %h 2\n")
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Tex {
				continue
			}
			for _, k := range []kind.TexSrc{kind.TexSrcCoord, kind.TexSrcLOD} {
				x := s.At(s.Src(v, s.Tex(v).Source(k)).Val)
				if x.Kind != kind.ALU || op.Op(x.Op) != op.F2F32 {
					t.Errorf("%v is not a conversion\n%s", k, text.Print(s))
				}
			}
			return
		}
	}
	t.Errorf("no texture operation\n%s", text.Print(s))
}

// TestI08TexelPointers: an atomic on a pointer to a texel becomes an intrinsic on image, coordinates and sample, and no
// pointer is left. Each atomic has its own intrinsic and base type of texels.
func TestI08TexelPointers(t *testing.T) {
	sem := "%u1 %u0"
	for _, c := range []struct {
		op   string
		id   intrinsic.ID
		base kind.BaseType
	}{
		{"OpAtomicIAdd %u32 %p " + sem + " %u3", intrinsic.ImageAtomicAdd, kind.BaseUint},
		{"OpAtomicISub %u32 %p " + sem + " %u3", intrinsic.ImageAtomicAdd, kind.BaseUint},
		{"OpAtomicIIncrement %u32 %p " + sem, intrinsic.ImageAtomicAdd, kind.BaseUint},
		{"OpAtomicIDecrement %u32 %p " + sem, intrinsic.ImageAtomicAdd, kind.BaseUint},
		{"OpAtomicSMin %u32 %p " + sem + " %u3", intrinsic.ImageAtomicMin, kind.BaseInt},
		{"OpAtomicUMin %u32 %p " + sem + " %u3", intrinsic.ImageAtomicMin, kind.BaseUint},
		{"OpAtomicSMax %u32 %p " + sem + " %u3", intrinsic.ImageAtomicMax, kind.BaseInt},
		{"OpAtomicUMax %u32 %p " + sem + " %u3", intrinsic.ImageAtomicMax, kind.BaseUint},
		{"OpAtomicAnd %u32 %p " + sem + " %u3", intrinsic.ImageAtomicAnd, kind.BaseUint},
		{"OpAtomicOr %u32 %p " + sem + " %u3", intrinsic.ImageAtomicOr, kind.BaseUint},
		{"OpAtomicXor %u32 %p " + sem + " %u3", intrinsic.ImageAtomicXor, kind.BaseUint},
		{"OpAtomicExchange %u32 %p " + sem + " %u3", intrinsic.ImageAtomicExchange, kind.BaseUint},
		{"OpAtomicCompareExchange %u32 %p " + sem + " %u0 %u3 %u1", intrinsic.ImageAtomicCompSwap, kind.BaseUint},
		{"OpAtomicLoad %u32 %p " + sem, intrinsic.ImageLoad, kind.BaseUint},
	} {
		name := strings.Fields(c.op)[0]
		s := readImages(t, "%p = OpImageTexelPointer %pt %co %v2un %u0\n%x = "+c.op+"\nOpReturn")
		v := only(t, s, c.id)
		out := string(text.Print(s))
		if strings.Contains(out, "pointer") {
			t.Errorf("%s: a pointer is left\n%s", name, out)
		}
		d := s.Src(v, int(s.At(v).NSrc)-1).Val
		if in := s.At(d); in.Kind != kind.Deref || in.DerefKind() != kind.DerefVar || s.Modes(d) != kind.ModeImage {
			t.Errorf("%s: the target is not a variable of an image\n%s", name, out)
		}
		if got := kind.BaseType(s.Index(v, intrinsic.IxTexelBase)); got != c.base {
			t.Errorf("%s reads texels as %s, want %s", name, got, c.base)
		}
		if got := kind.ImageDim(s.Index(v, intrinsic.IxImageDim)); got != kind.Dim2D {
			t.Errorf("%s: shape %s", name, got)
		}
		if got := kind.Access(s.Index(v, intrinsic.IxAccess)); got&(kind.AccessCoherent|
			kind.AccessVolatile) != kind.AccessCoherent|kind.AccessVolatile {
			t.Errorf("%s: access %s", name, got)
		}
	}
	s := readImages(t, "%p = OpImageTexelPointer %pt %co %v2un %u0\nOpAtomicStore %p %u1 %u0 %u3\nOpReturn")
	only(t, s, intrinsic.ImageStore)
}

// TestI08TexelPointerFarAway: the pointer may be computed in a different block than the atomic, even inside a loop that is
// left by a break.
func TestI08TexelPointerFarAway(t *testing.T) {
	s := readImages(t, `OpBranch %head
%head = OpLabel
OpLoopMerge %after %next None
OpBranch %body
%body = OpLabel
%c = OpIAdd %u32 %u1 %u3
%cc = OpCompositeConstruct %v2u %c %c
%p = OpImageTexelPointer %pt %im %cc %u0
OpSelectionMerge %inner None
OpSwitch %c %inner 1 %leave 2 %out
%leave = OpLabel
OpBranch %after
%out = OpLabel
OpBranch %inner
%inner = OpLabel
%x = OpAtomicIAdd %u32 %p %u1 %u0 %u3
OpBranchConditional %true %next %after
%next = OpLabel
%y = OpAtomicIAdd %u32 %p %u1 %u0 %u1
OpBranch %head
%after = OpLabel
OpReturn`)
	c := pass.New(s)
	if err := c.Run(pipeline.Optimize, nil); err != nil {
		t.Fatal(err)
	}
	if err := validate.Shader(s); err != nil {
		t.Errorf("%v\n%s", err, text.Print(s))
	}
}

// TestI02ImageVariables: the target of an image intrinsic is a variable with its binding, type and qualifiers.
func TestI02ImageVariables(t *testing.T) {
	s := readImages(t, "%i = OpLoad %img %co\n%x = OpImageRead %v4u %i %v2un\nOpReturn")
	v := only(t, s, intrinsic.ImageLoad)
	x := s.Var(ir.Var(s.Words(s.Src(v, 2).Val)[kind.FieldDerefVarVar]))
	info := s.Types.At(x.Type)
	if x.Mode != kind.ModeImage || x.Binding != 2 || x.Access != kind.AccessCoherent|kind.AccessVolatile ||
		info.Kind != ir.TypeImage || !info.Storage || info.Format != kind.FormatR32ui || info.Dim != kind.Dim2D {
		t.Errorf("%+v %+v", x, info)
	}
	if a := kind.Access(s.Index(v, intrinsic.IxAccess)); a != x.Access {
		t.Errorf("the access has %s, the variable %s", a, x.Access)
	}
}

// TestI03Coordinates: source 0 is always a vector of four, with zeros for components that a shape does not have, and
// source 1 is a scalar.
func TestI03Coordinates(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for _, c := range []struct {
		image, coord, sample string
		n                    int
	}{
		{"image1D", "7", "", 1}, {"image2D", "ivec2(7)", "", 2}, {"image3D", "ivec3(7)", "", 3}, {"imageCube", "ivec3(7)", "", 3},
		{"imageBuffer", "7", "", 1}, {"image1DArray", "ivec2(7)", "", 2}, {"image2DArray", "ivec3(7)", "", 3},
		{"imageCubeArray", "ivec3(7)", "", 3}, {"image2DMS", "ivec2(7)", ", 5", 2}, {"image2DMSArray", "ivec3(7)", ", 5", 3},
	} {
		src := "#version 450\nlayout(binding=0,r32f) uniform " + c.image + " im;\nvoid main() { imageStore(im, " + c.coord +
			c.sample + ", vec4(1)); }\n"
		m, err := oracle.GLSL(t, "comp", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		s, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute})
		if err == nil {
			err = pass.New(s).Run(pipeline.Optimize, nil)
		}
		if err == nil {
			err = validate.Shader(s)
		}
		if err != nil {
			t.Errorf("%s: %v", c.image, err)
			continue
		}
		v := only(t, s, intrinsic.ImageStore)
		r := s.Src(v, 0)
		if r.N != 4 || s.Src(v, 1).N != 1 {
			t.Errorf("%s: the first sources have %d and %d components, want 4 and 1", c.image, r.N, s.Src(v, 1).N)
		}
		for i := range 4 {
			x := r.Comp(i)
			if in := s.At(x.Val); in.Kind == kind.ALU { // a constructed vector
				x = s.Src(x.Val, int(x.Swz.Comp(0)))
			}
			want := uint64(0)
			if i < c.n {
				want = 7
			}
			if !s.At(x.Val).IsConst() || s.Const(x.Val, int(x.Swz.Comp(0))) != want {
				t.Errorf("%s: coordinate %d is not %d\n%s", c.image, i, want, text.Print(s))
			}
		}
		if k, ok := s.ConstOf(s.Src(v, 1)); !ok || (k == 5) != (c.sample != "") {
			t.Errorf("%s: sample %d", c.image, k)
		}
	}
}

// TestI09StoresAreNotMerged: stores in the two arms of an if, to a coherent image and to another one, stay two
// instructions with their own qualifiers. No pass merges them into one store to a selected image.
func TestI09StoresAreNotMerged(t *testing.T) {
	s := readImages(t, `%id = OpLoad %img %im
%sz = OpImageRead %v4u %id %v2un
%q = OpCompositeExtract %u32 %sz 0
%c = OpINotEqual %bool %q %u3
OpSelectionMerge %m None
OpBranchConditional %c %t %e
%t = OpLabel
%i = OpLoad %img %im
OpImageWrite %i %v2un %sz
OpBranch %m
%e = OpLabel
%j = OpLoad %img %co
OpImageWrite %j %v2un %sz
OpBranch %m
%m = OpLabel
OpReturn`)
	if err := pass.New(s).Run(pipeline.Optimize, nil); err != nil {
		t.Fatal(err)
	}
	var seen []kind.Access
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == intrinsic.ImageStore {
				seen = append(seen, kind.Access(s.Index(v, intrinsic.IxAccess)))
			}
		}
	}
	if len(seen) != 2 || seen[0] == seen[1] {
		t.Errorf("stores with access %v\n%s", seen, text.Print(s))
	}
}

// TestRefusesImages checks the error texts for invalid or unsupported uses of images.
func TestRefusesImages(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"implicit", "%s = OpLoad %si %cmb\n%x = OpImageSampleImplicitLod %v4 %s %v2n\nOpReturn",
			"OpImageSampleImplicitLod: needs an execution mode that arranges the invocations of a compute shader in derivative groups"},
		{"query lod", "%s = OpLoad %si %cmb\n%x = OpImageQueryLod %v2 %s %v2n\nOpReturn",
			"OpImageQueryLod: needs an execution mode that arranges the invocations of a compute shader in derivative groups"},
		{"no sampler", "%s = OpLoad %tex %tx\n%x = OpImageSampleExplicitLod %v4 %s %v2n Lod %f0\nOpReturn", "OpImageSampleExplicitLod: id ID has no sampler"},
		{"no image", "%s = OpLoad %sam %smp\n%x = OpImageFetch %v4 %s %v2un\nOpReturn", "OpImageFetch: id ID has no image"},
		{"select", "%a = OpLoad %img %im\n%b = OpLoad %img %co\n%x = OpSelect %img %true %a %b\nOpReturn",
			"OpSelect: selecting between images or samplers is not supported"},
		{"phi", "%a = OpLoad %img %im\n%b = OpLoad %img %co\nOpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\nOpBranch %m\n%m = OpLabel\n%x = OpPhi %img %a %entry %b %t\nOpReturn",
			"OpPhi: a phi of images or samplers is not supported"},
		{"phi of arrays", "%a = OpLoad %imgs %many\nOpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\nOpBranch %m\n%m = OpLabel\n%x = OpPhi %imgs %a %entry %a %t\nOpReturn",
			"OpPhi: a phi of images or samplers is not supported"},
		{"array as image", "%a = OpLoad %imgs %many\n%x = OpImageRead %v4u %a %v2un\nOpReturn", "OpImageRead: id ID is an array of images or samplers, not a single one"},
		{"beyond the array", "%a = OpLoad %imgs %many\n%x = OpCompositeExtract %img %a 2\nOpReturn", "OpCompositeExtract: id ID has no element 2"},
		{"part of an image", "%a = OpLoad %imgs %many\n%x = OpCompositeExtract %img %a 1 0\nOpReturn",
			"OpCompositeExtract: id ID is an array of images or samplers, which needs one index, not 2"},
		{"other part", "%a = OpLoad %imgs %many\n%x = OpCompositeExtract %tex %a 1\nOpReturn", "OpCompositeExtract: the part has a different type than the result"},
		{"array of images put together", "%a = OpLoad %img %im\n%x = OpCompositeConstruct %imgs %a %a\nOpReturn",
			"OpCompositeConstruct: id ID is an image or a sampler, which can only be accessed"},
		{"undefined array", "%a = OpUndef %imgs\n%x = OpCompositeExtract %img %a 1\nOpReturn", "OpCompositeExtract: id ID is an undefined image or sampler"},
		{"texel pointer phi", "%a = OpImageTexelPointer %pt %im %v2un %u0\nOpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\nOpBranch %m\n%m = OpLabel\n%x = OpPhi %pt %a %entry %a %t\nOpReturn",
			"OpPhi: a pointer of storage class Image cannot be a value; PhysicalStorageBuffer pointers can, and with VariablePointers StorageBuffer and Workgroup pointers"},
		{"load texel", "%a = OpImageTexelPointer %pt %im %v2un %u0\n%x = OpLoad %u32 %a\nOpReturn", "OpLoad: id ID is not a pointer to a variable"},
		{"lod", "%i = OpLoad %img %im\n%x = OpImageRead %v4u %i %v2un Lod %u0\nOpReturn", "OpImageRead: image operand Lod is not supported here"},
		{"sample", "%i = OpLoad %img %im\n%x = OpImageRead %v4u %i %v2un Sample %u0\nOpReturn", "OpImageRead: a sample is required for multisampled images and only allowed there"},
		{"coordinates", "%i = OpLoad %img %im\n%x = OpImageRead %v4u %i %u0\nOpReturn", "OpImageRead: id ID has 1 components, needs 2"},
		{"float coordinates", "%i = OpLoad %img %im\n%x = OpImageRead %v4u %i %v2n\nOpReturn", "OpImageRead: id ID must have components that are 32-bit integers"},
		{"sampled", "%i = OpLoad %tex %tx\n%x = OpImageRead %v4 %i %v2un\nOpReturn", "OpImageRead: id ID is not a storage image"},
		{"texels", "%i = OpLoad %img %im\n%x = OpImageRead %v4 %i %v2un\nOpReturn", "OpImageRead: the result does not have components of the base type of the image's texels"},
		{"image as value", "%i = OpLoad %img %im\n%x = OpCopyObject %img %i\n%y = OpIAdd %u32 %u0 %x\nOpReturn", "OpIAdd: id ID is an image or a sampler, which can only be accessed"},
		{"no lod", "%s = OpLoad %si %cmb\n%x = OpImageSampleExplicitLod %v4 %s %v2n None\nOpReturn", "OpImageSampleExplicitLod: needs exactly one of a level of detail and derivatives"},
		{"sparse", "%s = OpLoad %si %cmb\n%x = OpImageSparseSampleExplicitLod %v4 %s %v2n Lod %f0\nOpReturn", "OpImageSparseSampleExplicitLod: the result type is not a struct of a code and a texel"},
		{"sparse code", "%s = OpLoad %si %cmb\n%x = OpImageSparseSampleExplicitLod %fcode %s %v2n Lod %f0\nOpReturn", "OpImageSparseSampleExplicitLod: the code is not an integer"},
		{"sparse texel", "%s = OpLoad %si %cmb\n%x = OpImageSparseSampleExplicitLod %utexel %s %v2n Lod %f0\nOpReturn", "OpImageSparseSampleExplicitLod: the result does not have components of the base type of the image's texels"},
		{"sparse size", "%s = OpLoad %si %cmb\n%x = OpImageSparseSampleDrefExplicitLod %sparse %s %v2n %f0 Lod %f0\nOpReturn", "OpImageSparseSampleDrefExplicitLod: the texel has 1 32-bit components, but the member of the result type has 4 of 32 bits"},
		{"resident", "%x = OpImageSparseTexelsResident %bool %f0\nOpReturn", "OpImageSparseTexelsResident: the code, id ID, is not an integer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := spirv.Read(assemble(t, c.body, imageTypes), spirv.Options{Stage: kind.StageCompute})
			var e *spirv.Error
			if !errors.As(err, &e) {
				t.Fatalf("gives %v, want an *Error", err)
			}
			if got := e.Op + ": " + e.Msg; masked(got) != masked(c.want) {
				t.Errorf("gives\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	for _, c := range []struct{ name, global, want string }{
		{"subpass", "%a = OpTypeImage %f32 SubpassData 0 0 0 2 Unknown", "OpTypeImage: only fragment shaders have input attachments"},
		{"half", "%h = OpTypeFloat 16\n%a = OpTypeImage %h 2D 0 0 0 2 Rgba16f", "OpTypeImage: 16-bit texels are not supported"},
		{"unknown sampled", "%a = OpTypeImage %f32 2D 0 0 0 0 Unknown", "OpTypeImage: images whose operand Sampled is 0 (known only at run time) are not supported"},
		{"private", imageTypes + "%pp = OpTypePointer Private %img\n%qv = OpVariable %pp Private", "OpVariable: images and samplers must be variables of class UniformConstant, not Private"},
		{"number", imageTypes + "%pp = OpTypePointer UniformConstant %u32\n%qv = OpVariable %pp UniformConstant", "OpVariable: a variable of class UniformConstant must be an image or sampler, or an array of them"},
		{"member", imageTypes + "%ss = OpTypeStruct %img", "OpTypeStruct: member 0 is an image or a sampler"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := spirv.Read(assemble(t, "OpReturn", c.global), spirv.Options{Stage: kind.StageCompute})
			var e *spirv.Error
			if !errors.As(err, &e) {
				t.Fatalf("gives %v, want an *Error", err)
			}
			if got := e.Op + ": " + e.Msg; masked(got) != masked(c.want) {
				t.Errorf("gives\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
