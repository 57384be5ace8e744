package peer

import (
	"encoding/json"
	"strings"
	"testing"

	"jacquard.example/generated/kind"
)

// TestStats: statistics have their values under the names of both versions of the driver.
func TestStats(t *testing.T) {
	want := Stats{Instructions: 27, Sends: 4, Spills: 1, Fills: 2, Shared: 64, Scratch: 1500}
	for _, text := range []string{
		`{"Instruction Count":27,"SEND Count":4,"Loop Count":0,"Cycle Count":430,"Spill Count":1,"Fill Count":2,` +
			`"Scratch Memory Size":1500,"Workgroup Memory Size":64,"Source hash":1474446750}`,
		`{"Instructions":27,"Code size":512,"SENDs":4,"Loops":0,"Cycles":404,"Spills":1,"Fills":2,"Scratch Memory Size":1500,` +
			`"Workgroup Memory Size":64,"Source hash":15915950344681219830}`,
	} {
		var got Stats
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

// TestDriver: the driver's version is that of its line.
func TestDriver(t *testing.T) {
	b := &Binary{}
	err := b.readLines([]byte(`{"kind":"exe","stage":"compute","driver":"Mesa 26.2.6-1","subgroup_size":16,"stats":{"Instructions":1,"SENDs":1,`+
		`"Spills":0,"Fills":0}}`+"\n"), &Shader{Stage: kind.StageCompute, SIMD: 16})
	if err != nil || b.Driver != "Mesa 26.2.6-1" || b.Stats.Instructions != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}
