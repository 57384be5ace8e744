// SPDX-License-Identifier: MIT

// Package freeze compares compiled programs with the previous commit's: a file has a line for every program, with
// statistics and a hash of its machine code. [Changes] compares, [Write] rewrites the file. A change of code is then a
// decision, explained in the commit that rewrites the file; code that changes by accident, or from run to run, fails a
// test.
package freeze

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Program is a line of the file.
type Program struct {
	Name    string // name of the shader; may contain spaces
	SIMD    int    // 0 if the line is for all widths
	Figures string // statistics besides the hash
	Code    []byte // machine code; nil if the shader is rejected
}

// key returns the start of the program's line.
func (p *Program) key() string {
	if p.SIMD == 0 {
		return p.Name
	}
	return fmt.Sprintf("%s SIMD%d", p.Name, p.SIMD)
}

// says returns the program's line without its key.
func (p *Program) says() string {
	if p.Code == nil {
		return "refused"
	}
	hash := sha256.Sum256(p.Code)
	return strings.TrimSpace(p.Figures + " " + hex.EncodeToString(hash[:8]))
}

// separator separates a line's key from the rest.
const separator = ": "

// Write writes a file of programs; head is a comment for its readers.
func Write(file, head string, programs []Program) error {
	programs = slices.Clone(programs)
	slices.SortFunc(programs, func(x, y Program) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.SIMD, y.SIMD)) })
	var lines []string
	for i := range programs {
		lines = append(lines, programs[i].key()+separator+programs[i].says())
	}
	var b bytes.Buffer
	for line := range strings.Lines(head) {
		b.WriteString("# " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString(strings.Join(lines, "\n") + "\n")
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// Changes lists how the programs differ from the file. Lines of the file for which ignored
// returns true (given their key) may lack a program; ignored may be nil.
func Changes(file string, programs []Program, ignored func(key string) bool) ([]string, error) {
	want, err := read(file)
	if err != nil {
		return nil, err
	}
	var out []string
	for i := range programs {
		p := &programs[i]
		old, known := want[p.key()]
		delete(want, p.key())
		if now := p.says(); !known {
			out = append(out, fmt.Sprintf("%s: not in %s; compiles to %s", p.key(), file, now))
		} else if old != now {
			out = append(out, fmt.Sprintf("%s: was %s, now %s", p.key(), old, now))
		}
	}
	for key := range want {
		if ignored == nil || !ignored(key) {
			out = append(out, fmt.Sprintf("%s: in %s, but there is no such program", key, file))
		}
	}
	slices.Sort(out)
	return out, nil
}

// read returns the lines of a file by key.
func read(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := map[string]string{}
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "#") {
			at := strings.LastIndex(line, separator)
			if at < 0 {
				return nil, fmt.Errorf("%s: cannot parse the line %q", file, line)
			}
			lines[line[:at]] = line[at+len(separator):]
		}
	}
	return lines, nil
}
