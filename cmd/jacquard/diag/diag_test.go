// SPDX-License-Identifier: MIT

package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/backend/run/frontend"
	"jacquard.example/backend/run/runner"
	"jacquard.example/cmd/jacquard/diag"
)

// reported lists errors with their entry in a JSON log (level, kind, file, line, column, input, word and message),
// and the URI and region of their first location in SARIF.
var reported = []struct {
	err        error
	json, name string
	region     string
}{
	{&jacquard.Error{File: "dir/a b.comp", Line: 3, Column: 7, Msg: "odd"},
		`{"version":1,"level":"error","kind":"input","file":"dir/a b.comp","line":3,"column":7,"input":"","word":null,"message":"odd"}`,
		"dir/a%20b.comp", `{"startLine":3,"startColumn":7}`},
	{driver.WordError("/tmp/x.spv", 0, "no module"),
		`{"version":1,"level":"error","kind":"input","file":"/tmp/x.spv","line":0,"column":0,"input":"","word":0,"message":"no module"}`,
		"file:///tmp/x.spv", `{"byteOffset":0,"byteLength":4}`},
	{&jacquard.Error{File: "c:x.comp", Line: 2, Input: "x.spv", Word: 9, HasWord: true, Msg: "y"},
		`{"version":1,"level":"error","kind":"input","file":"c:x.comp","line":2,"column":0,"input":"x.spv","word":9,"message":"y"}`,
		"c%3Ax.comp", `{"startLine":2}`},
	{&runner.Error{File: "t.amber", Pos: runner.Pos{Line: 4, Col: 1}, Msg: "expected a word"},
		`{"version":1,"level":"error","kind":"input","file":"t.amber","line":4,"column":1,"input":"","word":null,"message":"expected a word"}`,
		"t.amber", `{"startLine":4,"startColumn":1}`},
	{&frontend.Summary{File: "x.comp", Errors: 2},
		`{"version":1,"level":"note","kind":"message","file":"x.comp","line":0,"column":0,"input":"","word":null,"message":"2 errors"}`,
		"x.comp", ""},
	{errors.New("jacquard: error: unknown pass"),
		`{"version":1,"level":"error","kind":"input","file":"","line":0,"column":0,"input":"","word":null,"message":"unknown pass"}`,
		"", ""},
	{fmt.Errorf("within: %w", &jacquard.Error{File: "(standard input)", Line: 1, Msg: "bad \xff byte"}),
		`{"version":1,"level":"error","kind":"input","file":"(standard input)","line":1,"column":0,"input":"","word":null,"message":"bad � byte"}`,
		"stdin", `{"startLine":1}`},
}

// TestJSON reports all errors at once, joined, with text in between.
func TestJSON(t *testing.T) {
	var b, want strings.Builder
	log := diag.New(&b, "json")
	var all []error
	for _, r := range reported {
		all = append(all, r.err)
		want.WriteString(r.json + "\n")
	}
	log.Error(diag.Input, errors.Join(errors.Join(all[:2]...), errors.Join(all[2:]...)))
	fmt.Fprintf(log, "x.spv: warn")
	fmt.Fprintf(log, "ing: dubious\n\nthe rest")
	want.WriteString(`{"version":1,"level":"warning","kind":"message","file":"x.spv","line":0,"column":0,"input":"","word":null,"message":"dubious"}` + "\n")
	want.WriteString(`{"version":1,"level":"note","kind":"message","file":"","line":0,"column":0,"input":"","word":null,"message":"the rest"}` + "\n")
	if err := log.Close(1); err != nil || b.String() != want.String() {
		t.Errorf("%v; wrote\n%swant\n%s", err, b.String(), want.String())
	}
}

// sarif is the part of a SARIF log that the test reads.
type sarif struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		Invocations []struct {
			ExecutionSuccessful bool
			ExitCode            int
		}
		Results []struct {
			RuleID, Level    string
			Message          struct{ Text string }
			Locations        []place
			RelatedLocations []place
		}
	}
}

type place struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           json.RawMessage
	}
}

func validate(t *testing.T, text string) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(doc)
}

// TestSARIF checks that a log of the errors conforms to the schema and has their positions.
func TestSARIF(t *testing.T) {
	var b strings.Builder
	log := diag.New(&b, "sarif")
	for _, r := range reported {
		log.Error(diag.Input, r.err)
	}
	log.Warn(diag.Input, errors.New("last"))
	if b.Len() > 0 {
		t.Error("the log is begun before it is closed")
	}
	if err := log.Close(1); err != nil {
		t.Fatal(err)
	}
	if file := os.Getenv("SARIF_OUT"); file != "" { // to have other validators read it
		os.WriteFile(file, []byte(b.String()), 0o666)
	}
	if err := validate(t, b.String()); err != nil {
		t.Errorf("%v\n%s", err, b.String())
	}
	var doc sarif
	if err := json.Unmarshal([]byte(b.String()), &doc); err != nil || len(doc.Runs) != 1 {
		t.Fatal(err)
	}
	run := &doc.Runs[0]
	if i := run.Invocations; len(i) != 1 || i[0].ExecutionSuccessful || i[0].ExitCode != 1 {
		t.Errorf("invocations %+v", i)
	}
	if n := len(run.Results); n != len(reported)+1 || run.Results[n-1].Level != "warning" {
		t.Fatalf("%d results: %+v", n, run.Results)
	}
	known := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		known[r.ID] = true
	}
	for i, r := range reported {
		x := run.Results[i]
		if !known[x.RuleID] {
			t.Errorf("result %d has the unknown rule %q", i, x.RuleID)
		}
		var d diag.Diagnostic
		if err := json.Unmarshal([]byte(r.json), &d); err != nil {
			t.Fatal(err)
		}
		name, region := "", ""
		if len(x.Locations) == 1 {
			name, region = x.Locations[0].PhysicalLocation.ArtifactLocation.URI, string(x.Locations[0].PhysicalLocation.Region)
		}
		if x.Level != d.Level || x.Message.Text != d.Message || name != r.name || region != r.region {
			t.Errorf("%s: %s %q at %s %s, want %s %s", r.err, x.Level, x.Message.Text, name, region, r.name, r.region)
		}
		related := ""
		for _, at := range x.RelatedLocations {
			related += at.PhysicalLocation.ArtifactLocation.URI + string(at.PhysicalLocation.Region)
		}
		if want := map[bool]string{true: `x.spv{"byteOffset":36,"byteLength":4}`}[d.Input != ""]; related != want {
			t.Errorf("%s: related %s, want %s", r.err, related, want)
		}
	}
}

// TestSARIFSuccess: a log without results is written too, since services use it to clear earlier results.
func TestSARIFSuccess(t *testing.T) {
	var b strings.Builder
	if err := diag.New(&b, "sarif").Close(0); err != nil || validate(t, b.String()) != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if !strings.Contains(b.String(), `"executionSuccessful":true`) || !strings.Contains(b.String(), `"results":[]`) {
		t.Error(b.String())
	}
}

// TestValidatorRejects: the schema that the tests use refuses logs with mistakes.
func TestValidatorRejects(t *testing.T) {
	var b strings.Builder
	log := diag.New(&b, "sarif")
	log.Error(diag.Input, reported[0].err)
	if err := log.Close(1); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{
		{`"2.1.0"`, `"2.0.0"`}, {`"message":`, `"msg":`}, {`"startLine":3`, `"startLine":0`}, {`"level":"error"`, `"level":"fatal"`},
		{"a%20b", "a%b"}, {`"driver":`, `"driven":`}, {`"executionSuccessful":false,`, ""}, {`"startLine":3,`, ""}, {`"name":"jacquard",`, ""},
	} {
		wrong := strings.Replace(b.String(), r[0], r[1], 1)
		if wrong == b.String() {
			t.Errorf("%s is not in\n%s", r[0], wrong)
		}
		if validate(t, wrong) == nil {
			t.Errorf("the schema accepts a log with %s instead of %s", r[1], r[0])
		}
	}
}
