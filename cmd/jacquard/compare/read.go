// SPDX-License-Identifier: MIT

package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/cmd/jacquard/shard"
)

// Program identifies a program in a statistics file.
type Program struct {
	File   string `json:"file"`
	Target string `json:"target"`
	Stage  string `json:"stage"`
	Entry  string `json:"entry"`
	SIMD   int    `json:"simd"`
}

// inOrder compares programs by file, stage, entry point, width and target.
func inOrder(a, b *Program) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Entry, b.Entry),
		cmp.Compare(a.SIMD, b.SIMD), cmp.Compare(a.Target, b.Target))
}

// Statistics maps the programs in a file to their statistics.
type Statistics map[Program]jacquard.Stats

// Read reads a statistics file. An error is a *jacquard.Error with the file's name and the line.
func Read(name string, data []byte) (Statistics, error) {
	s := Statistics{}
	n := 0
	for text := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(text)) == 0 || shard.IsEnd(text) {
			continue
		}
		line, why := parse(text)
		if why != "" {
			return nil, &jacquard.Error{File: name, Line: n, Column: 1, Msg: "not a line of statistics: " + why}
		}
		for i := range line.Programs {
			v := &line.Programs[i]
			s[Program{line.File, line.Target, line.Stage, line.Entry, v.SIMD}] = v.Stats
		}
	}
	return s, nil
}

// parse reads a line of a statistics file. If the line is invalid, wrong is the reason.
func parse(text []byte) (line record.Line, wrong string) {
	var bad *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, &line); {
	case errors.As(err, &bad) && bad.Field == "":
		return line, "it is a JSON " + bad.Value
	case errors.As(err, &bad):
		return line, fmt.Sprintf("its field %s is a JSON %s", strings.TrimPrefix(bad.Field, "Program."), bad.Value)
	case err != nil:
		return line, err.Error()
	case line.Target == "":
		return line, "it names no target"
	case line.Version > record.Version:
		return line, fmt.Sprintf("its version is %d, and this jacquard reads %d", line.Version, record.Version)
	}
	return line, ""
}

// targets returns the targets of the programs, sorted.
func (s Statistics) targets() []string {
	names := map[string]bool{}
	for p := range s {
		names[p.Target] = true
	}
	list := slices.AppendSeq([]string{}, maps.Keys(names)) // not nil
	slices.Sort(list)
	return list
}

// as returns the statistics with another target for every program.
func (s Statistics) as(target string) Statistics {
	out := Statistics{}
	for p, x := range s {
		out[Program{p.File, target, p.Stage, p.Entry, p.SIMD}] = x
	}
	return out
}
