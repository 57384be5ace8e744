// SPDX-License-Identifier: MIT

package peer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/generated/kind"
)

// TestStats: statistics have their values under the names of both versions of the driver.
func TestStats(t *testing.T) {
	want := Stats{Instructions: 27, Sends: 4, Spills: 1, Fills: 2, Shared: 64, Scratch: 1500}
	for i, text := range []string{
		`{"Instruction Count":27,"SEND Count":4,"Loop Count":0,"Cycle Count":430,"Spill Count":1,"Fill Count":2,` +
			`"Scratch Memory Size":1500,"Workgroup Memory Size":64,"Source hash":1474446750}`,
		`{"Instructions":27,"Code size":512,"SENDs":4,"Loops":0,"Cycles":404,"Spills":1,"Fills":2,"Scratch Memory Size":1500,` +
			`"Workgroup Memory Size":64,"Source hash":15915950344681219830}`,
	} {
		var got Stats
		want.CodeBytes = 512 * i
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		if got.ScratchPerThread() != 2048 {
			t.Errorf("%d bytes of scratch", got.ScratchPerThread())
		}
	}
	var got Stats
	err := json.Unmarshal([]byte(`{"Messages":4,"Instructions":27,"Spills":0,"Fills":0}`), &got)
	if err == nil || !strings.Contains(err.Error(), `no ["SEND Count" "SENDs"]`) {
		t.Errorf("statistics without a count: %v", err)
	}
}

// TestFiles: the files of a program are found among those of others, by its name, and its code by its size.
func TestFiles(t *testing.T) {
	const row = `{"kind":"exe","stage":"fragment","driver":"Mesa 26.2.6-1","exe":"SIMD%[1]d fragment","subgroup_size":%[1]d,` +
		`"stats":{"Instructions":%[1]d,"SENDs":1,"Spills":0,"Fills":0,"Code size":%[2]d}}` + "\n"
	dir, out := t.TempDir(), ""
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, simd := range []int{8, 16} {
		size := 32 + 16*i
		out += fmt.Sprintf(row, simd, size)
		code := make([]byte, size)
		code[16] = 0x32 // it writes a target
		name := fmt.Sprintf("x.tgl.r0.SIMD%d_fragment.", simd)
		for file, text := range map[string]string{"Final_NIR.txt": "NIR", "GEN_Assembly.txt": "code", "Shader_push_map.txt": "map"} {
			write(name+file, text+strings.Repeat("+", i))
		}
		write(name+"bin", string(code))
	}
	b := &Binary{}
	exe, err := b.readLines([]byte(out), &Shader{Stage: kind.StageFragment, SIMD: 16})
	if err != nil || b.Driver != "Mesa 26.2.6-1" || b.Stats.Instructions != 16 {
		t.Fatalf("%+v, %v", b, err)
	}
	if err := b.readFiles(dir, kind.StageFragment, exe); err != nil || len(b.Code) != 48 || b.IR != "NIR+" || b.Assembly != "map+code+" {
		t.Errorf("%d bytes of code, IR %q, assembly %q, %v", len(b.Code), b.IR, b.Assembly, err)
	}
}
