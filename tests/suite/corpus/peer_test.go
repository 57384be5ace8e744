// SPDX-License-Identifier: MIT

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
)

const mesaHead = `# Vertex and fragment list that Mesa 25.0.7 does not compile for tgl: hash of the SPIR-V, stage,
# entry point. TestPeer writes them with JACQUARD_CORPUS_ALL and FROZEN=update.
`

// TestPeer compares the list of modules that Mesa does not compile with the modules that it rejects.
func TestPeer(t *testing.T) {
	if peer.Find(target.TGL) == nil {
		t.Skipf("%s is not set", peer.Variable)
	}
	all := os.Getenv("JACQUARD_CORPUS_ALL") != ""
	c := compiler(t)
	dir := t.TempDir()
	files, names := map[string]string{}, map[string]string{}
	for i := range modules.Packages {
		n, sampled := sampleSize[modules.Packages[i].Name]
		if all {
			n = 0
		} else if !sampled {
			continue
		}
		ms, _ := load(t, c, modules.Packages[i].Name, n)
		for _, m := range modules.Distinct(ms) {
			for _, e := range modules.Entries(m.SPIRV) {
				if stage := modules.Models[e.Model]; m.Invalid == "" && (stage == "vertex" || stage == "fragment") {
					key := peerKey(&m, stage, e.Name)
					names[key], files[key] = m.ID(), filepath.Join(dir, key[:12]+".spv")
				}
			}
			hash := peerKey(&m, "", "")[:12]
			if err := os.WriteFile(filepath.Join(dir, hash+".spv"), m.SPIRV, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	takes := mesaTakes(t, files)
	var lines []string
	for key, id := range names {
		if !takes[key] {
			lines = append(lines, key+" | "+id+"\n")
		}
		if takes[key] == mesaRefuses[key] {
			t.Logf("%s (%s): Mesa compiles it: %v", key, id, takes[key])
			t.Fail()
		}
	}
	if 2*len(takes) < len(names) {
		t.Errorf("Mesa compiles %d modules only", len(takes))
	}
	if os.Getenv("FROZEN") == "update" && all {
		slices.Sort(lines)
		if err := os.WriteFile("mesa.txt", []byte(mesaHead+strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// mesaTakes returns the entry points that Mesa compiles.
func mesaTakes(t *testing.T, files map[string]string) map[string]bool {
	out := map[string]bool{}
	var list []string
	for _, f := range files {
		list = append(list, f)
	}
	slices.Sort(list)
	compiler := peer.Find(target.TGL)
	for part := range slices.Chunk(slices.Compact(list), 100) {
		// An error is about one of the files.
		said, _ := compiler.Command(t.Context(), append([]string{"-n", "1"}, part...)...).Output()
		for line := range bytes.Lines(said) {
			var exe struct{ Kind, File, Stage, Entry string }
			if json.Unmarshal(line, &exe) == nil && exe.Kind == "exe" {
				hash := strings.TrimSuffix(filepath.Base(exe.File), ".spv")
				out[fmt.Sprintf("%s %s %s", hash, exe.Stage, exe.Entry)] = true
			}
		}
	}
	return out
}
