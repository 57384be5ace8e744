// SPDX-License-Identifier: MIT

package randprog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"jacquard.example/tests/support/leaveout"
)

// AccuKinds is the number of atomic operations whose result in memory does not depend on their order. Each has one of
// every AccuKinds elements of an accumulator.
const AccuKinds = 6

// Profile weights the constructs of programs: how often each kind of statement and of type is chosen among the others.
type Profile struct {
	Name                                                    string
	Decl, Assign, If, Switch, Loop, Leave, Call, Sub, Store int // statements
	Atomic, Barrier, Block                                  int
	Bools, Words, Small, Wide, Halves, Floats, Doubles      int // scalars: 32, 8 and 16, 64 bits
	Scalars, Vectors, Matrices, Arrays, Structs             int // types of variables
	Funcs, Size, Depth                                      int // functions, statements of main, depth of expressions
	Wild                                                    int // if not 0, features that the programs of Profiles do not have
	Shapes                                                  int // one in this many statements has a form of shapes.go; 0 means none
}

// Profiles are taken in turn by the seeds.
var Profiles = []Profile{
	{"even", 10, 12, 8, 4, 6, 5, 5, 4, 3, 2, 2, 1, 3, 6, 4, 3, 3, 6, 0, 10, 6, 2, 3, 3, 3, 14, 3, 0, 0},
	{"flow", 6, 14, 12, 8, 10, 12, 4, 2, 3, 0, 0, 2, 3, 12, 2, 1, 0, 2, 0, 14, 2, 0, 1, 0, 3, 22, 2, 0, 0},
	{"subgroup", 6, 10, 8, 4, 7, 8, 3, 16, 2, 0, 0, 1, 3, 8, 4, 2, 2, 4, 0, 12, 4, 0, 1, 0, 2, 18, 2, 0, 0},
	{"integers", 10, 12, 4, 2, 3, 2, 3, 2, 3, 2, 0, 0, 1, 4, 8, 6, 0, 0, 0, 10, 6, 0, 2, 2, 2, 14, 4, 0, 0},
	{"floats", 10, 12, 4, 2, 3, 2, 3, 2, 3, 0, 0, 0, 1, 2, 1, 1, 5, 8, 0, 8, 8, 6, 2, 2, 2, 12, 3, 0, 0},
	{"memory", 8, 14, 5, 2, 6, 3, 4, 1, 8, 4, 6, 1, 1, 6, 5, 3, 3, 4, 0, 6, 4, 2, 8, 8, 3, 14, 2, 0, 0},
	{"calls", 8, 10, 6, 4, 4, 6, 16, 3, 2, 1, 0, 0, 2, 8, 3, 2, 1, 4, 0, 8, 4, 2, 4, 4, 5, 12, 2, 0, 0},
	{"barriers", 6, 8, 6, 3, 7, 3, 2, 5, 3, 5, 10, 1, 2, 8, 3, 2, 1, 4, 0, 10, 4, 1, 2, 2, 1, 18, 2, 0, 0},
	{"narrow", 8, 14, 6, 3, 6, 4, 4, 4, 8, 2, 5, 1, 2, 2, 12, 1, 6, 1, 0, 8, 4, 1, 6, 4, 2, 16, 3, 0, 0},
	{"lanes", 5, 10, 9, 6, 12, 12, 8, 14, 2, 1, 1, 1, 3, 8, 3, 2, 1, 3, 0, 12, 3, 0, 1, 0, 3, 22, 2, 0, 0},
	{"doubles", 10, 12, 5, 2, 4, 3, 3, 2, 3, 0, 2, 0, 1, 3, 2, 3, 1, 3, 9, 8, 6, 4, 2, 2, 2, 12, 3, 0, 0},
}

// Others are profiles that no seed has; they are selected by name.
var Others = []Profile{
	{"wild", 8, 12, 8, 4, 7, 7, 7, 6, 8, 4, 2, 1, 2, 6, 4, 2, 2, 4, 0, 8, 5, 1, 4, 4, 4, 16, 3, 1, 0},
	{"shapes", 8, 12, 7, 3, 6, 4, 4, 3, 5, 1, 1, 1, 3, 6, 6, 2, 2, 6, 0, 8, 5, 1, 6, 6, 3, 14, 3, 0, 3},
	{"large", 12, 14, 7, 4, 6, 5, 5, 4, 5, 2, 2, 1, 2, 6, 4, 4, 2, 5, 0, 8, 6, 3, 4, 3, 4, 60, 3, 1, 0},
	{"deep", 6, 12, 12, 6, 12, 10, 6, 8, 4, 1, 0, 2, 3, 8, 3, 2, 1, 3, 0, 12, 3, 0, 2, 1, 5, 34, 2, 1, 0},
}

// ProfileOf returns the profile of a seed. Few programs have 64-bit floats, which the machine lacks: the last profile
// is for one in eight of its seeds.
func ProfileOf(seed uint64) *Profile {
	n := uint64(len(Profiles))
	if i := seed % n; i < n-1 || seed%8 == 0 {
		return &Profiles[i]
	}
	return &Profiles[seed/n%(n-1)]
}

type gen struct {
	*Profile
	r       *rand.Rand
	p       *Program
	fn      *Func
	names   int
	scope   []*Var // the readable variables, in the order of declaration
	structs []*Type
	cost    map[*Func]int
	touches map[*Func]bool // functions that go to shared memory

	isMain   bool
	uniform  bool // all invocations of the workgroup are here together
	reading  bool // shared memory is between barriers where all is read
	exits    bool // some invocations may have left main
	together int  // number of enclosing constructs that all invocations run together
	targets  []target
	settled  []bool // the states of shared memory in which enclosing bodies must end
	trips    int    // product of the trip counts of all enclosing loops
	spent    int    // number of statements that run
	limit    int
	written  int // number of statements written, and its limit
	most     int
	indices  int     // nesting depth of an expression within indices
	depth    int     // blocks around
	sum      *Var    // the checksum
	recent   []*Expr // expressions of the statement
	lengths  []*Var  // length variables of buffers
	only     bool    // expressions must be the same in all invocations
}

// target is a loop or a switch around a statement.
type target struct {
	loop    bool
	uniform bool // all invocations run it together
	reading bool // the state of shared memory where it starts
}

// Generate makes the program of a seed.
func Generate(seed uint64) *Program { return GenerateAs(seed, ProfileOf(seed)) }

// GenerateAs makes a program by a profile.
func GenerateAs(seed uint64, profile *Profile) *Program {
	r := rand.New(rand.NewPCG(seed, 0x6a61637175617264))
	g := &gen{Profile: profile, r: r, cost: map[*Func]int{}, touches: map[*Func]bool{}, trips: 1}
	g.p = &Program{Seed: seed}
	g.p.Local = Pick(g.r, [][3]int{{8, 1, 1}, {16, 1, 1}, {32, 1, 1}, {64, 1, 1}, {20, 1, 1}, {8, 4, 1}, {7, 3, 1}, {4, 4, 3}, {33, 1, 1}, {1, 1, 1}, {5, 1, 1}, {40, 1, 1}, {2, 3, 5}, {16, 2, 2}})
	g.p.Groups = Pick(g.r, [][3]int{{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}})
	if profile.Sub > 0 && g.p.Local[1] > 1 && g.p.Local[0]%8 != 0 && !g.chance(4) {
		g.p.Local = [3]int{8, 3, 1} // lavapipe divides this size into subgroups as the specification requires
	}
	if profile.Barrier > 4 && g.p.Lanes() < 8 {
		g.p.Local = [3]int{32, 1, 1}
	}
	g.types()
	g.memory()
	scope := g.scope
	if g.Wild > 0 {
		g.scope = append(slices.Clone(g.scope), g.p.Shared...)
	}
	for i := range g.r.IntN(g.Funcs + 1) {
		g.function(i)
	}
	g.scope = scope
	g.main()
	if g.chance(4) {
		g.p.Passes = Pick(g.r, passSets)
	}
	if seed%2 == 0 {
		g.p.LeaveOut()
	}
	return g.p
}

// LeaveOut causes the program to be compiled without the set of optional passes that belongs to its seed.
func (p *Program) LeaveOut() { p.LeftOut = leaveout.Set(fmt.Sprint("program ", p.Seed)) }

// passSets are passes of spirv-opt that change the form of a module.
var passSets = [][]string{
	{"-O"}, {"-Os"},
	{"--eliminate-local-single-block", "--eliminate-local-single-store", "--ssa-rewrite", "--eliminate-dead-code-aggressive"},
	{"--inline-entry-points-exhaustive", "--scalar-replacement=0", "--ssa-rewrite", "--if-conversion", "--simplify-instructions"},
	{"--merge-return", "--inline-entry-points-exhaustive", "--ssa-rewrite", "--ccp", "--eliminate-dead-branches", "--merge-blocks"},
	{"--inline-entry-points-exhaustive", "--ssa-rewrite", "--loop-unroll-partial=2"},
	{"--inline-entry-points-exhaustive", "--ssa-rewrite", "--loop-unswitch", "--code-sink"},
	{"--ssa-rewrite", "--loop-peeling", "--local-redundancy-elimination", "--cfg-cleanup"},
	{"--inline-entry-points-exhaustive", "--ssa-rewrite", "--loop-fission", "--loop-fusion=8", "--reduce-load-size"},
	{"--private-to-local", "--merge-return", "--eliminate-local-multi-store", "--loop-unroll"},
	{"--ssa-rewrite", "--combine-access-chains", "--redundancy-elimination", "--vector-dce", "--copy-propagate-arrays"},
}

// Pick returns a random element of a list.
func Pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// chance returns true once in n calls.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

// weighted draws an index with the given weights. It returns 0 if all are 0.
func (g *gen) weighted(w ...int) int {
	sum := 0
	for _, x := range w {
		sum += x
	}
	if sum == 0 {
		return 0
	}
	n := g.r.IntN(sum)
	for i, x := range w {
		if n -= x; n < 0 {
			return i
		}
	}
	panic("unreachable")
}

func (g *gen) name(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

// scalar draws a scalar type.
func (g *gen) scalar() Scalar {
	k := Int + Kind(g.r.IntN(2))
	switch g.weighted(g.Bools, g.Words, g.Small, g.Wide, g.Halves, g.Floats, g.Doubles) {
	case 0:
		return Boolean
	case 1:
		return Scalar{k, 32}
	case 2:
		return Scalar{k, 8 << g.r.IntN(2)}
	case 3:
		return Scalar{k, 64}
	case 4:
		return f16
	case 6:
		return f64
	}
	return f32
}

// integer draws a type of integers, mostly of 32 bits.
func (g *gen) integer() Scalar {
	if s := g.scalar(); s.Integer() {
		return s
	}
	return Scalar{Int + Kind(g.r.IntN(2)), 32}
}

// float draws a type of floats.
func (g *gen) float() Scalar {
	if g.Doubles > 0 && g.chance(2) {
		return f64
	}
	if g.Halves > 0 && g.chance(3) {
		return f16
	}
	return f32
}

// simple draws the type of a scalar, a vector or a matrix.
func (g *gen) simple() *Type {
	switch g.weighted(g.Scalars, g.Vectors, g.Matrices) {
	case 1:
		return vectorType(g.scalar(), 2+g.r.IntN(3))
	case 2:
		return matrixType(g.float(), 2+g.r.IntN(3), 2+g.r.IntN(3))
	}
	return scalarType(g.scalar())
}

// typ chooses any type.
func (g *gen) typ() *Type {
	simple := g.Scalars + g.Vectors + g.Matrices
	switch g.weighted(simple, g.Arrays, g.Structs) {
	case 1:
		return g.array(6)
	case 2:
		if len(g.structs) > 0 {
			return Pick(g.r, g.structs)
		}
	}
	return g.simple()
}

func (g *gen) array(most int) *Type {
	elem := g.simple()
	if elem.Shape == IsScalar && g.chance(8) {
		return ArrayType(elem, 8+g.r.IntN(25))
	}
	switch {
	case g.chance(5) && len(g.structs) > 0:
		elem = Pick(g.r, g.structs)
	case g.chance(5):
		elem = ArrayType(elem, 2+g.r.IntN(2))
	}
	if elem.numbers() > 8 {
		most = 3
	}
	return ArrayType(elem, 2+g.r.IntN(most-1))
}

// compound draws a type that is not a scalar.
func (g *gen) compound() *Type {
	t := g.typ()
	if t.Shape == IsScalar {
		return vectorType(t.Base, 2+g.r.IntN(3))
	}
	return t
}

// storable returns the type with integers in place of booleans, which buffers cannot hold, or nil if a struct would
// have to change.
func storable(t *Type) *Type {
	switch t.Shape {
	case IsArray:
		if e := storable(t.Elem); e != nil {
			return ArrayType(e, t.Len)
		}
		return nil
	case IsStruct:
		for _, f := range t.Fields {
			if u := storable(f); u == nil || !u.Same(f) {
				return nil
			}
		}
		return t
	}
	if t.Base == Boolean {
		return t.With(U32)
	}
	return t
}

// stored draws a type that buffers can hold.
func (g *gen) stored() *Type {
	for {
		if t := storable(g.typ()); t != nil {
			return t
		}
	}
}

func (g *gen) types() {
	n := 0
	if g.Structs > 0 {
		n = 1 + g.r.IntN(3)
	}
	for i := range n {
		var fields []*Type
		for range 1 + g.r.IntN(4) {
			t := g.typ()
			if t.numbers() > 12 {
				t = g.simple()
			}
			if i%2 == 0 { // a type that buffers can hold
				if t = storable(t); t == nil {
					t = scalarType(U32)
				}
			}
			fields = append(fields, t)
		}
		t := structType(i, fields)
		g.structs = append(g.structs, t)
	}
	g.p.Structs = g.structs
	if g.Shapes > 0 {
		g.shapeTypes()
	}
}

// data fills memory with values of a type.
func (g *gen) data(t *Type, l Layout) []byte {
	out := make([]byte, l.Size(t))
	t.Leaves(l, 0, func(s Scalar, at int) { put(out[at:], s, g.value(s)) })
	return out
}

func put(out []byte, s Scalar, v uint64) {
	for i := range s.Bytes() {
		out[i] = byte(v >> (8 * i))
	}
}

// value draws the bits of a number. A float is within the bound of variables of its type.
func (g *gen) value(s Scalar) uint64 {
	switch s.Kind {
	case Bool:
		return g.r.Uint64() & 1
	case Float:
		c := classOf(s)
		k := g.r.IntN(c.k + 1)
		top := int64(1) << (min(c.m, 1+g.r.IntN(c.m)) + k)
		return s.BitsOf(math.Ldexp(float64(g.r.Int64N(2*top+1)-top), -k))
	}
	switch g.r.IntN(5) {
	case 0:
		return uint64(g.r.IntN(5)-1) & s.Mask()
	case 1:
		return uint64(g.r.IntN(20)) & s.Mask()
	case 2:
		return (uint64(1)<<g.r.IntN(s.Bits) + uint64(g.r.IntN(3)-1)) & s.Mask()
	}
	return g.r.Uint64() & s.Mask() >> g.r.IntN(s.Bits)
}

// memory declares the buffers and shared variables.
func (g *gen) memory() {
	p := g.p
	add := func(v *Var) *Var {
		v.Binding = len(p.Buffers)
		p.Buffers = append(p.Buffers, v)
		return v
	}
	for range 2 + g.r.IntN(2) { // inputs
		elem := g.stored()
		t := ArrayType(elem, 4+g.r.IntN(29))
		l := g.layout(Std430)
		v := &Var{Name: g.name("in"), T: t, Class: Buffer, Layout: l, Uniform: true}
		if g.chance(6) || g.Wild > 0 && g.chance(2) {
			v.T, v.Arrayed = ArrayType(ArrayType(elem, 2+g.r.IntN(4)), 2+g.r.IntN(4)), true
		}
		v.Data = g.data(v.T, l)
		add(v)
	}
	words := ArrayType(scalarType(U32), 32)
	add(&Var{Name: g.name("in"), T: words, Class: Buffer, Data: g.data(words, Std430), Uniform: true})
	for range 1 + g.r.IntN(2) { // read and written by each invocation for itself
		own := 1 + g.r.IntN(4)
		t := ArrayType(g.stored(), own*p.Invocations())
		l := g.layout(Std430)
		v := add(&Var{Name: g.name("own"), T: t, Class: Buffer, Layout: l, Own: own, Written: true, Data: g.data(t, l)})
		if g.chance(4) {
			v.Memory = Pick(g.r, []string{"coherent ", "volatile ", "restrict "})
		}
		if g.Wild > 0 && g.chance(2) {
			v.T, v.Arrayed = ArrayType(v.T, 2+g.r.IntN(3)), true
			v.Data = g.data(v.T, l)
			continue
		}
		if g.chance(4) {
			g.lengths = append(g.lengths, &Var{Name: g.name("length"), Of: v, T: scalarType(U32), Class: Builtin, Uniform: true})
		}
	}
	if g.Atomic > 0 {
		s := Scalar{Int + Kind(g.r.IntN(2)), 32}
		t := ArrayType(scalarType(s), AccuKinds*(1+g.r.IntN(4)))
		add(&Var{Name: g.name("accu"), T: t, Class: Buffer, Accu: true, Written: true, Data: g.data(t, Std430)})
		t = ArrayType(scalarType(Scalar{Int + Kind(g.r.IntN(2)), 32}), 2*p.Invocations())
		add(&Var{Name: g.name("own"), T: t, Class: Buffer, Own: 2, Written: true, Data: g.data(t, Std430)})
	}
	if g.chance(2) {
		g.uniforms(Uniform, g.layout(Std140), add)
	}
	if g.chance(3) {
		g.uniforms(Push, g.layout(Std430), add)
	}
	if g.Shapes > 0 {
		g.shapeMemory(add)
	}
	for range g.r.IntN(3) {
		s := g.scalar()
		if s.Bits < 32 && s != Boolean { // glslang folds them in 32 bits
			s = I32
		}
		v := g.value(s)
		data := make([]byte, max(4, s.Bytes()))
		for i := range data {
			data[i] = byte(v >> (8 * i))
		}
		p.Specs = append(p.Specs, &Var{Name: g.name("spec"), T: scalarType(s), Class: Spec, Data: data, Uniform: true})
	}
	if g.Barrier > 0 {
		n := p.Lanes()
		for range 1 + g.r.IntN(2) {
			own := 1 + g.r.IntN(2)
			t := g.typ()
			if t.numbers() > 8 {
				t = g.simple()
			}
			p.Shared = append(p.Shared, &Var{Name: g.name("shared"), T: ArrayType(t, own*n), Class: Shared, Own: own, Zero: g.chance(4)})
		}
		if g.Atomic > 0 {
			own := (AccuKinds + n - 1) / n
			for own*n%AccuKinds != 0 {
				own++
			}
			t := scalarType(Scalar{Int + Kind(g.r.IntN(2)), 32})
			tally := &Var{Name: g.name("tally"), T: ArrayType(t, own*n), Class: Shared, Own: own, Accu: true}
			tally.Zero = g.chance(4)
			p.Shared = append(p.Shared, tally)
		}
	}
	g.sum = &Var{Name: "sum", T: scalarType(U32), Class: Private, Init: One(scalarType(U32), 1)}
	p.Globals = append(p.Globals, g.sum)
	for range g.r.IntN(3) {
		t := g.typ()
		p.Globals = append(p.Globals, &Var{Name: g.name("g"), T: t, Class: Private, Init: g.constant(t)})
	}
	g.scope = append(g.scope, p.Buffers...)
	g.scope = append(g.scope, p.Specs...)
	g.scope = append(g.scope, g.lengths...)
	g.scope = append(g.scope, p.Globals...)
	for _, b := range builtins {
		v := *b
		v.Ranged = v.T.Shape == IsScalar
		v.Hi = int64(p.Lanes())
		switch v.Name {
		case "lane", "local_x", "local_y", "local_z":
			v.Hi = int64(p.Lanes()) - 1
		case "global_x":
			v.Hi = int64(p.Local[0]*p.Groups[0]) - 1
		case "subgroup_lane", "subgroup_size":
			v.Hi = 64
		case "group_x", "group_y", "groups_x":
			v.Hi = 3
		}
		if v.Name == "num_subgroups" && p.Lanes()%8 != 0 && !g.chance(6) { // which lavapipe gets wrong
			continue
		}
		if !subgroupBuiltins[v.Name] || g.Sub > 0 && (v.T.Shape == IsScalar || g.chance(3)) {
			g.scope = append(g.scope, &v)
		}
	}
}

// layout returns the layout l of a block or, at random, another layout that the block may have.
func (g *gen) layout(l Layout) Layout {
	if g.chance(4) {
		l = Packed
	}
	if g.chance(4) {
		l |= RowMajor
	}
	return l
}

// uniforms declares a block with the same contents for all invocations.
func (g *gen) uniforms(c Class, l Layout, add func(*Var) *Var) {
	var fields []*Type
	size := 0
	for range 1 + g.r.IntN(4) {
		t := g.stored()
		if size += max(Std140.Size(t), l.Size(t)); size > 120 {
			break
		}
		fields = append(fields, t)
	}
	if len(fields) == 0 {
		fields = []*Type{scalarType(U32)}
	}
	t := &Type{Shape: IsStruct, Fields: fields, Key: g.name("Block")}
	data := g.data(t, l)
	for len(data)%16 != 0 {
		data = append(data, 0)
	}
	v := add(&Var{Name: g.name("uniform"), T: t, Class: c, Layout: l, Data: data, Uniform: true})
	if g.Wild > 0 && c == Uniform && g.chance(3) && len(data) == l.Size(t) && l.Size(t)%l.align(t) == 0 {
		v.T, v.Arrayed = ArrayType(t, 2+g.r.IntN(3)), true
		v.Data = g.data(v.T, l)
	}
}
