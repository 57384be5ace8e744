// SPDX-License-Identifier: MIT

package wire

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// Types of properties that no field of an instruction has.
const (
	propString = "string"
	propU8     = "u8"
)

// prop is a property of a record: a field of a Go struct as a word. Zero words are omitted, except for enumerations, in
// which 0 is an ordinary value.
type prop[T any] struct {
	name string
	typ  string
	enum *kind.Enum
	get  func(*T) uint32
	set  func(*T, uint32)
}

func number[T any, N ~uint8 | ~uint32](name, typ string, enum *kind.Enum, at func(*T) *N) prop[T] {
	return prop[T]{name, typ, enum, func(x *T) uint32 { return uint32(*at(x)) }, func(x *T, w uint32) { *at(x) = N(w) }}
}

func u32[T any](name string, at func(*T) *uint32) prop[T] { return number(name, "u32", nil, at) }

func u8[T any](name string, at func(*T) *uint8) prop[T] { return number(name, propU8, nil, at) }

func str[T any](name string, at func(*T) *ir.Str) prop[T] { return number(name, propString, nil, at) }

func typ[T any](name string, at func(*T) *ir.Type) prop[T] { return number(name, "type", nil, at) }

func enum[T any, N ~uint8 | ~uint32](name string, e *kind.Enum, at func(*T) *N) prop[T] {
	t := "enum:"
	if e.Mask {
		t = "mask:"
	}
	return number(name, t+e.Name, e, at)
}

func flag[T any](name string, at func(*T) *bool) prop[T] {
	get := func(x *T) uint32 {
		if *at(x) {
			return 1
		}
		return 0
	}
	return prop[T]{name, "bool", nil, get, func(x *T, w uint32) { *at(x) = w != 0 }}
}

// fn has the data about a function that precede the bodies.
type fn struct {
	name  ir.Str
	entry bool
}

// node holds the hints of an if or a loop, and a loop's trip count: a number or an upper bound.
type node struct {
	hint            ir.LoopHints
	trips, maxTrips uint32
}

func nodeOf(s *ir.Shader, n ir.Node) node {
	x := node{hint: s.Node(n).Hints}
	if s.NodeKind(n) == ir.NodeLoop {
		x.trips, x.maxTrips = uint32(s.Node(n).Trips.Exact()), uint32(s.Node(n).Trips.Bound())
	}
	return x
}

// loc is a source location.
type loc struct {
	file      ir.Str
	line, col uint32
}

var infoProps = []prop[ir.Info]{
	enum("stage", &kind.EnumStage, func(x *ir.Info) *kind.Stage { return &x.Stage }),
	str("entry", func(x *ir.Info) *ir.Str { return &x.Entry }),
	u32("workgroup_size_x", func(x *ir.Info) *uint32 { return &x.WorkgroupSize[0] }),
	u32("workgroup_size_y", func(x *ir.Info) *uint32 { return &x.WorkgroupSize[1] }),
	u32("workgroup_size_z", func(x *ir.Info) *uint32 { return &x.WorkgroupSize[2] }),
	u8("denorm_flush", func(x *ir.Info) *uint8 { return &x.DenormFlush }),
	u8("denorm_preserve", func(x *ir.Info) *uint8 { return &x.DenormPreserve }),
	u8("signed_zero_inf_nan", func(x *ir.Info) *uint8 { return &x.SignedZeroInfNaN }),
	u8("round_ties_even", func(x *ir.Info) *uint8 { return &x.RoundTiesEven }),
	u8("round_toward_zero", func(x *ir.Info) *uint8 { return &x.RoundTowardZero }),
	enum("modes", &kind.EnumStageMode, func(x *ir.Info) *kind.StageMode { return &x.Modes }),
	u32("invocations", func(x *ir.Info) *uint32 { return &x.Invocations }),
	u32("vertices_out", func(x *ir.Info) *uint32 { return &x.VerticesOut }),
	u32("shared_size", func(x *ir.Info) *uint32 { return &x.SharedSize }),
	u32("scratch_size", func(x *ir.Info) *uint32 { return &x.ScratchSize }),
	u32("push_constant_size", func(x *ir.Info) *uint32 { return &x.PushConstantSize }),
	u32("subgroup_size", func(x *ir.Info) *uint32 { return &x.SubgroupSize }),
}

var bindingProps = []prop[ir.Binding]{
	u32("set", func(x *ir.Binding) *uint32 { return &x.Set }),
	u32("binding", func(x *ir.Binding) *uint32 { return &x.Binding }),
	enum("mode", &kind.EnumMode, func(x *ir.Binding) *kind.Mode { return &x.Mode }),
	u32("count", func(x *ir.Binding) *uint32 { return &x.Count }),
	u32("index", func(x *ir.Binding) *uint32 { return &x.Index }),
	u32("sampler", func(x *ir.Binding) *uint32 { return &x.Sampler }),
	enum("access", &kind.EnumAccess, func(x *ir.Binding) *kind.Access { return &x.Access }),
	typ("type", func(x *ir.Binding) *ir.Type { return &x.Type }),
	flag("unformatted", func(x *ir.Binding) *bool { return &x.Unformatted }),
}

var regProps = []prop[ir.RegInfo]{
	u8("comps", func(x *ir.RegInfo) *uint8 { return &x.Comps }),
	u8("bits", func(x *ir.RegInfo) *uint8 { return &x.Bits }),
	flag("divergent", func(x *ir.RegInfo) *bool { return &x.Divergent }),
}

var paramProps = []prop[ir.Param]{
	u8("comps", func(x *ir.Param) *uint8 { return &x.Comps }),
	u8("bits", func(x *ir.Param) *uint8 { return &x.Bits }),
}

var fnProps = []prop[fn]{
	str("name", func(x *fn) *ir.Str { return &x.name }),
	flag("entry", func(x *fn) *bool { return &x.entry }),
}

var nodeProps = []prop[node]{
	enum("hint", &enumHint, func(x *node) *ir.LoopHints { return &x.hint }),
	u32("trips", func(x *node) *uint32 { return &x.trips }),
	u32("max_trips", func(x *node) *uint32 { return &x.maxTrips }),
}

var locProps = []prop[loc]{
	str("file", func(x *loc) *ir.Str { return &x.file }),
	u32("line", func(x *loc) *uint32 { return &x.line }),
	u32("col", func(x *loc) *uint32 { return &x.col }),
}

var varProps = []prop[ir.VarInfo]{
	str("name", func(x *ir.VarInfo) *ir.Str { return &x.Name }),
	enum("mode", &kind.EnumMode, func(x *ir.VarInfo) *kind.Mode { return &x.Mode }),
	typ("type", func(x *ir.VarInfo) *ir.Type { return &x.Type }),
	number("func", "func", nil, func(x *ir.VarInfo) *ir.Func { return &x.Func }),
	u32("set", func(x *ir.VarInfo) *uint32 { return &x.Set }),
	u32("binding", func(x *ir.VarInfo) *uint32 { return &x.Binding }),
	// The location plus 1, so that no location is 0.
	{"location", "u32", nil, func(x *ir.VarInfo) uint32 { return uint32(x.Location + 1) }, func(x *ir.VarInfo, w uint32) { x.Location = int32(w - 1) }},
	u8("component", func(x *ir.VarInfo) *uint8 { return &x.Comp }),
	u8("index", func(x *ir.VarInfo) *uint8 { return &x.Index }),
	enum("qualifier", &kind.EnumQualifier, func(x *ir.VarInfo) *kind.Qualifier { return &x.Qual }),
	u32("builtin", func(x *ir.VarInfo) *uint32 { return &x.Builtin }),
	enum("access", &kind.EnumAccess, func(x *ir.VarInfo) *kind.Access { return &x.Access }),
	u32("offset", func(x *ir.VarInfo) *uint32 { return &x.Offset }),
	flag("zero", func(x *ir.VarInfo) *bool { return &x.ZeroInit }),
}

var typeProps = []prop[ir.TypeInfo]{
	enum("kind", &enumTypeKind, func(x *ir.TypeInfo) *ir.TypeKind { return &x.Kind }),
	u8("bits", func(x *ir.TypeInfo) *uint8 { return &x.Bits }),
	flag("row_major", func(x *ir.TypeInfo) *bool { return &x.RowMajor }),
	flag("arrayed", func(x *ir.TypeInfo) *bool { return &x.Arrayed }),
	flag("multisampled", func(x *ir.TypeInfo) *bool { return &x.Multisampled }),
	flag("shadow", func(x *ir.TypeInfo) *bool { return &x.Shadow }),
	flag("storage", func(x *ir.TypeInfo) *bool { return &x.Storage }),
	flag("block", func(x *ir.TypeInfo) *bool { return &x.Block }),
	enum("dim", &kind.EnumImageDim, func(x *ir.TypeInfo) *kind.ImageDim { return &x.Dim }),
	enum("format", &kind.EnumFormat, func(x *ir.TypeInfo) *kind.Format { return &x.Format }),
	enum("modes", &kind.EnumMode, func(x *ir.TypeInfo) *kind.Mode { return &x.Modes }),
	typ("elem", func(x *ir.TypeInfo) *ir.Type { return &x.Elem }),
	u32("len", func(x *ir.TypeInfo) *uint32 { return &x.Len }),
	u32("stride", func(x *ir.TypeInfo) *uint32 { return &x.Stride }),
	u32("size", func(x *ir.TypeInfo) *uint32 { return &x.Size }),
	str("name", func(x *ir.TypeInfo) *ir.Str { return &x.Name }),
}

var memberProps = []prop[ir.Member]{
	typ("type", func(x *ir.Member) *ir.Type { return &x.Type }),
	// The offset plus 1, so that no offset is 0.
	{"offset", "u32", nil, func(x *ir.Member) uint32 { return x.Offset + 1 }, func(x *ir.Member, w uint32) { x.Offset = w - 1 }},
	str("name", func(x *ir.Member) *ir.Str { return &x.Name }),
	u32("stride", func(x *ir.Member) *uint32 { return &x.Stride }),
	flag("row_major", func(x *ir.Member) *bool { return &x.RowMajor }),
	enum("access", &kind.EnumAccess, func(x *ir.Member) *kind.Access { return &x.Access }),
	u32("builtin", func(x *ir.Member) *uint32 { return &x.Builtin }),
	u32("location", func(x *ir.Member) *uint32 { return &x.Location }),
	u8("component", func(x *ir.Member) *uint8 { return &x.Comp }),
	enum("qualifier", &kind.EnumQualifier, func(x *ir.Member) *kind.Qualifier { return &x.Qual }),
}

// recordFields lists the fields of every record by its name.
var recordFields = map[string][]field{
	"info": propFields(infoProps), "binding": propFields(bindingProps), "reg": propFields(regProps),
	"param": propFields(paramProps), "fn": propFields(fnProps), "node": propFields(nodeProps),
	"loc": propFields(locProps), "var": propFields(varProps), "type": propFields(typeProps),
	"member": propFields(memberProps),
}

func propFields[T any](ps []prop[T]) []field {
	var out []field
	for _, p := range ps {
		out = append(out, field{name: p.name, typ: p.typ, enum: p.enum})
	}
	return out
}
