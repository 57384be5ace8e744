// SPDX-License-Identifier: MIT

package random

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/tests/support/randprog"
)

// GLSL writes a program as a compute shader.
func GLSL(p *randprog.Program) string { return glsl(p, false) }

// glsl writes a program. If it is to be spread, zeros that each invocation reads
// for itself from a further buffer go into every value that a variable is set to,
// so that none looks as if it were the same for all invocations.
func glsl(p *randprog.Program, spread bool) string {
	w := &glslWriter{p: p, spread: spread, helpers: map[string]string{}, exts: map[string]bool{}}
	for _, f := range p.Functions() {
		w.function(f)
	}
	var b strings.Builder
	b.WriteString("#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
		"#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : require\n")
	if slices.ContainsFunc(p.Shared, func(v *randprog.Var) bool { return v.Zero }) {
		b.WriteString("#extension GL_EXT_null_initializer : require\n")
	}
	if p.Packed() {
		b.WriteString("#extension GL_EXT_scalar_block_layout : require\n")
	}
	if slices.ContainsFunc(p.Buffers, func(v *randprog.Var) bool { return v.Arrayed }) {
		b.WriteString("#extension GL_EXT_nonuniform_qualifier : require\n")
	}
	if p.Subgroups() {
		w.exts["basic"] = true
		for _, t := range []string{"int8", "int16", "int64", "float16"} {
			fmt.Fprintf(&b, "#extension GL_EXT_shader_subgroup_extended_types_%s : require\n", t)
		}
	}
	var exts []string
	for e := range w.exts {
		exts = append(exts, e)
	}
	slices.Sort(exts)
	for _, e := range exts {
		fmt.Fprintf(&b, "#extension GL_KHR_shader_subgroup_%s : require\n", e)
	}
	fmt.Fprintf(&b, "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;\n", p.Local[0], p.Local[1], p.Local[2])
	w.declarations(&b)
	for _, h := range w.order {
		b.WriteString(w.helpers[h] + "\n")
	}
	b.WriteString(w.b.String())
	return b.String()
}

type glslWriter struct {
	p       *randprog.Program
	b       strings.Builder
	indent  int
	helpers map[string]string
	order   []string
	exts    map[string]bool
	spread  bool
}

func (w *glslWriter) declarations(b *strings.Builder) {
	for _, t := range w.p.Structs {
		fmt.Fprintf(b, "struct %s {", t.Key)
		for i, f := range t.Fields {
			fmt.Fprintf(b, " %s f%d;", f.Glsl(), i)
		}
		b.WriteString(" };\n")
	}
	for _, v := range w.p.Specs {
		var bits uint64
		fmt.Fprintf(b, "layout(constant_id = %s) const %s %s = %s;\n", specID(v), v.T.Glsl(), v.Name, v.T.Base.Lit(bits))
	}
	for _, v := range w.p.Buffers {
		switch v.Class {
		case randprog.Buffer:
			size, list, number := "", v.T, ""
			if v.Arrayed {
				number = fmt.Sprintf("[%d]", list.Len)
				list = list.Elem
			}
			if v.Own == 0 {
				size = fmt.Sprint(list.Len)
			}
			fmt.Fprintf(b, "layout(%s, set = 0, binding = %d) %sbuffer B_%s { %s v[%s]; } %s%s;\n", v.Layout.Glsl(), v.Binding, v.Memory,
				v.Name, list.Elem.Glsl(), size, v.Name, number)
		case randprog.Uniform:
			fmt.Fprintf(b, "layout(%s, set = 0, binding = %d) uniform B_%s {", v.Layout.Glsl(), v.Binding, v.Name)
		case randprog.Push:
			fmt.Fprintf(b, "layout(push_constant, %s) uniform B_%s {", v.Layout.Glsl(), v.Name)
		}
		if v.Class != randprog.Buffer {
			block, number := v.T, ""
			if v.Arrayed {
				block, number = v.T.Elem, fmt.Sprintf("[%d]", v.T.Len)
			}
			for i, f := range block.Fields {
				fmt.Fprintf(b, " %s f%d;", f.Glsl(), i)
			}
			fmt.Fprintf(b, " } %s%s;\n", v.Name, number)
		}
	}
	for _, v := range w.p.Shared {
		zero := ""
		if v.Zero {
			zero = " = {}"
		}
		fmt.Fprintf(b, "shared %s %s%s;\n", v.T.Glsl(), v.Name, zero)
	}
	g := w.p.Groups
	fmt.Fprintf(b, "#define gid (((gl_WorkGroupID.z * %du + gl_WorkGroupID.y) * %du + gl_WorkGroupID.x) * %du + gl_LocalInvocationIndex)\n",
		g[1], g[0], w.p.Lanes())
	if w.spread {
		fmt.Fprintf(b, "layout(std430, set = 0, binding = %d) buffer B_zeros { uint v[]; } zeros;\n#define apart zeros.v[gid]\n",
			w.p.Zeros())
	}
	for _, v := range w.p.Globals {
		fmt.Fprintf(b, "%s %s = %s;\n", v.T.Glsl(), v.Name, w.expr(randprog.Stored(v.Init)))
	}
}

// specID returns the number of a specialization constant.
func specID(v *randprog.Var) string { return strings.TrimPrefix(v.Name, "spec") }

func (w *glslWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *glslWriter) function(f *randprog.Func) {
	result := "void"
	if f.Result != nil {
		result = f.Result.Glsl()
	}
	var params []string
	for _, v := range f.Params {
		params = append(params, [...]string{randprog.In: "", randprog.Const: "const in ", randprog.Out: "out ", randprog.InOut: "inout "}[v.Dir]+v.T.Glsl()+" "+v.Name)
	}
	w.line("%s %s(%s) {", result, f.Name, strings.Join(params, ", "))
	w.block(f.Body)
	w.line("}")
}

func (w *glslWriter) block(list []*randprog.Stmt) {
	w.indent++
	for _, s := range list {
		w.stmt(s)
	}
	w.indent--
}

// value returns an expression that is stored or is a statement by itself.
func (w *glslWriter) value(e *randprog.Expr) string {
	text := w.expr(randprog.Stored(e))
	if !w.spread || e.T == nil || !e.T.Simple() || e.T.Shape == randprog.IsMatrix {
		return text
	}
	t := e.T.Glsl()
	name := "spread_" + e.T.Key
	if w.helpers[name] == "" {
		with := "x ^ " + t + "(apart)"
		switch {
		case e.T.Base == randprog.Boolean && e.T.Shape == randprog.IsVector:
			with = "notEqual(x, " + t + "(apart))"
		case e.T.Base == randprog.Boolean:
			with = "x != bool(apart)"
		case e.T.Base.Kind == randprog.Float:
			with = "x + " + t + "(apart)"
		}
		w.helpers[name] = fmt.Sprintf("%s %s(%s x) { return %s; }", t, name, t, with)
		w.order = append(w.order, name)
	}
	return name + "(" + text + ")"
}

func (w *glslWriter) stmt(s *randprog.Stmt) {
	switch s.Kind {
	case randprog.Decl:
		if s.RHS == nil {
			w.line("%s %s;", s.Var.T.Glsl(), s.Var.Name)
			break
		}
		w.line("%s %s = %s;", s.Var.T.Glsl(), s.Var.Name, w.value(s.RHS))
	case randprog.Assign:
		w.line("%s = %s;", w.expr(randprog.Condition(s.LHS)), w.value(s.RHS))
	case randprog.Do:
		w.line("%s;", w.value(s.RHS))
	case randprog.If:
		w.line("if (%s) {", w.expr(randprog.Condition(s.RHS)))
		w.block(s.Body)
		if len(s.Else) > 0 {
			w.line("} else {")
			w.block(s.Else)
		}
		w.line("}")
	case randprog.Switch:
		w.line("switch (%s) {", w.expr(randprog.Condition(s.RHS)))
		for i, c := range s.Cases {
			for _, l := range c.Labels {
				u := ""
				if s.RHS.T.Base == randprog.U32 {
					u = "u"
				}
				w.line("case %d%s:", l, u)
			}
			if c.Default {
				w.line("default:")
			}
			w.line("{")
			w.block(c.Body)
			w.line("}")
			if i == len(s.Cases)-1 && len(c.Body) == 0 { // GLSL wants a statement
				w.line("break;")
			}
		}
		w.line("}")
	case randprog.For:
		i := s.Var
		w.line("for (%s %s = %s; %s < %s; %s += %s) {", i.T.Glsl(), i.Name, i.T.Base.Lit(uint64(s.From)), i.Name, w.expr(s.Bound()), i.Name,
			i.T.Base.Lit(uint64(s.Step)))
		w.block(s.Body)
		w.line("}")
	case randprog.While:
		i := s.Var
		w.line("for (%s %s = %s; %s < %s && %s; %[2]s++) {", i.T.Glsl(), i.Name, i.T.Base.Lit(0), i.Name, i.T.Base.Lit(uint64(s.Trips)),
			w.expr(randprog.Condition(s.RHS)))
		w.block(s.Body)
		w.line("}")
	case randprog.DoWhile:
		i := s.Var
		w.line("%s %s = %s;", i.T.Glsl(), i.Name, i.T.Base.Lit(0))
		w.line("do {")
		w.block(s.Body)
		w.line("} while (++%s < %s && %s);", i.Name, i.T.Base.Lit(uint64(s.Trips)), w.expr(randprog.Condition(s.RHS)))
	case randprog.Forever:
		i := s.Var
		w.line("%s %s = %s;", i.T.Glsl(), i.Name, i.T.Base.Lit(0))
		w.line("for (;;) {")
		w.line("  if (!(%s < %s && %s)) break;", i.Name, i.T.Base.Lit(uint64(s.Trips)), w.expr(randprog.Condition(s.RHS)))
		w.line("  %s++;", i.Name)
		w.block(s.Body)
		w.line("}")
	case randprog.Break:
		w.line("break;")
	case randprog.Continue:
		w.line("continue;")
	case randprog.Return:
		if s.RHS == nil {
			w.line("return;")
		} else {
			w.line("return %s;", w.value(s.RHS))
		}
	case randprog.Barrier:
		w.line("barrier();")
	case randprog.Block:
		w.line("{")
		w.block(s.Body)
		w.line("}")
	}
}

// ofWholes are operations that glslang compiles to OpAny and OpAll, which a specialization constant cannot use.
var ofWholes = map[string]bool{"any": true, "all": true, "equal": true, "unequal": true}

// expr writes an expression that has been fixed.
func (w *glslWriter) expr(e *randprog.Expr) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = w.expr(a)
	}
	if opensFold(e) || ofWholes[e.Op.Name] && specialized(e) {
		args[0] = w.same(e.Args[0].T) + "(" + args[0] + ")"
	}
	list := strings.Join(args, ", ")
	switch e.Op {
	case randprog.OpConst:
		return glslConst(e)
	case randprog.OpVar:
		switch e.Var.Class {
		case randprog.Builtin:
			if e.T.Shape == randprog.IsVector {
				w.exts["ballot"] = true
			}
			if e.Var.Of != nil {
				return fmt.Sprintf("uint(%s.v.length())", e.Var.Of.Name)
			}
			return e.Var.GLSL
		case randprog.Buffer:
			return e.Var.Name + ".v"
		}
		return e.Var.Name
	case randprog.OpOwn:
		base, index := e.Var.Name, "gid"
		if e.Var.Arrayed {
			base += "[nonuniformEXT(" + args[1] + ")]"
		}
		if e.Var.Class == randprog.Buffer {
			base += ".v"
		} else {
			index = "gl_LocalInvocationIndex"
		}
		return fmt.Sprintf("%s[%s * %du + uint(%s)]", base, index, e.Var.Own, args[0])
	case randprog.OpAccu:
		base := e.Var.Name
		if e.Var.Class == randprog.Buffer {
			base += ".v"
		}
		return fmt.Sprintf("%s[uint(%s) * %du + %du]", base, args[0], randprog.AccuKinds, e.N[0])
	case randprog.OpField:
		return fmt.Sprintf("%s.f%d", args[0], e.N[0])
	case randprog.OpIndex:
		if block := e.Args[0]; block.Op == randprog.OpVar && block.Var.Arrayed {
			text := fmt.Sprintf("%s[nonuniformEXT(%s)]", block.Var.Name, args[1])
			if block.Var.Class == randprog.Buffer {
				text += ".v"
			}
			return text
		}
		return fmt.Sprintf("%s[%s]", args[0], args[1])
	case randprog.OpSwizzle:
		text := args[0] + "."
		for _, n := range e.N {
			text += string("xyzw"[n])
		}
		return text
	case randprog.OpSelect:
		if e.T.Shape > randprog.IsVector { // glslang makes an invalid OpSelect of these types
			name, t := "choose_"+e.T.Key, e.T.Glsl()
			if w.helpers[name] == "" {
				w.helpers[name] = fmt.Sprintf("%s %s(bool c, %s x, %s y) { if (c) return x; return y; }", t, name, t, t)
				w.order = append(w.order, name)
			}
			return name + "(" + list + ")"
		}
	case randprog.OpConvert:
		if e.Args[0].T.Base.Bits != e.T.Base.Bits && specialized(e.Args[0]) {
			// A specialization constant of another size takes SPIR-V 1.4.
			list = w.same(e.Args[0].T) + "(" + list + ")"
		}
		fallthrough
	case randprog.OpConstruct:
		return e.T.Glsl() + "(" + list + ")"
	case randprog.OpModulo:
		if n := e.N[0]; n&(n-1) == 0 {
			return fmt.Sprintf("(%s & %du)", args[0], n-1)
		}
		return fmt.Sprintf("(%s %% %du)", args[0], e.N[0])
	case randprog.OpShiftBy:
		return fmt.Sprintf("(%s >> %d)", args[0], e.N[0])
	case randprog.OpNorm:
		t := e.T.Glsl()
		x := args[0]
		if k := e.N[1]; k == 0 {
			x = fmt.Sprintf("trunc(%s)", x)
		} else {
			x = fmt.Sprintf("(trunc(%s * %s(%d.0)) * %s(%s))", x, t, 1<<k, t, randprog.Number(1/float64(int(1)<<k)))
		}
		most := 1 << e.N[0]
		if e.T.Shape == randprog.IsMatrix {
			return w.matrixNorm(e, args[0])
		}
		return fmt.Sprintf("clamp(%s, %s(-%d.0), %s(%d.0))", x, t, most, t, most)
	case randprog.OpCall:
		return e.Func.Name + "(" + list + ")"
	case randprog.OpAtomic:
		return randprog.Atomics[e.N[0]].Glsl + "(" + list + ")"
	}
	return w.row(e, args)
}

// same names a function that returns its argument.
func (w *glslWriter) same(t *randprog.Type) string {
	name := "same_" + t.Key
	if w.helpers[name] == "" {
		w.helpers[name] = fmt.Sprintf("%s %s(%s x) { return x; }", t.Glsl(), name, t.Glsl())
		w.order = append(w.order, name)
	}
	return name
}

// opensFold reports whether an operation has only constant operands. glslang would fold it: it is wrong about some
// operations of 8, 16 and 64 bits, and the compiler would not see the operation.
func opensFold(e *randprog.Expr) bool {
	if len(e.Args) == 0 || e.Op == randprog.OpConstruct || e.Op == randprog.OpSwizzle || e.Op == randprog.OpIndex ||
		e.Op == randprog.OpField || e.Op == randprog.OpOwn || e.Op == randprog.OpAccu || e.Op == randprog.OpCall {
		return false
	}
	for _, a := range e.Args {
		if !constant(a) {
			return false
		}
	}
	return true
}

// constant reports whether glslang takes an expression for a constant.
func constant(e *randprog.Expr) bool {
	switch e.Op {
	case randprog.OpConst:
		return true
	case randprog.OpConstruct, randprog.OpSwizzle, randprog.OpIndex, randprog.OpField:
		for _, a := range e.Args {
			if !constant(a) {
				return false
			}
		}
		return true
	}
	return false
}

// specialized reports whether all operands of an expression are constants and at least one is a specialization
// constant.
func specialized(e *randprog.Expr) bool {
	found, others := false, false
	e.Walk(func(e *randprog.Expr) {
		if e.Var != nil {
			found = found || e.Var.Class == randprog.Spec
			others = others || e.Var.Class != randprog.Spec
		}
	})
	return found && !others
}

// matrixNorm cuts a matrix column by column, in a function.
func (w *glslWriter) matrixNorm(e *randprog.Expr, arg string) string {
	name := fmt.Sprintf("cut_%s_%d_%d", e.T.Key, e.N[0], e.N[1])
	if w.helpers[name] == "" {
		column := &randprog.Expr{Op: randprog.OpNorm, T: e.T.Part(0), N: e.N,
			Args: []*randprog.Expr{{Op: randprog.OpVar, T: e.T.Part(0), Var: &randprog.Var{Name: "m[i]"}}}}
		w.helpers[name] = fmt.Sprintf("%s %s(%s m) { for (int i = 0; i < %d; i++) m[i] = %s; return m; }", e.T.Glsl(), name, e.T.Glsl(),
			e.T.Cols, w.expr(column))
		w.order = append(w.order, name)
	}
	return name + "(" + arg + ")"
}

func glslConst(e *randprog.Expr) string {
	s := e.T.Base
	if e.T.Shape == randprog.IsScalar {
		return s.Lit(e.Bits[0])
	}
	equal := e.T.Shape == randprog.IsVector
	for _, v := range e.Bits {
		equal = equal && v == e.Bits[0]
	}
	if equal {
		return e.T.Glsl() + "(" + s.Lit(e.Bits[0]) + ")"
	}
	var parts []string
	for _, v := range e.Bits {
		parts = append(parts, s.Lit(v))
	}
	return e.T.Glsl() + "(" + strings.Join(parts, ", ") + ")"
}

// row writes an operation of the tables.
func (w *glslWriter) row(e *randprog.Expr, args []string) string {
	for _, x := range strings.Fields(e.Op.Ext) {
		w.exts[x] = true
	}
	text := e.Op.GLSL
	if e.Op.Vec != "" && (len(e.Args) > 0 && e.Args[0].T.Shape == randprog.IsVector) {
		text = e.Op.Vec
	}
	var first *randprog.Type
	if len(e.Args) > 0 {
		first = e.Args[0].T
	}
	if e.Op.Helper != "" {
		name := e.Op.Name + "_" + e.T.Key
		if w.helpers[name] == "" {
			w.helpers[name] = strings.ReplaceAll(glslText(e.Op.Helper, e.T, first, nil), "$#", "_"+name)
			w.order = append(w.order, name)
		}
		text = strings.ReplaceAll(text, "$#", "_"+name)
	}
	return glslText(text, e.T, first, args)
}

// glslText puts names and operands into the text of a row.
func glslText(text string, t, first *randprog.Type, args []string) string {
	pairs := []string{}
	for i, a := range args {
		pairs = append(pairs, fmt.Sprint("$", i), a)
	}
	if t != nil {
		pairs = append(pairs, "$T", t.Glsl())
	}
	if first != nil && first.Simple() {
		s := first.Base
		if t.Simple() && t.Base.Integer() && !s.Integer() {
			s = t.Base
		}
		pairs = append(pairs, "$E", first.With(randprog.I32).Glsl(), "$A", first.Glsl(), "$B", fmt.Sprint(s.Bits-1), "$X",
			randprog.TopSigned(s))
		pairs = append(pairs, "$F", toBits[s], "$G", fromBits[first.Base], "$Y", randprog.Mantissa[s.Bits/16], "$Z",
			randprog.MantissaOne[s.Bits/16])
		if s == randprog.I32 {
			pairs = append(pairs, "$Extended", "imulExtended")
		} else {
			pairs = append(pairs, "$Extended", "umulExtended")
		}
	}
	return strings.NewReplacer(randprog.LongestFirst(pairs)...).Replace(text)
}

// Names of the reinterpretations of floats and integers.
var (
	toBits = map[randprog.Scalar]string{
		randprog.I32: "floatBitsToInt", randprog.U32: "floatBitsToUint", {Kind: randprog.Int, Bits: 16}: "float16BitsToInt16", {Kind: randprog.Uint, Bits: 16}: "float16BitsToUint16",
	}
	fromBits = map[randprog.Scalar]string{
		randprog.I32: "intBitsToFloat", randprog.U32: "uintBitsToFloat", {Kind: randprog.Int, Bits: 16}: "int16BitsToFloat16", {Kind: randprog.Uint, Bits: 16}: "uint16BitsToFloat16",
	}
)
