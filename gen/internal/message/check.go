// SPDX-License-Identifier: MIT

package message

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/table"
)

func (t *tables) check() error {
	var errs diag.List
	for _, r := range t.logicals {
		checkLogical(r, &errs)
		if n := r.Val.Floats; n != "" && t.logicalByName(n) == nil {
			errs.Unknown(r.At("floats"), r.Full, "logical message", n, table.Names(t.logicals))
		}
		t.checkForm(r, &errs)
	}
	for _, r := range t.families {
		t.checkInherits(r, &errs)
	}
	for _, r := range t.sends {
		t.checkNames(r, &errs)
	}
	for _, r := range t.samples {
		t.checkOperation(r, &errs)
	}
	t.checkAtomics(&errs)
	if err := errs.Err(); err != nil {
		return err // a row with a wrong name may be the one that is reported as missing
	}
	done := map[string]string{}
	for _, r := range t.sends {
		for _, space := range spacesOf(&r.Val) {
			key := r.Val.Family + " " + r.Val.Logical + " " + space
			if done[key] != "" {
				errs.Addf(r.At("logical"), r.Full, "[%s] does %s already", done[key], r.Val.Logical)
			}
			done[key] = r.Full
		}
		errs.Add(t.checkSend(r))
	}
	for _, r := range t.families {
		t.checkFamily(r, &errs)
	}
	return errs.Err()
}

// spacesOf returns the spaces that a row names, or a single empty name if it names none.
func spacesOf(v *send) []string {
	if len(v.Spaces) == 0 {
		return []string{""}
	}
	return v.Spaces
}

func named[T any](list []T, name func(T) string, want string) bool {
	return slices.ContainsFunc(list, func(x T) bool { return name(x) == want })
}

func sourceName(s source) string                  { return s.name }
func fieldName(f descriptors.ControlField) string { return f.Name }
func wordName(w word) string                      { return w.name }

// reserved are the names in generated/message that come from no row.
var reserved = []string{"None", "NumNames", "Name", "Source", "Space", "Nowhere", "Value", "Info", "Family", "Send", "Field", "HeaderDword", "NoCode", "ByName", "Code"}

func checkLogical(r *table.Row[logical], errs *diag.List) {
	v := &r.Val
	if g := irtab.Camel(r.Name); slices.Contains(reserved, g) || named(sources, sourceName, r.Name) || named(spaces, wordName, r.Name) {
		errs.Addf(r.Pos, r.Full, "the Go name %s is declared in package message itself", g)
	}
	at := map[int]string{}
	for _, n := range v.Sources {
		i := slices.IndexFunc(sources, func(s source) bool { return s.name == n })
		if i < 0 {
			continue
		}
		p := sources[i].place
		if at[p] != "" {
			errs.Addf(r.At("sources"), r.Full, "a message cannot have both %s and %s", at[p], n)
		}
		at[p] = n
	}
	if v.Optional && (v.Ends && len(v.Spaces) == 0 || v.Spill) { // there are several messages that end with an access
		errs.Addf(r.At("optional"), r.Full, "every program needs it")
	}
	if slices.Contains(v.Sources, "surface") && len(v.Spaces) == 0 {
		errs.Addf(r.At("sources"), r.Full, "only a message with spaces can have a surface")
	}
}

// checkForm checks the message of which a message is the form for vertices.
func (t *tables) checkForm(r *table.Row[logical], errs *diag.List) {
	n := r.Val.Of
	if n == "" {
		return
	}
	of := t.logicalByName(n)
	switch {
	case of == nil:
		errs.Unknown(r.At("of"), r.Full, "logical message", n, table.Names(t.logicals))
		return
	case !r.Val.Vectors || of.Val.Vectors:
		errs.Addf(r.At("of"), r.Full, "only a message with the key vectors is a form of another, which does not have it")
	case of.Val.Effect != r.Val.Effect || !slices.Equal(of.Val.Attributes, r.Val.Attributes):
		errs.Addf(r.At("of"), r.Full, "[%s] has another effect or other attributes", of.Full)
	}
	for _, l := range t.logicals {
		if l.Val.Of == n && l.Full != r.Full {
			errs.Addf(r.At("of"), r.Full, "[%s] has the forms [%s] and [%s]", of.Full, l.Full, r.Full)
			return
		}
	}
}

// checkInherits checks the names of the families that a family inherits from and has codes from.
func (t *tables) checkInherits(r *table.Row[family], errs *diag.List) {
	if n := r.Val.Atomics; n != "" && t.family(n) == nil {
		errs.Unknown(r.At("atomics"), r.Full, "family", n, table.Names(t.families))
	}
	if n := r.Val.Inherits; n != "" {
		line := t.line(r)
		switch last := line[len(line)-1]; {
		case t.family(n) == nil:
			errs.Unknown(r.At("inherits"), r.Full, "family", n, table.Names(t.families))
		case last.Val.Inherits != "" && t.family(last.Val.Inherits) != nil:
			errs.Addf(r.At("inherits"), r.Full, "the families inherit in a cycle")
		}
	}
}

// checkFamily reports logical messages and surfaces that the compiler may need and the family lacks.
func (t *tables) checkFamily(r *table.Row[family], errs *diag.List) {
	for i, n := range r.Val.Lacks {
		l := t.logicalByName(n)
		switch {
		case l == nil:
			errs.Unknown(r.At("lacks"), r.Full, "logical message", n, table.Names(t.logicals))
		case !l.Val.Optional:
			errs.Addf(r.At("lacks"), r.Full, "the compiler requires [%s]", l.Full)
		case slices.Contains(r.Val.Lacks[:i], n):
			errs.Addf(r.At("lacks"), r.Full, "%q is listed twice", n)
		}
		for _, s := range t.sends {
			if s.Val.Family == r.Name && s.Val.Logical == n {
				errs.Addf(r.At("lacks"), r.Full, "[%s] does %s", s.Full, n)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.Val.Surfaces)) {
		if bySurface(n) || !named(spaces, wordName, n) {
			errs.Unknown(r.At("surfaces"), r.Full, "space with its own binding table index", n, indexed())
		}
		if s := r.Val.Surfaces[n]; s < 0 || s > 255 {
			errs.Addf(r.At("surfaces"), r.Full, "there is no binding table index %d", s)
		}
	}
	if t.family(r.Val.Inherits) != nil {
		return // reported there
	}
	if missing := slices.DeleteFunc(slices.Clone(t.logicals), func(l *table.Row[logical]) bool {
		return t.send(r, l.Name) != nil || slices.Contains(r.Val.Lacks, l.Name) || l.Val.Vectors
	}); len(missing) > 0 && !r.Val.Vectors {
		t.incomplete(r, missing, errs)
		return
	}
	said := map[string]bool{}
	for _, l := range t.logicals {
		for _, n := range l.Val.Spaces {
			if _, ok := t.surface(r, n); !ok && !bySurface(n) && named(spaces, wordName, n) && !said[n] {
				said[n] = true
				errs.Addf(r.At("surfaces"), r.Full, "no binding table index for %s memory, which [%s] accesses", n, l.Full)
			}
		}
	}
}

// incomplete reports the logical messages that a family does not implement: at the message if there is only one and it
// follows the family, otherwise at the family.
func (t *tables) incomplete(r *table.Row[family], missing []*table.Row[logical], errs *diag.List) {
	l := missing[0]
	switch n := len(missing) - 1; {
	case n == 0 && t.before(r.Pos, l.Pos):
		errs.Addf(l.Pos, l.Full, "no [send] row of [%s] implements it", r.Full)
	case n == 0:
		errs.Addf(r.Pos, r.Full, "no [send] row implements [%s]", l.Full)
	default:
		errs.Addf(r.Pos, r.Full, "no [send] row implements [%s] and %d other messages; inherits can name a family that does", l.Full, n)
	}
}

// indexed yields the spaces that have their own binding table index.
func indexed() iter.Seq[string] {
	return diag.Each(slices.DeleteFunc(slices.Clone(spaces), func(s word) bool { return bySurface(s.name) }), wordName)
}

// bySurface reports whether the surface of a message determines where it works in this space.
func bySurface(space string) bool { return space == "buffer" || space == "image" }

// before reports whether a row precedes another: conflicts are reported at the later one.
func (t *tables) before(a, b diag.Pos) bool { return diag.Before(t.files, a, b) }

// checkOperation checks that an operation of the sampler exists and has each parameter
// once.
func (t *tables) checkOperation(r *table.Row[operation], errs *diag.List) {
	if _, ok := t.codes[r.Name]; !ok {
		errs.Unknown(r.Pos, r.Full, "operation of the sampler", r.Name, maps.Keys(t.codes))
	}
}

// checkNames checks the names of rows that a [send] row refers to.
func (t *tables) checkNames(r *table.Row[send], errs *diag.List) {
	v := &r.Val
	if !slices.ContainsFunc(t.families, func(f *table.Row[family]) bool { return f.Name == v.Family }) {
		errs.Unknown(r.At("family"), r.Full, "family", v.Family, table.Names(t.families))
	}
	if t.logicalByName(v.Logical) == nil {
		errs.Unknown(r.At("logical"), r.Full, "logical message", v.Logical, table.Names(t.logicals))
	}
	if !slices.ContainsFunc(t.controls, func(set descriptors.ControlSet) bool { return set.ByName[v.Message] != nil }) {
		errs.Unknown(r.At("message"), r.Full, "message", v.Message, maps.Keys(t.controls[0].ByName))
	}
}

// checkSend checks a row, on each platform whose message differs.
func (t *tables) checkSend(r *table.Row[send]) error {
	for _, set := range t.controls {
		if set.ByName[r.Val.Message] == nil {
			continue
		}
		if err := t.checkControl(r, t.logicalByName(r.Val.Logical), set.ByName[r.Val.Message]); err != nil {
			return err
		}
	}
	return nil
}

// checkControl checks that a row sets all fields of the message's descriptor on some
// platforms. Each step relies on the previous ones: a field with a wrong name may also be missing, and a source may be
// unused because of a wrong value.
func (t *tables) checkControl(r *table.Row[send], l *table.Row[logical], c *descriptors.Control) error {
	var errs diag.List
	v := &r.Val
	for _, n := range slices.Sorted(maps.Keys(v.Fields)) {
		if !named(c.Fields, fieldName, n) {
			errs.Unknown(r.At("fields"), r.Full, "field of [message."+v.Message+"]", n, diag.Each(c.Fields, fieldName))
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	used := map[string]bool{}
	payload := func(key, name string) {
		if name == "lane_offsets" {
			name = "offset"
		}
		switch {
		case name != "" && name != "thread_header" && !slices.Contains(l.Val.Sources, name):
			errs.Addf(r.At(key), r.Full, "[%s] has no %s", l.Full, name)
		}
		used[name] = true
	}
	if v.Bit19 && v.First != "header" && !l.Val.Vectors {
		errs.Addf(r.At("header_bit"), r.Full, "the first payload is not a header")
	}
	if v.Above != 0 && !slices.Contains(l.Val.Sources, "surface") {
		errs.Addf(r.At("extended"), r.Full, "[%s] has no surface", l.Full)
	}
	t.checkExtended(r, l, c, &errs)
	used["surface"] = v.Binding != 0 || v.State != 0 || !surfaced(v, &l.Val)
	if v.Added != 0 && !slices.Contains(l.Val.Sources, "offset") {
		errs.Addf(r.At("added"), r.Full, "[%s] has no offset", l.Full)
	}
	used["offset"] = v.Added != 0
	payload("first", v.First)
	payload("second", v.Second)
	t.checkHeader(r, l, &errs)
	if c.Header && !l.Val.Vectors && (v.First == "address" || v.First == "address64") {
		errs.Addf(r.At("first"), r.Full, "[message.%s] starts with a header", v.Message)
	}
	for _, n := range slices.Sorted(maps.Keys(v.Fields)) {
		i := slices.IndexFunc(c.Fields, func(f descriptors.ControlField) bool { return f.Name == n })
		need, msg := checkField(&c.Fields[i], v.Fields[n], &l.Val)
		if msg != "" {
			errs.Addf(r.At("fields"), r.Full, "%s: %s", n, msg)
		}
		used[need] = true
	}
	if err := errs.Err(); err != nil {
		return err
	}
	for _, f := range c.Fields {
		if _, ok := v.Fields[f.Name]; !ok {
			errs.Addf(r.Key("fields"), r.Full, "field %s of [message.%s] has no value", f.Name, v.Message)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	for _, n := range slices.Concat(l.Val.Sources, l.Val.Attributes) {
		if !used[n] {
			errs.Addf(r.Pos, r.Full, "%s of [%s] goes nowhere", n, l.Full)
		}
	}
	return errs.Err()
}

// surfaced reports whether some of the spaces of a row's message are reached through the surface that it names.
func surfaced(v *send, l *logical) bool {
	if len(v.Spaces) == 0 {
		return true
	}
	return slices.ContainsFunc(v.Spaces, bySurface)
}

// checkExtended checks the keys about the shared function, the spaces and the extended descriptor.
func (t *tables) checkExtended(r *table.Row[send], l *table.Row[logical], c *descriptors.Control, errs *diag.List) {
	v := &r.Val
	for _, n := range v.Spaces {
		if !slices.Contains(l.Val.Spaces, n) {
			errs.Addf(r.At("spaces"), r.Full, "[%s] does not access the space %s", l.Full, n)
		}
	}
	if v.SFID != "" && c.Also[v.SFID] == "" {
		errs.Unknown(r.At("sfid"), r.Full, "other shared function of [message."+v.Message+"]", v.SFID, maps.Keys(c.Also))
	}
	if v.Binding != 0 && !slices.Contains(l.Val.Sources, "surface") {
		errs.Addf(r.At("binding"), r.Full, "[%s] has no surface", l.Full)
	}
	if v.State != 0 && v.Binding != 0 {
		errs.Addf(r.At("state"), r.Full, "the extended descriptor has the binding table index already")
	}
}

// checkHeader checks the keys about a header built by the compiler, and about the
// spaces that the message accesses.
func (t *tables) checkHeader(r *table.Row[send], l *table.Row[logical], errs *diag.List) {
	v := &r.Val
	switch {
	case v.First == "header" && v.Second == "" && len(v.Header) == 0 && !v.Bit19 && !v.Single:
		errs.Addf(r.At("first"), r.Full, "the header has no contents")
	case v.First != "header" && len(v.Header) > 0:
		errs.Addf(r.At("header"), r.Full, "the first payload is not a header built by the compiler")
	}
	said := map[int]bool{}
	for _, d := range v.Header {
		switch {
		case t.headers[d.Value] == "":
			errs.Addf(r.At("header"), r.Full, "thread headers have no value %q", d.Value)
		case d.Dword < 0 || d.Dword > 7:
			errs.Addf(r.At("header"), r.Full, "a header has no doubleword %d", d.Dword)
		case said[d.Dword]:
			errs.Addf(r.At("header"), r.Full, "doubleword %d is listed twice", d.Dword)
		}
		said[d.Dword] = true
	}
	switch {
	case v.Base == 0:
	case v.Base < 1 || v.Base > 7:
		errs.Addf(r.At("base"), r.Full, "a header has no base in doubleword %d", v.Base)
	case v.First != "thread_header":
		errs.Addf(r.At("base"), r.Full, "the first payload is not the thread's header")
	case !saysOffset(v):
		errs.Addf(r.At("base"), r.Full, "no field holds an offset from it")
	}
	if v.All && len(l.Val.Spaces) < 2 {
		errs.Addf(r.At("all_spaces"), r.Full, "[%s] has fewer than two spaces", l.Full)
	}
}

// saysOffset reports whether a field of the descriptor holds the offset.
func saysOffset(v *send) bool {
	for _, x := range v.Fields {
		if x == "offset_grfs" {
			return true
		}
	}
	return false
}

// checkField returns the source or attribute that a field needs, and an error message if its value is wrong.
func checkField(f *descriptors.ControlField, x any, l *logical) (need, msg string) {
	if f.Width == 0 {
		return "", "a field split into several parts cannot be set"
	}
	switch x := x.(type) {
	case int64:
		switch {
		case f.Kind != "" && f.Kind != "uint" && f.Kind != "bool" && f.Kind != "pi_mode" && f.Kind != "lanes" && f.Numbers == nil:
			return "", "cannot hold a number"
		case x < 0 || x>>f.Width != 0:
			return "", fmt.Sprintf("%d does not fit", x)
		}
		return "", ""
	case string:
		if _, ok := f.Words[x]; ok {
			return "", ""
		}
		i := slices.IndexFunc(values, func(v value) bool { return v.name == x })
		switch {
		case i < 0:
			return "", diag.Unknown("value", x, diag.Each(values, func(v value) string { return v.name }))
		case !slices.Contains(values[i].kinds, f.Kind):
			return "", fmt.Sprintf("cannot hold %s", x)
		}
		need = values[i].needs
		has := need == "" || slices.Contains(l.Sources, need) || slices.Contains(l.Attributes, need) ||
			need == "surface" && len(l.Spaces) > 0
		switch {
		case !has:
			return need, fmt.Sprintf("the logical message has no %s", need)
		case x == "surface" && f.At != 0:
			return need, "a surface in a register is ORed into the lowest bits"
		}
		return need, ""
	}
	return "", "must be a number, or the name of a property of the logical message"
}

func (t *tables) logicalByName(n string) *table.Row[logical] {
	for _, l := range t.logicals {
		if l.Name == n {
			return l
		}
	}
	return nil
}
