// SPDX-License-Identifier: MIT

package prove

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// Solver runs z3, one process for each query.
type Solver struct {
	Path string
}

// FindSolver looks for z3.
func FindSolver() (*Solver, error) {
	path, err := exec.LookPath("z3")
	if err != nil {
		return nil, fmt.Errorf("z3 is missing; install it with: apt-get install z3")
	}
	return &Solver{path}, nil
}

// costKey is the key of a context's *int to which queries add their cost
// in units of the resource limit.
type costKey struct{}

// answer is z3's answer: unsat, sat with the values asked for, or unknown.
type answer struct {
	verdict string
	model   map[string]uint64
}

// ask checks assertions within a budget; wanted are the symbols whose values to
// return from a model.
func (s *Solver) ask(ctx context.Context, lines, wanted []string, budget int) (answer, error) {
	var in strings.Builder
	fmt.Fprintf(&in, "(set-option :rlimit %d)\n", budget)
	for _, l := range lines {
		in.WriteString(l + "\n")
	}
	in.WriteString("(check-sat)\n(get-info :rlimit)\n")
	if len(wanted) > 0 {
		fmt.Fprintf(&in, "(get-value (%s))\n", strings.Join(wanted, " "))
	}
	cmd := exec.CommandContext(ctx, s.Path, "-in", "-memory:3000")
	cmd.Stdin = strings.NewReader(in.String())
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run() // get-value after unsat is an error status; the output decides
	if ctx.Err() != nil {
		return answer{}, ctx.Err()
	}
	first, rest, _ := strings.Cut(out.String(), "\n")
	var used int
	if _, err := fmt.Sscanf(rest, "(:rlimit %d)", &used); err == nil {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	if total, ok := ctx.Value(costKey{}).(*int); ok {
		*total += used
	}
	switch first {
	case "unsat", "unknown":
		return answer{verdict: first}, nil
	case "sat":
		m, err := parseModel(rest)
		return answer{"sat", m}, err
	case "timeout":
		return answer{verdict: "unknown"}, nil
	}
	if strings.Contains(out.String(), "memory") {
		return answer{verdict: "unknown"}, nil
	}
	return answer{}, fmt.Errorf("z3 says %.300q (%v) to:\n%s", out.String(), err, in.String())
}

// parseModel parses ((v.a.0 #x0000) (v.b.0 true)).
func parseModel(text string) (map[string]uint64, error) {
	out := map[string]uint64{}
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(text))
	for len(words) >= 2 {
		name, val := words[0], words[1]
		words = words[2:]
		var x uint64
		var err error
		switch {
		case val == "true":
			x = 1
		case val == "false":
		case strings.HasPrefix(val, "#x"):
			x, err = strconv.ParseUint(val[2:], 16, 64)
		case strings.HasPrefix(val, "#b"):
			x, err = strconv.ParseUint(val[2:], 2, 64)
		default:
			err = fmt.Errorf("no value: %q", val)
		}
		if err != nil {
			return nil, fmt.Errorf("z3's model %.200q: %w", text, err)
		}
		out[name] = x
	}
	return out, nil
}
