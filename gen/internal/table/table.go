// SPDX-License-Identifier: MIT

package table

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"jacquard.example/gen/internal/diag"
)

// Set holds all rows of all files below one folder of the tables, e.g.
// defs/opcodes. Several roots (the project's own defs and a user's) form one
// set; rows are in the order root, file name, line.
type Set struct {
	Files    []string  // the files read, named as in positions
	Comments []Comment // in the order of the files and lines
	rows     map[string][]raw
}

// Comment is a block of comment lines outside of any value: the header of a file,
// or the heading of a group of rows.
type Comment struct {
	Pos  diag.Pos
	Text string // without the #, with line breaks
}

type raw struct {
	name string
	pos  diag.Pos
	keys map[string]spot
	md   *toml.MetaData
	prim toml.Primitive
}

// Row is one decoded row.
type Row[T any] struct {
	Name string // the part after the family: "iadd" of [op.iadd]
	Full string // "op.iadd"
	Pos  diag.Pos
	keys map[string]spot
	Val  T
}

// At returns the position of the value of one key of the row, or the row's own
// if it does not have the key. A key of a part of the row is named "part.key".
func (r *Row[T]) At(key string) diag.Pos {
	if s, ok := r.keys[key]; ok {
		return diag.Pos{File: r.Pos.File, Line: s.line, Col: s.col}
	}
	return r.Pos
}

// Has reports whether the row has a key, or a part of it has one: "part.key".
func (r *Row[T]) Has(key string) bool {
	_, ok := r.keys[key]
	return ok
}

// Key returns the position of a key itself.
func (r *Row[T]) Key(key string) diag.Pos {
	p := r.At(key)
	if s, ok := r.keys[key]; ok {
		p.Col = s.key
	}
	return p
}

// In returns the position of byte col, from 1, of the string value of a key. It is the position of the value if the text
// differs from its source: the string has escapes, or spans several lines.
func (r *Row[T]) In(key string, col int) diag.Pos {
	p := r.At(key)
	if s, ok := r.keys[key]; ok && col > 0 && col <= s.plain {
		p.Col += col
	}
	return p
}

// Root is one folder of tables and the name of its files in positions.
type Root struct {
	Dir  string // folder on disk
	Name string // prefix in error messages, e.g. "defs"
}

// Load reads every .toml file below sub in each root. A missing sub folder
// has no rows.
func Load(roots []Root, sub string) (*Set, error) {
	s := &Set{rows: map[string][]raw{}}
	var errs diag.List
	for _, root := range roots {
		base := filepath.Join(root.Dir, sub)
		var files []string
		err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && strings.HasSuffix(path, ".toml") {
				files = append(files, path)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		sort.Strings(files)
		for _, f := range files {
			rel, err := filepath.Rel(root.Dir, f)
			if err != nil {
				return nil, err
			}
			name := root.Name + "/" + filepath.ToSlash(rel)
			s.Files = append(s.Files, name)
			errs.Add(s.load(f, name))
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if err := s.unique(); err != nil {
		return nil, err
	}
	return s, nil
}

// unique rejects rows of equal names.
func (s *Set) unique() error {
	var errs diag.List
	seen := map[string]diag.Pos{}
	for fam, rows := range s.rows {
		for _, r := range rows {
			full := fam + "." + r.name
			if p, dup := seen[full]; dup {
				errs.Addf(r.pos, full, "duplicate name; the other row is at %s", p)
				continue
			}
			seen[full] = r.pos
		}
	}
	return errs.Err()
}

func (s *Set) load(path, name string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := limits(string(text), name); err != nil {
		return err
	}
	var doc map[string]map[string]toml.Primitive
	md, err := toml.Decode(string(text), &doc)
	if err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			msg := pe.Message
			if msg == "" {
				msg = strings.TrimPrefix(pe.Error(), "toml: ")
			}
			return diag.Errorf(diag.Pos{File: name, Line: pe.Position.Line, Col: pe.Position.Col}, "", "%s", msg)
		}
		return diag.Errorf(diag.Pos{File: name, Line: lineOf(err), Col: 1}, "", "every entry must be a named row such as [op.iadd]")
	}
	for _, k := range md.Keys() {
		if len(k) == 1 && md.Type(k[0]) != "Hash" {
			line := 1 + slices.IndexFunc(strings.Split(string(text), "\n"),
				func(l string) bool { return strings.HasPrefix(strings.TrimLeft(l, " \t\"'"), k[0]) })
			return diag.Errorf(diag.Pos{File: name, Line: max(line, 1), Col: 1}, "",
				"%s: every entry must belong to a named row such as [op.iadd]", k[0])
		}
	}
	s.Comments = append(s.Comments, comments(string(text), name)...)
	lines := scan(string(text))
	for _, fam := range slices.Sorted(maps.Keys(doc)) {
		for _, row := range slices.Sorted(maps.Keys(doc[fam])) {
			full := fam + "." + row
			at := lines[full]
			if at == nil {
				pos := diag.Pos{File: name, Line: 1, Col: 1}
				if part := lines["?"+full]; part != nil {
					pos.Line = part.line
				}
				return diag.Errorf(pos, full, "a row must have its own header [%s] before the headers of its parts", full)
			}
			s.rows[fam] = append(s.rows[fam], raw{
				name: row, pos: diag.Pos{File: name, Line: at.line, Col: 1}, keys: at.keys, md: &md, prim: doc[fam][row],
			})
		}
	}
	order := map[string]int{}
	for i, f := range s.Files {
		order[f] = i
	}
	for _, fam := range slices.Sorted(maps.Keys(s.rows)) {
		slices.SortStableFunc(s.rows[fam], func(a, b raw) int {
			return cmp.Or(cmp.Compare(order[a.pos.File], order[b.pos.File]), cmp.Compare(a.pos.Line, b.pos.Line))
		})
	}
	return nil
}

var atLine = regexp.MustCompile(`line (\d+) `)

// lineOf returns the line that a decoder's message names, or the first.
func lineOf(err error) int {
	if m := atLine.FindStringSubmatch(err.Error()); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 1
}

// place holds the positions of a row and its keys.
type place struct {
	line int
	keys map[string]spot
}

// spot is the position of a key and its value. plain is one more than the length of a string value on one line without
// escapes, or 0.
type spot struct{ line, key, col, plain int }

// value returns the spot of the value after the "=" at byte eq of a line.
func value(line string, number, eq int) spot {
	col := eq + 1
	for col < len(line) && (line[col] == ' ' || line[col] == '\t') {
		col++
	}
	s := spot{line: number, key: 1 + len(line) - len(strings.TrimLeft(line, " \t")), col: col + 1}
	rest := line[col:]
	if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' || strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''") {
		return s
	}
	if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 && (rest[0] == '\'' || !strings.Contains(rest[:1+end], `\`)) {
		s.plain = end + 1
	}
	return s
}

// scan returns the positions of row headers and of their keys, and under "?" and the row's name the positions of parts
// without a preceding row. The text has already been parsed, so only multi-line strings and arrays have to be skipped.
func scan(text string) map[string]*place {
	out := map[string]*place{}
	var cur *place
	part := "" // the prefix "part." of a row's keys
	depth := 0 // open brackets of an unfinished value
	quote := ""
	for i, line := range strings.Split(text, "\n") {
		atTop := depth == 0 && quote == ""
		t := strings.TrimSpace(line)
		if atTop && strings.HasPrefix(t, "[") && !strings.HasPrefix(t, "[[") {
			if end := strings.IndexByte(t, ']'); end > 0 {
				parts := strings.Split(t[1:end], ".")
				for j := range parts {
					parts[j] = strings.Trim(strings.TrimSpace(parts[j]), `"'`)
				}
				part = ""
				if len(parts) == 2 {
					cur = &place{line: i + 1, keys: map[string]spot{}}
					out[strings.Join(parts, ".")] = cur
				} else if full := strings.Join(parts[:min(2, len(parts))], "."); len(parts) > 2 && out[full] == nil {
					cur = nil
					out["?"+full] = &place{line: i + 1}
				} else if len(parts) > 2 && cur != nil {
					part = strings.Join(parts[2:], ".")
					cur.keys[part] = spot{line: i + 1, key: 1, col: 1}
					part += "."
				}
			}
			continue
		}
		if atTop && cur != nil {
			if eq := strings.IndexByte(line, '='); eq > 0 && t[0] != '#' {
				key := strings.Trim(strings.TrimSpace(line[:eq]), `"'`)
				at := value(line, i+1, eq)
				if _, dup := cur.keys[key]; !dup {
					cur.keys[key] = at
				}
				if part != "" {
					cur.keys[part+key] = at
				}
			}
		}
		depth, quote = advance(line, depth, quote)
	}
	return out
}

// license starts the line about the license at the start of a file, which is not a comment on the rows.
const license = "SPDX-License-Identifier:"

// comments returns the blocks of comment lines.
func comments(text, file string) []Comment {
	var out []Comment
	depth, quote, open := 0, "", false
	for i, line := range strings.Split(text, "\n") {
		said, is := strings.CutPrefix(line, "#")
		if is = is && depth == 0 && quote == ""; is {
			said = strings.TrimPrefix(said, " ")
			if strings.HasPrefix(said, license) {
				continue
			}
			if open {
				out[len(out)-1].Text += "\n" + said
			} else {
				out = append(out, Comment{diag.Pos{File: file, Line: i + 1, Col: 1}, said})
			}
		} else {
			depth, quote = advance(line, depth, quote)
		}
		open = is
	}
	return out
}

// advance tracks brackets and quotes over one line.
func advance(line string, depth int, quote string) (int, string) {
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		if quote != "" {
			switch {
			case strings.HasPrefix(rest, quote):
				i += len(quote) - 1
				quote = ""
			case quote[0] == '"' && rest[0] == '\\':
				i++
			}
			continue
		}
		switch {
		case rest[0] == '#':
			return depth, quote
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, `'''`):
			quote = rest[:3]
			i += 2
		case rest[0] == '"', rest[0] == '\'':
			quote = rest[:1]
		case rest[0] == '[', rest[0] == '{':
			depth++
		case rest[0] == ']', rest[0] == '}':
			depth--
		}
	}
	if len(quote) == 1 {
		quote = ""
	}
	return depth, quote
}

// Families returns the families that occur, sorted.
func (s *Set) Families() []string {
	var out []string
	for f := range s.rows {
		out = append(out, f)
	}
	sort.Strings(out)
	return out
}

// Only rejects rows of families other than those named.
func (s *Set) Only(families ...string) error {
	var errs diag.List
	for _, f := range s.Families() {
		if !slices.Contains(families, f) {
			r := s.rows[f][0]
			errs.Unknown(r.pos, f+"."+r.name, "kind of row", f, slices.Values(families))
		}
	}
	return errs.Err()
}

// Rows decodes all rows of a family in order. A key that T does not have, or
// a value of the wrong type, is an error at its line.
func Rows[T any](s *Set, family string) ([]*Row[T], error) {
	var errs diag.List
	var out []*Row[T]
	if list := s.rows[family]; len(list) > MaxRows {
		r := list[MaxRows]
		return nil, diag.Errorf(r.pos, family+"."+r.name, "is row %d of %d; at most %d are read", MaxRows+1, len(list), MaxRows)
	}
	read := map[*toml.MetaData]map[string]*Row[T]{} // the decoded rows of a file, by name
	var files []*toml.MetaData
	for _, r := range s.rows[family] {
		row := &Row[T]{Name: r.name, Full: family + "." + r.name, Pos: r.pos, keys: r.keys}
		if err := r.md.PrimitiveDecode(r.prim, &row.Val); err != nil {
			key, msg := undecodable(err)
			errs.Addf(row.At(key), row.Full, "%s", msg)
			continue
		}
		if read[r.md] == nil {
			read[r.md] = map[string]*Row[T]{}
			files = append(files, r.md)
		}
		read[r.md][r.name] = row
		out = append(out, row)
	}
	strange := map[*Row[T]]bool{} // rows with a key that T does not have, which may be misspelled
	for _, md := range files {
		rows, last := read[md], ""
		for _, k := range md.Undecoded() {
			if len(k) < 3 || k[0] != family || rows[k[1]] == nil || k.String() == last {
				continue
			}
			last = k.String() // an unknown key in a list is reported for each entry
			row := rows[k[1]]
			strange[row] = true
			errs.Unknown(row.Key(k[2]), row.Full, "field", k[2:].String(), slices.Values(keys(reflect.TypeFor[T](), k[2:len(k)-1])))
		}
	}
	for _, row := range out {
		if msg, key := tagged(row); msg != "" && !strange[row] {
			errs.Addf(row.At(key), row.Full, "%s", msg)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	return out, nil
}

var (
	lastKey  = regexp.MustCompile(`^(?:line \d+ )?\(last key "((?:[^"\\]|\\.)*)"\): (.*)$`)
	badTypes = regexp.MustCompile(`^incompatible types: TOML value has type (\S+); destination has type (.*)$`)
)

// typeWords are the types of values in the terms of a table's author.
var typeWords = map[string]string{
	"int64": "an integer", "integer": "an integer", "string": "a string", "bool": "true or false", "boolean": "true or false",
	"float64": "a fraction", "float": "a fraction",
	"[]any": "a list", "slice": "a list", "map[string]any": "a table", "map": "a table", "[]map[string]any": "a list of tables",
}

// undecodable returns the key in the row of a value that cannot be decoded, empty if it is unknown, and in the terms of a
// table's author why it cannot.
func undecodable(err error) (key, msg string) {
	msg = strings.TrimPrefix(err.Error(), "toml: ")
	m := lastKey.FindStringSubmatch(msg)
	if m == nil {
		return "", msg
	}
	msg = m[2]
	if path := strings.Split(m[1], "."); len(path) > 2 {
		key = strings.Trim(path[len(path)-1], `\"`)
		if len(path) > 3 {
			key = path[2] // key of an entry in the key's value
		}
	}
	if t := badTypes.FindStringSubmatch(msg); t != nil && typeWords[t[1]] != "" && typeWords[t[2]] != "" {
		msg = fmt.Sprintf("%s where %s is expected", typeWords[t[1]], typeWords[t[2]])
	}
	if key != "" {
		msg = key + ": " + msg
	}
	return key, msg
}

// Drop removes the rows of a family.
func (s *Set) Drop(family string) { delete(s.rows, family) }

// AddFile reads another file; name is its name in positions.
func (s *Set) AddFile(path, name string) error {
	s.Files = append(s.Files, name)
	if err := s.load(path, name); err != nil {
		return err
	}
	return s.unique()
}

// Text is the string value of a key.
type Text struct {
	Pos  diag.Pos
	Row  string
	Text string
}

// Texts returns the values of a key, a string, in the rows of a family that have it.
func Texts(s *Set, family, key string) (out []Text) {
	for _, r := range s.rows[family] {
		var keys map[string]any
		if err := r.md.PrimitiveDecode(r.prim, &keys); err != nil {
			continue // reported by Rows
		}
		if text, ok := keys[key].(string); ok {
			out = append(out, Text{(&Row[any]{Pos: r.pos, keys: r.keys}).At(key), family + "." + r.name, text})
		}
	}
	return out
}
