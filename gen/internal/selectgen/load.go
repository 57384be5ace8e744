// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/meaning"
	"jacquard.example/gen/internal/message"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
	"jacquard.example/gen/internal/target"
)

// Dir is the folder of the rows.
const Dir = "intel/select"

type rowDef struct {
	Doc   string   `toml:"doc" doc:"A description of the row, if find does not suffice."`
	Find  string   `toml:"find" doc:"The pattern to match, as in rewrite rules." required:"true" pattern:"^\\s*[($]"`
	Emit  []string `toml:"emit" doc:"The machine instructions: opcode:type, then operands, the destination first. Or, for an intrinsic, a logical message: msg.name, then dst, and its sources and attributes as key=value."`
	Place []string `toml:"payload" doc:"Where in the thread payload an intrinsic is read in place: a value of an ABI, whose components follow one another; a part of the payload, and another one for inputs that are interpolated without perspective; or a component of a slot, slot.N." items:"^[A-Za-z0-9_$]+([.][0-3])?$"`
	Call  string   `toml:"call" doc:"The method of the back end that emits the instructions." pattern:"^[A-Z$]"`
	Args  []string `toml:"args" doc:"The variables passed to the method." items:"^[a-z_][a-z0-9_]*$"`
	// Flags that the row gives up on any instruction, since the API allows it.
	GivesUp   []string `toml:"gives_up" doc:"The aspects of exact IEEE behavior that the machine does not preserve: words of [enum.float_flag]." items:"^[a-z]+$"`
	Undefined string   `toml:"undefined" doc:"A condition on the variables, in the language of find, where the result is undefined."`
	Allowed   string   `toml:"allowed_by" doc:"Why gives_up and undefined are allowed on any instruction."`

	Needs   []string `toml:"needs" doc:"Each [capability] that the row requires of a machine; default: none."`
	Without []string `toml:"without" doc:"Each [capability] that a machine must lack for the row to apply."`

	For map[string]any `toml:"for" doc:"Names, or several separated by commas, and the values they take: the row stands for each combination, and its texts use them as $name or ${expression}." shape:"for"`
}

// row is one selection row after expansion.
type row struct {
	name   string
	pos    diag.Pos
	text   string // find, for the comment above the code
	doc    string
	find   *pattern.Node
	typing *pattern.Typing
	sizes  pattern.Sizes // sizes of an intrinsic at the root; 0 means any
	emit   []*instr
	msg    *msg   // or a message
	place  string // or the fields of a selector.Place, in Go
	slot   string // the slot of place, if it has one
	call   string
	args   []string
	where  Where
	root   string // key of the root: "alu fadd", "intrinsic load_ssbo", "cond"

	at        func(key string) diag.Pos
	givesUp   []string
	undefined *pattern.Node // nil if the result is defined everywhere
	allowed   string
}

type loader struct {
	ops        *opcodes.Table
	ir         *irtab.Tables
	machine    *isa.Machine
	meanings   *meaning.Table
	logicals   map[string]*message.Logical
	operations map[string][]string // operations of the sampler, with their parameters
	preds      *predicate.Table
	caps       []string // the capabilities that machines can have
	targets    []target.Machine
	intrinsics map[string]*irtab.Intrinsic
	errs       diag.List
	rows       []*row
	files      []string
	calls      map[string]*row // method → the first row that uses it
}

// condRoot is the pseudo-instruction at the root of rows for conditions.
const condRoot = "cond"

// maxRows limits the rows after expansion, each of which is compared with all preceding ones.
const maxRows = 1024

// Opcode returns an opcode by name.
func (l *loader) Opcode(name string) *opcodes.Op {
	return l.ops.ByName(name)
}

// Names yields the names of opcodes, intrinsics and texture operations.
func (l *loader) Names() iter.Seq[string] {
	return diag.Join(l.ops.Names(), maps.Keys(l.intrinsics), l.texNames())
}

// texNames yields the roots for texture operations.
func (l *loader) texNames() iter.Seq[string] {
	return diag.Each(l.ir.Values("tex_op"), func(op string) string { return "tex_" + op })
}

// texOp returns a texture operation by the name of its root, tex_OP.
func (l *loader) texOp(name string) (string, bool) {
	op, ok := strings.CutPrefix(name, "tex_")
	return op, ok && slices.Contains(l.ir.Values("tex_op"), op)
}

// Intrinsic returns the number of operands of an intrinsic, or of a texture operation, whose sources are optional.
func (l *loader) Intrinsic(name string) (int, bool) {
	if name == condRoot {
		return 1, true
	}
	if _, ok := l.texOp(name); ok {
		return 0, true
	}
	i := l.intrinsics[name]
	if i == nil {
		return 0, false
	}
	n := len(i.Row.Val.Src)
	if i.Row.Val.Target != "" {
		n++
	}
	return n, true
}

func load(ctx *domain.Context) (*loader, error) {
	l, err := newLoader(ctx)
	if err != nil {
		return nil, err
	}
	return l.read(ctx)
}

// newLoader reads the tables that rows refer to.
func newLoader(ctx *domain.Context) (*loader, error) {
	l := &loader{intrinsics: map[string]*irtab.Intrinsic{}}
	var err error
	if l.ops, err = opcodes.Load(ctx); err != nil {
		return nil, err
	}
	if l.ir, err = irtab.Load(ctx); err != nil {
		return nil, err
	}
	for _, i := range l.ir.Intrinsics {
		l.intrinsics[i.Row.Name] = i
	}
	if l.machine, err = isa.LoadMachine(ctx); err != nil {
		return nil, err
	}
	if l.meanings, err = meaning.Load(ctx, l.machine); err != nil {
		return nil, err
	}
	if l.logicals, l.operations, err = message.Logicals(ctx); err != nil {
		return nil, err
	}
	if l.caps, err = target.Capabilities(ctx); err != nil {
		return nil, err
	}
	l.targets, err = target.Machines(ctx)
	return l, err
}

// read returns a loader with the predicates and rows of ctx.
func (base *loader) read(ctx *domain.Context) (*loader, error) {
	l := &loader{
		ops: base.ops, ir: base.ir, machine: base.machine, meanings: base.meanings, logicals: base.logicals, operations: base.operations,
		caps: base.caps, targets: base.targets, intrinsics: base.intrinsics, calls: map[string]*row{},
	}
	alg, err := ctx.Load("algebraic")
	if err != nil {
		return nil, err
	}
	if l.preds, err = predicate.Load(alg); err != nil {
		return nil, err
	}
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	l.files = set.Files
	rows, err := table.Rows[rowDef](set, "select")
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if !l.expand(r) {
			return l, l.errs.Err()
		}
	}
	l.shadowed(ctx.Roots)
	l.lacking()
	return l, l.errs.Err()
}

// expand adds the rows that a row of the table expands to. It returns false if there are too
// many.
func (l *loader) expand(r *table.Row[rowDef]) bool {
	rounds := []pattern.Binding{{}}
	if len(r.Val.For) > 0 {
		var err error
		if rounds, err = pattern.Expand(r.Val.For); err != nil {
			l.errs.Addf(r.At("for"), r.Full, "for: %v", err)
			return true
		}
	}
	if len(l.rows)+len(rounds) > maxRows {
		l.errs.Addf(r.Pos, r.Full, "makes more than %d rows", maxRows)
		return false
	}
	for i := range rounds {
		if !l.row(r, &rounds[i]) {
			break // one message is enough for a template
		}
	}
	return true
}

func (l *loader) row(r *table.Row[rowDef], b *pattern.Binding) bool {
	full := r.Full + b.Suffix
	fail := func(key, format string, args ...any) bool {
		l.errs.Addf(r.At(key), full, "%s: "+format, append([]any{key}, args...)...)
		return false
	}
	failAt := func(key string, err error) bool {
		var e *pattern.Error
		if b.Suffix == "" && errors.As(err, &e) {
			if p := r.In(key, e.Col); p != r.At(key) {
				l.errs.Addf(p, full, "%s: %s", key, e.Msg)
				return false
			}
		}
		return fail(key, "%v", err)
	}
	subst := func(key, text string) (string, bool) {
		out, err := b.Apply(text)
		if err != nil {
			return "", fail(key, "%v", err)
		}
		return out, true
	}
	find, ok := subst("find", r.Val.Find)
	if !ok {
		return false
	}
	x := &row{name: r.Name + b.Suffix, pos: r.Pos, text: find, doc: strings.TrimSpace(r.Val.Doc), at: r.At, allowed: r.Val.Allowed}
	if key, err := l.where(r); err != nil {
		return fail(key, "%v", err)
	}
	x.where = Where{r.Val.Needs, r.Val.Without}
	var err error
	if x.find, err = pattern.Parse(find, l); err != nil {
		return failAt("find", err)
	}
	if x.find.Kind != pattern.Op {
		return fail("find", "the root must be an instruction, such as (fadd a b)")
	}
	if n := x.find.Commuting(); n > pattern.MaxCommutes {
		return fail("find", "%d commutative instructions; at most %d are possible", n, pattern.MaxCommutes)
	}
	if err := l.root(x); err != nil {
		return failAt("find", err)
	}
	inner := error(nil)
	x.find.Walk(func(n *pattern.Node) {
		if n != x.find && n.Kind == pattern.Op && n.Code == nil && inner == nil {
			inner = fmt.Errorf("%s can only be the root", n.Name)
		}
	})
	if inner != nil {
		return fail("find", "%v", inner)
	}
	if x.typing, err = pattern.Infer(x.find, nil); err != nil {
		return failAt("find", err)
	}
	if err := l.flags(x); err != nil {
		return failAt("find", err)
	}
	if key, err := l.open(r, b, x); err != nil {
		return fail(key, "%v", err)
	}
	if n := unchecked(x.find); n != nil {
		return failAt("find", &pattern.Error{Col: n.Col,
			Msg: fmt.Sprintf("no @ here: the matcher checks sizes of opcodes, and %s is an intrinsic", x.find.Name)})
	}
	switch {
	case x.find.Code != nil:
		x.root = "alu " + x.find.Name
	case x.find.Name == condRoot:
		x.root = condRoot
		if len(x.find.Args) != 1 {
			return fail("find", "cond takes 1 operand, not %d", len(x.find.Args))
		}
	case l.intrinsics[x.find.Name] == nil:
		x.root = "tex " + x.find.Name
	default:
		x.root = "intrinsic " + x.find.Name
	}
	given := 0
	for _, on := range []bool{r.Val.Call != "", len(r.Val.Emit) > 0, len(r.Val.Place) > 0} {
		if on {
			given++
		}
	}
	if given != 1 {
		return fail("emit", "a row needs exactly one of emit, call and payload")
	}
	if r.Val.Call == "" && len(r.Val.Args) > 0 {
		return fail("args", "needs call")
	}
	if len(r.Val.Place) > 0 {
		var texts []string
		for _, p := range r.Val.Place {
			t, ok := subst("payload", p)
			if !ok {
				return false
			}
			texts = append(texts, t)
		}
		if x.place, err = l.place(x, texts); err != nil {
			return fail("payload", "%v", err)
		}
	}
	if r.Val.Call != "" {
		if x.call, ok = subst("call", r.Val.Call); !ok {
			return false
		}
		if !token.IsIdentifier(x.call) || !token.IsExported(x.call) {
			return fail("call", "%q is not an exported Go name", x.call)
		}
		x.args = r.Val.Args
		for _, a := range x.args {
			v := x.typing.Var(a)
			if v == nil {
				return fail("args", "%s is not bound in find", a)
			}
			if modifiers(v.First) != "" {
				return fail("args", "%s has modifiers; methods only take values", a)
			}
		}
		if first := l.calls[x.call]; first == nil {
			l.calls[x.call] = x
		} else if len(first.args) != len(x.args) || (first.root == condRoot) != (x.root == condRoot) {
			return fail("args", "%s takes %d operands here but %d in [select.%s] at %s", x.call, len(x.args), len(first.args), first.name,
				first.pos)
		}
	}
	if r.Val.Call != "" && x.doc == "" {
		return fail("call", "doc is missing: it says why the row does not emit instructions itself")
	}
	for _, text := range r.Val.Emit {
		t, ok := subst("emit", text)
		if !ok {
			return false
		}
		if isMessage(t) {
			if len(r.Val.Emit) > 1 {
				return fail("emit", "%q: a row that emits a message can emit nothing else", t)
			}
			if x.msg, err = l.message(t, x); err != nil {
				return fail("emit", "%q: %v", t, err)
			}
			break
		}
		in, err := l.instr(t, x)
		if err != nil {
			return fail("emit", "%q: %v", t, err)
		}
		x.emit = append(x.emit, in)
	}
	if len(x.emit) > 0 && x.root != condRoot && !l.writes(x) {
		return fail("emit", "no instruction writes dst")
	}
	l.rows = append(l.rows, x)
	return true
}

// open reads the keys about deviations and undefined results.
func (l *loader) open(r *table.Row[rowDef], b *pattern.Binding, x *row) (string, error) {
	for _, g := range r.Val.GivesUp {
		switch flags := l.ir.Values("float_flag"); {
		case !slices.Contains(flags, g):
			return "gives_up", errors.New(diag.Unknown("flag", g, slices.Values(flags)))
		case slices.Contains(x.givesUp, g):
			return "gives_up", fmt.Errorf("%q is listed twice", g)
		}
		x.givesUp = append(x.givesUp, g)
	}
	if (len(x.givesUp) > 0 || r.Val.Undefined != "") != (x.allowed != "") {
		return "allowed_by", errors.New("explains why gives_up or undefined is allowed; it must be given with them and only with them")
	}
	if r.Val.Undefined == "" {
		return "", nil
	}
	text, err := b.Apply(r.Val.Undefined)
	if err != nil {
		return "undefined", err
	}
	if x.undefined, err = pattern.Parse(text, l); err != nil {
		return "undefined", err
	}
	if x.undefined.Kind != pattern.Op {
		return "undefined", errors.New("a condition is an instruction, such as (ieq b 0)")
	}
	return "undefined", x.typing.Assume(x.undefined)
}

// unchecked returns a node whose size the row specifies and the matcher does not
// check: the root, if it is not an opcode, or a value that it reads.
func unchecked(find *pattern.Node) *pattern.Node {
	if find.Code != nil {
		return nil
	}
	if find.Sizes != 0 {
		return find
	}
	for _, a := range find.Args {
		if a.Kind != pattern.Op && a.Sizes != 0 {
			return a
		}
	}
	return nil
}

// writes reports whether the row sets its result, if it has one.
func (l *loader) writes(x *row) bool {
	if i := l.intrinsics[x.find.Name]; x.find.Code == nil && i != nil && i.Row.Val.Dest == nil {
		return true
	}
	for _, in := range x.emit {
		if in.dst != nil && in.dst.kind == operDst {
			return true
		}
	}
	return false
}

// flags checks the flags of the nodes of a pattern.
func (l *loader) flags(x *row) error {
	var err error
	seen := map[string]bool{}
	x.find.Walk(func(n *pattern.Node) {
		if err != nil {
			return
		}
		rest := *n
		rest.Preds = nil
		for _, p := range n.Preds {
			switch {
			case n == x.find && l.flagAt(n, p) != nil:
			case n == x.find && n.Code == nil && n.Name != condRoot && l.preds.ByName(p) == nil:
				err = &pattern.Error{Col: n.Col, Msg: diag.Unknown("word after "+n.Name, p, l.flagNames(n))}
			case !isOperandWord(p):
				rest.Preds = append(rest.Preds, p)
			case p == "free" && (n.Kind != pattern.Op || n == x.find):
				err = &pattern.Error{Col: n.Col, Msg: "free must be attached to an inner instruction"}
			case p != "free" && n.Kind != pattern.Var:
				err = &pattern.Error{Col: n.Col, Msg: p + " must be attached to a variable"}
			}
		}
		if n.Kind == pattern.Var {
			if seen[n.Name] && len(n.Preds) != len(rest.Preds) {
				err = &pattern.Error{Col: n.Col, Msg: n.Name + ": flags are only allowed where the variable first occurs"}
			}
			seen[n.Name] = true
		}
		if err == nil {
			_, err = l.preds.Use(&rest, n == x.find)
		}
	})
	return err
}

// operandFlags are the words that do not restrict a pattern's matches.
var operandFlags = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range operandWords {
		m[w.name] = w.name != "free"
	}
	return m
}()

// shadowed rejects rows that an earlier one always preempts, and two rows for the
// same pattern where only their order decides between machines.
func (l *loader) shadowed(roots []table.Root) {
	var found []rules.Preemption
	byRoot := map[string][]*row{}
	for _, r := range l.rows {
		for _, e := range byRoot[r.root] {
			if e.where.apart(&r.where) || l.inner(e) || !e.sized(r) || !pattern.Covers(e.find, e.typing, r.find, r.typing, operandFlags) {
				continue
			}
			p := rules.Preemption{By: e.party(), Row: r.party(), Full: "select." + r.name, Other: "select." + e.name}
			if r.where.within(&e.where) {
				p.Msg = fmt.Sprintf("is never used: [select.%s] at %s matches everything it does and comes before it", e.name, e.pos)
			} else if !e.where.within(&r.where) {
				const undecided = "and no key decides between them on machines that both apply to"
				p.Msg = fmt.Sprintf("[select.%s] at %s matches everything it does, %s", e.name, e.pos, undecided)
				p.Back = fmt.Sprintf("it matches everything that [select.%s] at %s does, %s", r.name, r.pos, undecided)
			}
			if p.Msg != "" {
				found = append(found, p)
				break
			}
		}
		byRoot[r.root] = append(byRoot[r.root], r)
	}
	if found != nil {
		rules.NewRecord(roots, l.files).Report(&l.errs, found)
	}
}

// party returns the row as a party to a conflict. A method needs no proof, so that the ledger does not name its rows.
func (x *row) party() rules.Party {
	if x.call != "" {
		return rules.Party{Pos: x.pos}
	}
	return rules.Party{Name: "select." + x.name, Pos: x.pos}
}

// sized reports whether a row whose root is an intrinsic matches all sizes that another one does.
func (r *row) sized(o *row) bool { return r.sizes == 0 || o.sizes != 0 && o.sizes&^r.sizes == 0 }

// inner reports whether a row folds instructions on conditions that depend on
// their uses, so that a later row can still be reached.
func (l *loader) inner(r *row) bool { return r.find.Depth() > 1 }
