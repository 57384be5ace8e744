package random

import (
	"fmt"
	"slices"
	"strings"
)

// GLSL writes a program as a compute shader.
func GLSL(p *Program) string { return glsl(p, false) }

// glsl writes a program. If it is to be spread, zeros that each invocation reads
// for itself from a further buffer go into every value that a variable is set to,
// so that none looks as if it were the same for all invocations.
func glsl(p *Program, spread bool) string {
	w := &glslWriter{p: p, spread: spread, helpers: map[string]string{}, exts: map[string]bool{}}
	for _, f := range p.functions() {
		w.function(f)
	}
	var b strings.Builder
	b.WriteString("#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
		"#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : require\n")
	if slices.ContainsFunc(p.Shared, func(v *Var) bool { return v.Zero }) {
		b.WriteString("#extension GL_EXT_null_initializer : require\n")
	}
	if p.packed() {
		b.WriteString("#extension GL_EXT_scalar_block_layout : require\n")
	}
	if slices.ContainsFunc(p.Buffers, func(v *Var) bool { return v.Arrayed }) {
		b.WriteString("#extension GL_EXT_nonuniform_qualifier : require\n")
	}
	if p.subgroups() {
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
	p       *Program
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
			fmt.Fprintf(b, " %s f%d;", f.glsl(), i)
		}
		b.WriteString(" };\n")
	}
	for _, v := range w.p.Specs {
		var bits uint64
		fmt.Fprintf(b, "layout(constant_id = %s) const %s %s = %s;\n", specID(v), v.T.glsl(), v.Name, v.T.Base.lit(bits))
	}
	for _, v := range w.p.Buffers {
		switch v.Class {
		case Buffer:
			size, list, number := "", v.T, ""
			if v.Arrayed {
				number = fmt.Sprintf("[%d]", list.Len)
				list = list.Elem
			}
			if v.Own == 0 {
				size = fmt.Sprint(list.Len)
			}
			fmt.Fprintf(b, "layout(%s, set = 0, binding = %d) %sbuffer B_%s { %s v[%s]; } %s%s;\n", v.Layout.glsl(), v.Binding, v.Memory, v.Name, list.Elem.glsl(), size, v.Name, number)
		case Uniform:
			fmt.Fprintf(b, "layout(%s, set = 0, binding = %d) uniform B_%s {", v.Layout.glsl(), v.Binding, v.Name)
		case Push:
			fmt.Fprintf(b, "layout(push_constant, %s) uniform B_%s {", v.Layout.glsl(), v.Name)
		}
		if v.Class != Buffer {
			block, number := v.T, ""
			if v.Arrayed {
				block, number = v.T.Elem, fmt.Sprintf("[%d]", v.T.Len)
			}
			for i, f := range block.Fields {
				fmt.Fprintf(b, " %s f%d;", f.glsl(), i)
			}
			fmt.Fprintf(b, " } %s%s;\n", v.Name, number)
		}
	}
	for _, v := range w.p.Shared {
		zero := ""
		if v.Zero {
			zero = " = {}"
		}
		fmt.Fprintf(b, "shared %s %s%s;\n", v.T.glsl(), v.Name, zero)
	}
	g := w.p.Groups
	fmt.Fprintf(b, "#define gid (((gl_WorkGroupID.z * %du + gl_WorkGroupID.y) * %du + gl_WorkGroupID.x) * %du + gl_LocalInvocationIndex)\n", g[1], g[0], w.p.Lanes())
	if w.spread {
		fmt.Fprintf(b, "layout(std430, set = 0, binding = %d) buffer B_zeros { uint v[]; } zeros;\n#define apart zeros.v[gid]\n", w.p.zeros())
	}
	for _, v := range w.p.Globals {
		fmt.Fprintf(b, "%s %s = %s;\n", v.T.glsl(), v.Name, w.expr(stored(v.Init)))
	}
}

// specID is the number of a specialization constant.
func specID(v *Var) string { return strings.TrimPrefix(v.Name, "spec") }

func (w *glslWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *glslWriter) function(f *Func) {
	result := "void"
	if f.Result != nil {
		result = f.Result.glsl()
	}
	var params []string
	for _, v := range f.Params {
		params = append(params, [...]string{In: "", Const: "const in ", Out: "out ", InOut: "inout "}[v.Dir]+v.T.glsl()+" "+v.Name)
	}
	w.line("%s %s(%s) {", result, f.Name, strings.Join(params, ", "))
	w.block(f.Body)
	w.line("}")
}

func (w *glslWriter) block(list []*Stmt) {
	w.indent++
	for _, s := range list {
		w.stmt(s)
	}
	w.indent--
}

// value is an expression that is stored or stands alone.
func (w *glslWriter) value(e *Expr) string {
	text := w.expr(stored(e))
	if !w.spread || e.T == nil || !e.T.simple() || e.T.Shape == IsMatrix {
		return text
	}
	t := e.T.glsl()
	name := "spread_" + e.T.Key
	if w.helpers[name] == "" {
		with := "x ^ " + t + "(apart)"
		switch {
		case e.T.Base == boolean && e.T.Shape == IsVector:
			with = "notEqual(x, " + t + "(apart))"
		case e.T.Base == boolean:
			with = "x != bool(apart)"
		case e.T.Base.Kind == Float:
			with = "x + " + t + "(apart)"
		}
		w.helpers[name] = fmt.Sprintf("%s %s(%s x) { return %s; }", t, name, t, with)
		w.order = append(w.order, name)
	}
	return name + "(" + text + ")"
}

func (w *glslWriter) stmt(s *Stmt) {
	switch s.Kind {
	case Decl:
		w.line("%s %s = %s;", s.Var.T.glsl(), s.Var.Name, w.value(s.RHS))
	case Assign:
		w.line("%s = %s;", w.expr(condition(s.LHS)), w.value(s.RHS))
	case Do:
		w.line("%s;", w.value(s.RHS))
	case If:
		w.line("if (%s) {", w.expr(condition(s.RHS)))
		w.block(s.Body)
		if len(s.Else) > 0 {
			w.line("} else {")
			w.block(s.Else)
		}
		w.line("}")
	case Switch:
		w.line("switch (%s) {", w.expr(condition(s.RHS)))
		for i, c := range s.Cases {
			for _, l := range c.Labels {
				u := ""
				if s.RHS.T.Base == u32 {
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
	case For:
		i := s.Var
		w.line("for (%s %s = %s; %s < %s; %s += %s) {", i.T.glsl(), i.Name, i.T.Base.lit(uint64(s.From)), i.Name, w.expr(s.bound()), i.Name, i.T.Base.lit(uint64(s.Step)))
		w.block(s.Body)
		w.line("}")
	case While:
		i := s.Var
		w.line("for (%s %s = %s; %s < %s && %s; %[2]s++) {", i.T.glsl(), i.Name, i.T.Base.lit(0), i.Name, i.T.Base.lit(uint64(s.Trips)), w.expr(condition(s.RHS)))
		w.block(s.Body)
		w.line("}")
	case DoWhile:
		i := s.Var
		w.line("%s %s = %s;", i.T.glsl(), i.Name, i.T.Base.lit(0))
		w.line("do {")
		w.block(s.Body)
		w.line("} while (++%s < %s && %s);", i.Name, i.T.Base.lit(uint64(s.Trips)), w.expr(condition(s.RHS)))
	case Forever:
		i := s.Var
		w.line("%s %s = %s;", i.T.glsl(), i.Name, i.T.Base.lit(0))
		w.line("for (;;) {")
		w.line("  if (!(%s < %s && %s)) break;", i.Name, i.T.Base.lit(uint64(s.Trips)), w.expr(condition(s.RHS)))
		w.line("  %s++;", i.Name)
		w.block(s.Body)
		w.line("}")
	case Break:
		w.line("break;")
	case Continue:
		w.line("continue;")
	case Return:
		if s.RHS == nil {
			w.line("return;")
		} else {
			w.line("return %s;", w.value(s.RHS))
		}
	case Barrier:
		w.line("barrier();")
	case Block:
		w.line("{")
		w.block(s.Body)
		w.line("}")
	}
}

// bound is the limit that the counter of a for loop is compared with.
func (s *Stmt) bound() *Expr {
	e := condition(s.RHS)
	e = inside(e, s.From+s.Step*s.Trips+1)
	if e.T.Base != s.Var.T.Base {
		e = &Expr{Op: opConvert, T: s.Var.T, Args: []*Expr{e}}
	}
	return e
}

// ofWholes are operations that glslang compiles to OpAny and OpAll, which a specialization constant cannot use.
var ofWholes = map[string]bool{"any": true, "all": true, "equal": true, "unequal": true}

// expr writes an expression that has been fixed.
func (w *glslWriter) expr(e *Expr) string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = w.expr(a)
	}
	if opensFold(e) || ofWholes[e.Op.Name] && specialized(e) {
		args[0] = w.same(e.Args[0].T) + "(" + args[0] + ")"
	}
	list := strings.Join(args, ", ")
	switch e.Op {
	case opConst:
		return glslConst(e)
	case opVar:
		switch e.Var.Class {
		case Builtin:
			if e.T.Shape == IsVector {
				w.exts["ballot"] = true
			}
			if e.Var.Of != nil {
				return fmt.Sprintf("uint(%s.v.length())", e.Var.Of.Name)
			}
			return e.Var.GLSL
		case Buffer:
			return e.Var.Name + ".v"
		}
		return e.Var.Name
	case opOwn:
		base, index := e.Var.Name, "gid"
		if e.Var.Arrayed {
			base += "[nonuniformEXT(" + args[1] + ")]"
		}
		if e.Var.Class == Buffer {
			base += ".v"
		} else {
			index = "gl_LocalInvocationIndex"
		}
		return fmt.Sprintf("%s[%s * %du + uint(%s)]", base, index, e.Var.Own, args[0])
	case opAccu:
		base := e.Var.Name
		if e.Var.Class == Buffer {
			base += ".v"
		}
		return fmt.Sprintf("%s[uint(%s) * %du + %du]", base, args[0], accuKinds, e.N[0])
	case opField:
		return fmt.Sprintf("%s.f%d", args[0], e.N[0])
	case opIndex:
		if block := e.Args[0]; block.Op == opVar && block.Var.Arrayed {
			text := fmt.Sprintf("%s[nonuniformEXT(%s)]", block.Var.Name, args[1])
			if block.Var.Class == Buffer {
				text += ".v"
			}
			return text
		}
		return fmt.Sprintf("%s[%s]", args[0], args[1])
	case opSwizzle:
		text := args[0] + "."
		for _, n := range e.N {
			text += string("xyzw"[n])
		}
		return text
	case opSelect:
		if e.T.Shape > IsVector { // of which glslang makes an invalid OpSelect
			name, t := "choose_"+e.T.Key, e.T.glsl()
			if w.helpers[name] == "" {
				w.helpers[name] = fmt.Sprintf("%s %s(bool c, %s x, %s y) { if (c) return x; return y; }", t, name, t, t)
				w.order = append(w.order, name)
			}
			return name + "(" + list + ")"
		}
	case opConvert:
		if e.Args[0].T.Base.Bits != e.T.Base.Bits && specialized(e.Args[0]) {
			// A specialization constant of another size takes SPIR-V 1.4.
			list = w.same(e.Args[0].T) + "(" + list + ")"
		}
		fallthrough
	case opConstruct:
		return e.T.glsl() + "(" + list + ")"
	case opModulo:
		if n := e.N[0]; n&(n-1) == 0 {
			return fmt.Sprintf("(%s & %du)", args[0], n-1)
		}
		return fmt.Sprintf("(%s %% %du)", args[0], e.N[0])
	case opShiftBy:
		return fmt.Sprintf("(%s >> %d)", args[0], e.N[0])
	case opNorm:
		t := e.T.glsl()
		x := args[0]
		if k := e.N[1]; k == 0 {
			x = fmt.Sprintf("trunc(%s)", x)
		} else {
			x = fmt.Sprintf("(trunc(%s * %s(%d.0)) * %s(%s))", x, t, 1<<k, t, number(1/float64(int(1)<<k)))
		}
		most := 1 << e.N[0]
		if e.T.Shape == IsMatrix {
			return w.matrixNorm(e, args[0])
		}
		return fmt.Sprintf("clamp(%s, %s(-%d.0), %s(%d.0))", x, t, most, t, most)
	case opCall:
		return e.Func.Name + "(" + list + ")"
	case opAtomic:
		return atomics[e.N[0]].glsl + "(" + list + ")"
	}
	return w.row(e, args)
}

// same names a function that returns its argument.
func (w *glslWriter) same(t *Type) string {
	name := "same_" + t.Key
	if w.helpers[name] == "" {
		w.helpers[name] = fmt.Sprintf("%s %s(%s x) { return x; }", t.glsl(), name, t.glsl())
		w.order = append(w.order, name)
	}
	return name
}

// opensFold reports whether an operation has only constant operands. glslang would fold it: it is wrong about some
// operations of 8, 16 and 64 bits, and the compiler would not see the operation.
func opensFold(e *Expr) bool {
	if len(e.Args) == 0 || e.Op == opConstruct || e.Op == opSwizzle || e.Op == opIndex || e.Op == opField || e.Op == opOwn || e.Op == opAccu || e.Op == opCall {
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
func constant(e *Expr) bool {
	switch e.Op {
	case opConst:
		return true
	case opConstruct, opSwizzle, opIndex, opField:
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
func specialized(e *Expr) bool {
	found, others := false, false
	e.walk(func(e *Expr) {
		if e.Var != nil {
			found = found || e.Var.Class == Spec
			others = others || e.Var.Class != Spec
		}
	})
	return found && !others
}

// matrixNorm cuts a matrix column by column, in a function.
func (w *glslWriter) matrixNorm(e *Expr, arg string) string {
	name := fmt.Sprintf("cut_%s_%d_%d", e.T.Key, e.N[0], e.N[1])
	if w.helpers[name] == "" {
		column := &Expr{Op: opNorm, T: e.T.part(0), N: e.N, Args: []*Expr{{Op: opVar, T: e.T.part(0), Var: &Var{Name: "m[i]"}}}}
		w.helpers[name] = fmt.Sprintf("%s %s(%s m) { for (int i = 0; i < %d; i++) m[i] = %s; return m; }", e.T.glsl(), name, e.T.glsl(), e.T.Cols, w.expr(column))
		w.order = append(w.order, name)
	}
	return name + "(" + arg + ")"
}

func glslConst(e *Expr) string {
	s := e.T.Base
	if e.T.Shape == IsScalar {
		return s.lit(e.Bits[0])
	}
	equal := e.T.Shape == IsVector
	for _, v := range e.Bits {
		equal = equal && v == e.Bits[0]
	}
	if equal {
		return e.T.glsl() + "(" + s.lit(e.Bits[0]) + ")"
	}
	var parts []string
	for _, v := range e.Bits {
		parts = append(parts, s.lit(v))
	}
	return e.T.glsl() + "(" + strings.Join(parts, ", ") + ")"
}

// row writes an operation of the tables.
func (w *glslWriter) row(e *Expr, args []string) string {
	for _, x := range strings.Fields(e.Op.Ext) {
		w.exts[x] = true
	}
	text := e.Op.GLSL
	if e.Op.Vec != "" && (len(e.Args) > 0 && e.Args[0].T.Shape == IsVector) {
		text = e.Op.Vec
	}
	var first *Type
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
func glslText(text string, t, first *Type, args []string) string {
	pairs := []string{}
	for i, a := range args {
		pairs = append(pairs, fmt.Sprint("$", i), a)
	}
	if t != nil {
		pairs = append(pairs, "$T", t.glsl())
	}
	if first != nil && first.simple() {
		s := first.Base
		if t.simple() && t.Base.integer() && !s.integer() {
			s = t.Base
		}
		pairs = append(pairs, "$E", first.with(i32).glsl(), "$A", first.glsl(), "$B", fmt.Sprint(s.Bits-1), "$X", topSigned(s))
		pairs = append(pairs, "$F", toBits[s], "$G", fromBits[first.Base], "$Y", mantissa[s.Bits/16], "$Z", mantissaOne[s.Bits/16])
		if s == i32 {
			pairs = append(pairs, "$Extended", "imulExtended")
		} else {
			pairs = append(pairs, "$Extended", "umulExtended")
		}
	}
	return strings.NewReplacer(longestFirst(pairs)...).Replace(text)
}

// longestFirst sorts pairs so that no name precedes a longer name that begins with it.
func longestFirst(pairs []string) []string {
	var out []string
	for n := 12; n > 0; n-- {
		for i := 0; i < len(pairs); i += 2 {
			if len(pairs[i]) == n {
				out = append(out, pairs[i], pairs[i+1])
			}
		}
	}
	return out
}

// topSigned is the largest signed number of a width.
func topSigned(s Scalar) string {
	text := fmt.Sprint(s.mask() >> 1)
	if s.Bits == 64 {
		text += "l"
	}
	return text
}

// Names of the reinterpretations of floats and integers.
var (
	toBits = map[Scalar]string{
		i32: "floatBitsToInt", u32: "floatBitsToUint", {Int, 16}: "float16BitsToInt16", {Uint, 16}: "float16BitsToUint16",
	}
	fromBits = map[Scalar]string{
		i32: "intBitsToFloat", u32: "uintBitsToFloat", {Int, 16}: "int16BitsToFloat16", {Uint, 16}: "uint16BitsToFloat16",
	}
	mantissa    = [...]string{1: "0x03e0", 2: "0x007ff000", 4: ""}
	mantissaOne = [...]string{1: "0x3c00", 2: "0x3f800000", 4: ""}
)
