// SPDX-License-Identifier: MIT

package pattern

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

// Binding is one round of a `for`: the value of each name.
type Binding struct {
	names  []string
	values map[string]string
	Suffix string // for the row's name: "/N=8,op=iand"
}

// MaxRounds is the maximum number of rounds of a `for`.
const MaxRounds = 1024

// MaxText is the maximum length of a text after substitution.
const MaxText = 4096

// Expand returns the rounds of a `for`. A key is a name, or several separated by
// commas whose values are lists of as many entries. The rounds are all
// combinations of the keys' values, in alphabetical order of the keys.
func Expand(spec map[string]any) ([]Binding, error) {
	keys := make([]string, 0, len(spec))
	for k := range spec {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	rounds := int64(1)
	for _, k := range keys {
		if list, ok := spec[k].([]any); ok && rounds <= 1<<40 {
			rounds *= int64(max(len(list), 1))
		}
	}
	if rounds > MaxRounds {
		return nil, fmt.Errorf("%d rounds; at most %d are possible", rounds, MaxRounds)
	}
	out := []Binding{{values: map[string]string{}}}
	for _, k := range keys {
		names := strings.Split(k, ",")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
			if !identifier.MatchString(names[i]) {
				return nil, fmt.Errorf("%q cannot name a template variable", names[i])
			}
		}
		list, ok := spec[k].([]any)
		if !ok || len(list) == 0 {
			return nil, fmt.Errorf("%s: must be a list of values", k)
		}
		var next []Binding
		for _, b := range out {
			for _, entry := range list {
				vals, err := entryValues(entry, len(names))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", k, err)
				}
				nb := Binding{names: append(append([]string(nil), b.names...), names...), values: map[string]string{}, Suffix: b.Suffix}
				for n, v := range b.values {
					nb.values[n] = v
				}
				for i, n := range names {
					if _, dup := nb.values[n]; dup {
						return nil, fmt.Errorf("%s is listed twice", n)
					}
					nb.values[n] = vals[i]
				}
				sep := "/"
				if b.Suffix != "" {
					sep = ","
				}
				nb.Suffix += sep + names[0] + "=" + vals[0]
				next = append(next, nb)
			}
		}
		out = next
	}
	return out, nil
}

func entryValues(entry any, n int) ([]string, error) {
	if n == 1 {
		s, err := scalar(entry)
		return []string{s}, err
	}
	list, ok := entry.([]any)
	if !ok || len(list) != n {
		return nil, fmt.Errorf("every entry must be a list of %d values", n)
	}
	out := make([]string, n)
	for i, e := range list {
		s, err := scalar(e)
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}

func scalar(v any) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	}
	return "", fmt.Errorf("%v is neither a string nor an integer", v)
}

// Apply replaces $name and ${expression over names and integers} in a text.
func (b *Binding) Apply(text string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if out.Len() > MaxText {
			return "", fmt.Errorf("is more than %d bytes long with the values of \"for\" substituted", MaxText)
		}
		if text[i] != '$' {
			out.WriteByte(text[i])
			continue
		}
		rest := text[i+1:]
		if strings.HasPrefix(rest, "{") {
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return "", fmt.Errorf("${ without }")
			}
			v, err := b.calc(rest[1:end])
			if err != nil {
				return "", err
			}
			out.WriteString(v)
			i += end + 1
			continue
		}
		name := ""
		for _, n := range b.names { // the longest name that fits
			if strings.HasPrefix(rest, n) && len(n) > len(name) {
				name = n
			}
		}
		if name == "" {
			return "", fmt.Errorf("$ must be followed by a name that \"for\" defines: %.12q", rest)
		}
		out.WriteString(b.values[name])
		i += len(name)
	}
	return out.String(), nil
}

func (b *Binding) calc(text string) (string, error) {
	if v, ok := b.values[strings.TrimSpace(text)]; ok {
		return v, nil
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", fmt.Errorf("${%s} is not an expression", text)
	}
	v, err := b.eval(e)
	if err != nil {
		return "", fmt.Errorf("${%s}: %w", text, err)
	}
	return strconv.FormatUint(v, 10), nil
}

func (b *Binding) eval(e ast.Expr) (uint64, error) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return b.eval(x.X)
	case *ast.BasicLit:
		return strconv.ParseUint(x.Value, 0, 64)
	case *ast.Ident:
		v, ok := b.values[x.Name]
		if !ok {
			return 0, fmt.Errorf("%s is not defined by \"for\"", x.Name)
		}
		return strconv.ParseUint(v, 0, 64)
	case *ast.BinaryExpr:
		l, err := b.eval(x.X)
		if err != nil {
			return 0, err
		}
		r, err := b.eval(x.Y)
		if err != nil {
			return 0, err
		}
		switch x.Op {
		case token.ADD:
			return l + r, nil
		case token.SUB:
			return l - r, nil
		case token.MUL:
			return l * r, nil
		case token.QUO:
			if r == 0 {
				return 0, fmt.Errorf("division by zero")
			}
			return l / r, nil
		case token.SHL:
			return l << r, nil
		}
	}
	return 0, fmt.Errorf("only + - * / << of names and integers are supported")
}
