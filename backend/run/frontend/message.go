// SPDX-License-Identifier: MIT

package frontend

import (
	"strconv"
	"strings"

	"jacquard.example/generated/frontend"
)

// message holds the parts that a pattern matched in the output of a program.
type message struct {
	file, code, msg string
	line, col       int
}

// messages returns the errors that a program printed.
func messages(c *frontend.Command, printed string) (list []message) {
	lines := strings.Split(printed, "\n")
	for i := 0; i < len(lines); i++ {
		if _, n := find(c.Ignored, lines[i:]); n > 0 {
			continue
		}
		m, n := find(c.Errors, lines[i:])
		if n == 0 {
			continue
		}
		i += n - 1
		for c.Continued && i+1 < len(lines) && strings.TrimLeft(lines[i+1], " \t") != lines[i+1] {
			i++
			m.msg += " " + lines[i]
		}
		m.msg = strings.Join(strings.Fields(m.msg), " ")
		list = append(list, m)
	}
	return list
}

// refused returns the line of a program's output that shows that its module is wrong, or "" if there is none.
func refused(c *frontend.Command, printed string) string {
	for line := range strings.Lines(printed) {
		if _, n := find(c.Refuse, []string{line}); n > 0 {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// find returns the message of the first pattern that matches, and the number of lines that it matches, or 0 if none
// does.
func find(patterns, lines []string) (m message, n int) {
	for _, p := range patterns {
		m, n = message{}, 0
		for part := range strings.SplitSeq(p, "\n") {
			if n == len(lines) || !m.match(part, strings.TrimSpace(lines[n])) {
				n = -1
				break
			}
			n++
		}
		if n > 0 {
			return m, n
		}
	}
	return message{}, 0
}

// match matches a line with a pattern and records the parts. A space of the pattern matches one or more spaces.
func (m *message) match(pattern, line string) bool {
	for pattern != "" {
		first := pattern[0]
		if first == '{' {
			name, rest, _ := strings.Cut(pattern[1:], "}")
			return m.part(name, rest, line)
		}
		if line == "" || line[0] != first {
			return false
		}
		pattern, line = pattern[1:], line[1:]
		if first == ' ' {
			line = strings.TrimLeft(line, " ")
		}
	}
	return line == ""
}

// part matches the shortest possible start of a line with a named part, and the remainder with the rest of the
// pattern.
func (m *message) part(name, rest, line string) bool {
	if name == "line" || name == "col" {
		n := len(line) - len(strings.TrimLeft(line, "0123456789"))
		value, err := strconv.Atoi(line[:n])
		if err != nil || !m.match(rest, line[n:]) {
			return false
		}
		if name == "line" {
			m.line = value
		} else {
			m.col = value
		}
		return true
	}
	for n := range len(line) + 1 {
		if rest == "" {
			n = len(line)
		}
		if m.match(rest, line[n:]) {
			switch name {
			case "file":
				m.file = line[:n]
			case "code":
				m.code = line[:n]
			case "msg":
				m.msg = line[:n]
			}
			return true
		}
	}
	return false
}
