// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"text/tabwriter"

	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/compare"
	"jacquard.example/cmd/jacquard/diag"
	"jacquard.example/cmd/jacquard/modinfo"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/cmd/jacquard/schema"
	"jacquard.example/cmd/jacquard/shard"
)

// outputs lists the kinds of JSON output, by the names under which info shows their schemas.
var outputs = map[string]struct {
	brief string
	of    reflect.Type
}{
	"compile":         {"compile --emit json", reflect.TypeFor[record.Program]()},
	"compile-pair":    {"compile --emit json, of two shaders", reflect.TypeFor[pairReport[record.Program]]()},
	"abi":             {"compile --emit abi", reflect.TypeFor[launchReport]()},
	"abi-pair":        {"compile --emit abi, of two shaders", reflect.TypeFor[pairReport[launchReport]]()},
	"stats":           {"a line of stats", reflect.TypeFor[record.Line]()},
	"shard":           {"the last line of stats for a shard", reflect.TypeFor[shard.End]()},
	"compare":         {"compare --format json, of statistics files", reflect.TypeFor[compare.Result]()},
	"compare-shaders": {"compare --format json, of shaders", reflect.TypeFor[compare.Versions]()},
	"report":          {"report --format json", reflect.TypeFor[[]report.Report]()},
	"run":             {"a line of run --stats", reflect.TypeFor[costLine]()},
	"diagnostics":     {"a line of --diagnostics json", reflect.TypeFor[diag.Diagnostic]()},
	"info":            {"info FILE --format json", reflect.TypeFor[modinfo.Report]()},
	"info-archive":    {"info ARCHIVE --format json", reflect.TypeFor[archive.Report]()},
}

// infoSchema lists the schemas, or shows one.
func infoSchema(a *cli.App, name string) error {
	if name == "" {
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		for _, n := range slices.Sorted(maps.Keys(outputs)) {
			fmt.Fprintf(w, "%s\t%s\n", n, outputs[n].brief)
		}
		return w.Flush()
	}
	x, ok := outputs[name]
	if !ok {
		return fmt.Errorf("jacquard: error: unknown schema %q%s", name, cli.Guess(name, maps.Keys(outputs)))
	}
	data, err := json.MarshalIndent(schema.Of("jacquard: "+x.brief, x.of), "", "  ")
	if err != nil {
		panic("cmd/jacquard: a schema has no JSON: " + err.Error()) // it has only maps, lists and words
	}
	return a.Write("", append(data, '\n'))
}
