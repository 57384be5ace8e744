// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// TestCompileTimes measures against a peer that takes a millisecond for each module, at another
// width for the first.
func TestCompileTimes(t *testing.T) {
	script := filepath.Join(t.TempDir(), "peer.sh")
	const text = `width=8
for x; do
	case $x in *.spv)
		echo '{"kind":"exe","file":"'$x'","stage":"compute","subgroup_size":'$width',"net_cpu_ms_min":1.0}'
		width=16;;
	esac
done
exit 1
`
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(peer.Variable, "sh "+script)
	set, err := sampleSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := compileTimes(t.Context(), &out, findOpponent(target.TGL, 16), kind.StageCompute, []string{"samples"},
		[][]entry{append(set, set...)}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if !strings.HasPrefix(lines[2], "| samples | 3 |") {
		t.Errorf("of four modules twice, of which one has another width, the report says %q", lines[2])
	}
	listed := 0
	for _, e := range set {
		for _, line := range lines[3:] {
			var ours, theirs, ratio float64
			if n, _ := fmt.Sscanf(line, "| "+e.name+" | %f | %f | %f", &ours, &theirs, &ratio); n == 0 {
				continue
			}
			listed++
			if ours <= 0 || ours > 1000 || theirs != 1 || ratio < ours-0.01 || ratio > ours+0.01 {
				t.Errorf("%q", line)
			}
		}
	}
	if listed != 3 {
		t.Errorf("%d modules are listed:\n%s", listed, out.String())
	}
	if want := "the peer does not compile them at this width: " + set[0].name + ".\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%q does not name what is left out: %q", out.String(), want)
	}
}

// TestStageTimes measures the samples' vertex and fragment shaders against a peer that takes a millisecond for each,
// and compiles fragment shaders for other lanes unless it is told which to leave out.
func TestStageTimes(t *testing.T) {
	script := filepath.Join(t.TempDir(), "peer.sh")
	const text = `for x; do
	case $x:$INTEL_DEBUG in
	*.vert.spv:) stage=vertex width=8;;
	*.frag.spv:no16,no32) stage=fragment width=8;;
	*.frag.spv:no8,no32) stage=fragment width=16;;
	*) continue;;
	esac
	echo '{"kind":"exe","file":"'$x'","stage":"'$stage'","subgroup_size":'$width',"net_cpu_ms_min":1.0}'
done
`
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(peer.Variable, "sh "+script)
	var out bytes.Buffer
	if err := stageTimes(t.Context(), &out, peer.Find(target.TGL), "../..", 0); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"vertex, SIMD8", "fragment, SIMD8", "fragment, SIMD16"} {
		_, section, found := strings.Cut(out.String(), "## "+title+"\n")
		if section, _, _ = strings.Cut(section, "\n## "); !found || !strings.Contains(section, "| samples | 5 |") ||
			!strings.Contains(section, "| mvp | ") {
			t.Errorf("%s:\n%s", title, out.String())
		}
	}
}
