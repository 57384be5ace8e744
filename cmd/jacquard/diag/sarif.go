// SPDX-License-Identifier: MIT

package diag

import (
	"fmt"
	"path/filepath"
	"strings"

	"jacquard.example"
)

// The types are the parts of SARIF that the log uses, in the order of the sections of the standard, "Static Analysis
// Results Interchange Format (SARIF) Version 2.1.0".
type (
	document struct { // 3.13
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct { // 3.14
		Tool        tool         `json:"tool"`
		Invocations []invocation `json:"invocations"`
		Results     []result     `json:"results"`
	}
	tool struct { // 3.18
		Driver driver `json:"driver"`
	}
	driver struct { // 3.19
		Name    string `json:"name"`
		Version string `json:"version"`
		Rules   []rule `json:"rules"`
	}
	rule struct { // 3.49
		ID    string `json:"id"`
		About text   `json:"shortDescription"`
	}
	text struct { // 3.11
		Text string `json:"text"`
	}
	invocation struct { // 3.20
		Successful bool `json:"executionSuccessful"`
		Status     int  `json:"exitCode"`
	}
	result struct { // 3.27
		Rule      string     `json:"ruleId"`
		Level     string     `json:"level"`
		Message   text       `json:"message"`
		Locations []location `json:"locations,omitempty"`
		Related   []location `json:"relatedLocations,omitempty"`
	}
	location struct { // 3.28
		Physical physical `json:"physicalLocation"`
	}
	physical struct { // 3.29
		Artifact artifact `json:"artifactLocation"`
		Region   *region  `json:"region,omitempty"`
	}
	artifact struct { // 3.4
		URI string `json:"uri"`
	}
	region struct { // 3.30
		Line   int  `json:"startLine,omitempty"`
		Column int  `json:"startColumn,omitempty"`
		Byte   *int `json:"byteOffset,omitempty"`
		Length int  `json:"byteLength,omitempty"`
	}
)

// schemaURI is the address at which the standard's schema is published.
const schemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifLog returns a log of one run.
func sarifLog(list []Diagnostic, status int) document {
	r := run{
		Tool:        tool{driver{Name: "jacquard", Version: jacquard.Version()}},
		Invocations: []invocation{{status == 0, status}},
		Results:     []result{},
	}
	for _, k := range kinds {
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule{k.name, text{k.about}})
	}
	for i := range list {
		r.Results = append(r.Results, resultOf(&list[i]))
	}
	return document{schemaURI, "2.1.0", []run{r}}
}

func resultOf(d *Diagnostic) result {
	x := result{Rule: d.Kind, Level: d.Level, Message: text{d.Message}}
	if d.File == "" {
		return x
	}
	at := physical{Artifact: artifact{uri(d.File)}}
	switch {
	case d.Line > 0:
		at.Region = &region{Line: d.Line, Column: d.Column}
	case d.Word != nil:
		at.Region = wordRegion(*d.Word)
	}
	x.Locations = []location{{at}}
	if d.Input != "" { // the place in the input is another one
		in := physical{Artifact: artifact{uri(d.Input)}}
		if d.Word != nil {
			in.Region = wordRegion(*d.Word)
		}
		x.Related = []location{{in}}
	}
	return x
}

// wordRegion returns the region of a 32-bit word.
func wordRegion(word int) *region {
	at := 4 * word
	return &region{Byte: &at, Length: 4}
}

// uri returns the URI reference of a file. A relative path becomes a relative reference, which viewers resolve
// against the root of the repository.
func uri(file string) string {
	if file == "(standard input)" {
		return "stdin"
	}
	path := filepath.ToSlash(file)
	var b strings.Builder
	if strings.HasPrefix(path, "/") {
		b.WriteString("file://")
	}
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0: // RFC 3986, 2.3
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
