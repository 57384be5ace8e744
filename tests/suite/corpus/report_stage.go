package corpus

import (
	"crypto/sha256"
	_ "embed" // mesa.txt
	"fmt"
	"io"
	"strings"

	"jacquard.example/generated/kind"
)

//go:embed mesa.txt
var mesaText string

// mesaRefuses are the vertex and fragment modules that Mesa does not compile, by peerKey: the lines
// of mesa.txt up to a bar.
var mesaRefuses = func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(mesaText) {
		if key, _, ok := strings.Cut(line, " | "); ok && !strings.HasPrefix(line, "#") {
			out[key] = true
		}
	}
	return out
}()

// peerKey names an entry point in mesa.txt.
func peerKey(m *Module, stage, entry string) string {
	hash := sha256.Sum256(m.SPIRV)
	return fmt.Sprintf("%x %s %s", hash[:6], stage, entry)
}

// columnsOf are the numbers of modules of a stage for a pair.
type columnsOf struct{ modules, compiled, mesa, both int }

// writeStages says for each pair how many vertex and fragment modules there is code of, and how
// many of those that Mesa compiles.
func writeStages(w io.Writer, outcomes []*Outcome) {
	fmt.Fprintf(w, "\n## Machine code of vertex and fragment shaders\n\n"+
		"iga64 makes the same bytes of its text of all of it, and it breaks no restriction. \"Mesa\" are the modules that Mesa 25.0.7\n"+
		"compiles for tgl (mesa.txt has the others), \"of them\" those for which there is code.\n\n"+
		"| stage, target, width | modules | compiled | Mesa | of them | %% |\n|---|---|---|---|---|---|\n")
	for _, stage := range []kind.Stage{kind.StageVertex, kind.StageFragment} {
		for _, pair := range StagePairs(stage) {
			n := columns(stage.String(), outcomes, func(p Pair) bool { return p == pair })
			n.write(w, stage.String()+", "+pair.String())
		}
	}
	var machines []string
	for _, pair := range StagePairs(kind.StageVertex) {
		machines = append(machines, pair.Target.Name)
	}
	for _, machine := range machines {
		n := columns("", outcomes, func(p Pair) bool { return p.Target.Name == machine })
		n.write(w, "both, "+machine+", every width")
	}
}

func (n columnsOf) write(w io.Writer, what string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.1f |\n", what, n.modules, n.compiled, n.mesa, n.both, 100*float64(n.both)/float64(max(n.mesa, 1)))
}

// columns counts the modules of a stage, or of both, that have code for all the pairs meant.
func columns(stage string, outcomes []*Outcome, meant func(Pair) bool) (n columnsOf) {
	for _, o := range outcomes {
		if o.Module.Invalid != "" || o.Stage == "compute" || !hasColumns(o.Stage) || stage != "" && o.Stage != stage {
			continue
		}
		n.modules++
		codes := false
		for i := range o.Codes {
			if c := &o.Codes[i]; meant(c.Pair) {
				if codes = c.Bytes != nil; !codes {
					break
				}
			}
		}
		if codes {
			n.compiled++
		}
		if mesaRefuses[peerKey(o.Module, o.Stage, o.Entry)] {
			continue
		}
		n.mesa++
		if codes {
			n.both++
		}
	}
	return n
}
