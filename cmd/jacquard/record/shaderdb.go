// SPDX-License-Identifier: MIT

package record

import (
	"fmt"
	"strings"

	"jacquard.example"
)

// abbreviations are Mesa's names of stages.
var abbreviations = map[string]string{"compute": "CS", "vertex": "VS", "fragment": "FS"}

// ShaderDB returns the statistics of a line in the format that report.py of Mesa's shader-db reads, a line for each
// width; none for a shader that was refused. report.py finds lines by the regular expression "(\S+) - (.*) shader:
// (.*)" and pairs them by the first two groups. The third group is a list of values and names; inst is shown as
// instructions. The first group has the file and, unless it is main, the entry point. The second group also has the
// target if several is set.
func (l *Line) ShaderDB(several bool) string {
	var b strings.Builder
	app, stage := spaceless(l.File), abbreviations[l.Stage]
	if l.Entry != "main" {
		app += ":" + spaceless(l.Entry)
	}
	if several {
		stage = l.Target + " " + stage
	}
	for i := range l.Programs {
		v := &l.Programs[i]
		fmt.Fprintf(&b, "%s - %s SIMD%d shader: %s\n", app, stage, v.SIMD, shaderDBStats(&v.Stats))
	}
	return b.String()
}

func shaderDBStats(s *jacquard.Stats) string {
	return fmt.Sprintf("%d inst, %d loops, %d cycles, %d:%d spills:fills, %d sends, %d bytes",
		s.Instructions, s.Loops, s.Cycles, s.Spills, s.Fills, s.Sends, s.Bytes)
}

// ShaderDBTime returns the line in which report.py finds the time of a run: "Thread \S+ took (\S+) seconds".
func ShaderDBTime(milliseconds float64) string {
	return fmt.Sprintf("Thread 0 took %.6f seconds\n", milliseconds/1000)
}

// spaceless joins the words of a name by %20, since white space would end it.
func spaceless(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || c < ' ' }), "%20")
}
