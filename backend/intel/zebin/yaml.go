// SPDX-License-Identifier: MIT

package zebin

import (
	"strconv"
	"strings"
)

// node is a value of .ze_info: a map, a list or a scalar.
type node struct {
	line int
	text string // scalar
	keys []string
	vals []*node
	list []*node
}

// get returns the value of a key, or nil if it is missing.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.vals[i]
		}
	}
	return nil
}

func (n *node) str(key string) string {
	if v := n.get(key); v != nil {
		return v.text
	}
	return ""
}

// num returns the integer value of a key, or def if it is missing.
func (n *node) num(key string, def int) (int, error) {
	v := n.get(key)
	if v == nil {
		return def, nil
	}
	return v.int(key)
}

func (n *node) int(what string) (int, error) {
	i, err := strconv.ParseInt(n.text, 0, 64)
	if err != nil || i != int64(int32(i)) {
		return 0, errorf(".ze_info:%d: %s is not a number: %q", n.line, what, n.text)
	}
	return int(i), nil
}

// items returns the list under a key.
func (n *node) items(key string) []*node {
	if v := n.get(key); v != nil {
		return v.list
	}
	return nil
}

// yamlParser parses the subset used by .ze_info: block maps, block lists indented under
// their key, scalars, and lists of words on one line.
type yamlParser struct {
	lines []yamlLine
	at    int
	depth int
}

type yamlLine struct {
	num, indent int
	text        string
}

func parseYAML(src string) (*node, error) {
	p := &yamlParser{}
	for i, l := range strings.Split(src, "\n") {
		l = strings.TrimRight(l, " \r\x00")
		body := strings.TrimLeft(l, " ")
		if body == "" || body[0] == '#' || l == "---" {
			continue
		}
		if l == "..." {
			break
		}
		if body[0] == '\t' {
			return nil, errorf(".ze_info:%d: a tab in the indentation", i+1)
		}
		p.lines = append(p.lines, yamlLine{i + 1, len(l) - len(body), body})
	}
	if len(p.lines) == 0 {
		return &node{}, nil
	}
	n, err := p.block(p.lines[0].indent)
	if err == nil && p.at < len(p.lines) {
		err = errorf(".ze_info:%d: unexpected indentation", p.lines[p.at].num)
	}
	return n, err
}

// block parses the lines of one indentation: a map or a list.
func (p *yamlParser) block(indent int) (*node, error) {
	if p.depth++; p.depth > 32 {
		return nil, errorf(".ze_info:%d: nested too deeply", p.lines[p.at].num)
	}
	defer func() { p.depth-- }()
	n := &node{line: p.lines[p.at].num}
	for p.at < len(p.lines) && p.lines[p.at].indent == indent {
		l := &p.lines[p.at]
		if strings.HasPrefix(l.text, "- ") {
			if len(n.keys) > 0 {
				return nil, errorf(".ze_info:%d: a list item among keys", l.num)
			}
			// The item's own lines are indented like the text after the dash.
			rest := strings.TrimLeft(l.text[1:], " ")
			l.indent += len(l.text) - len(rest)
			l.text = rest
			item, err := p.item(l)
			if err != nil {
				return nil, err
			}
			n.list = append(n.list, item)
			continue
		}
		key, rest, ok := strings.Cut(l.text, ":")
		if !ok || len(n.list) > 0 {
			return nil, errorf(".ze_info:%d: expected a key: %q", l.num, l.text)
		}
		v, err := p.value(l, indent, strings.TrimSpace(rest))
		if err != nil {
			return nil, err
		}
		n.keys = append(n.keys, strings.TrimSpace(key))
		n.vals = append(n.vals, v)
	}
	return n, nil
}

func (p *yamlParser) item(l *yamlLine) (*node, error) {
	if strings.Contains(l.text, ": ") || strings.HasSuffix(l.text, ":") {
		return p.block(l.indent)
	}
	p.at++
	return scalar(l.num, l.text), nil
}

func (p *yamlParser) value(l *yamlLine, indent int, rest string) (*node, error) {
	p.at++
	if rest == "" {
		if p.at < len(p.lines) && p.lines[p.at].indent > indent {
			return p.block(p.lines[p.at].indent)
		}
		return &node{line: l.num}, nil
	}
	if strings.HasPrefix(rest, "[") {
		if !strings.HasSuffix(rest, "]") {
			return nil, errorf(".ze_info:%d: an unterminated list", l.num)
		}
		n := &node{line: l.num}
		for _, w := range strings.Split(rest[1:len(rest)-1], ",") {
			if w = strings.TrimSpace(w); w != "" {
				n.list = append(n.list, scalar(l.num, w))
			}
		}
		return n, nil
	}
	return scalar(l.num, rest), nil
}

func scalar(line int, s string) *node {
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
	}
	return &node{line: line, text: s}
}
