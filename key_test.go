// SPDX-License-Identifier: MIT

package jacquard

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
)

// TestKeyCoversOptions: the key changes with each option, whatever its type, except for those that Key names.
func TestKeyCoversOptions(t *testing.T) {
	keys := map[string]string{}
	add := func(what string, module string, o Options) {
		k := Key([]byte(module), o)
		if len(k) != 64 {
			t.Fatalf("%s: the key is %q", what, k)
		}
		if other, ok := keys[k]; ok {
			t.Errorf("%s and %s have the same key", what, other)
		}
		keys[k] = what
		if Key([]byte(module), o) != k {
			t.Errorf("%s has two keys", what)
		}
	}
	add("nothing", "m", Options{})
	add("another module", "n", Options{})
	add("a longer module", "mm", Options{})
	var none Options
	for field, v := range reflect.ValueOf(none).Fields() {
		for i, o := range changed(field, v) {
			switch field.Name {
			case "File", "Trace":
				if Key([]byte("m"), o) != Key([]byte("m"), none) {
					t.Errorf("%s changes the key", field.Name)
				}
			default:
				add(field.Name+" "+string(rune('0'+i)), "m", o)
			}
		}
	}
	if len(keys) < 25 {
		t.Errorf("%d keys", len(keys))
	}
	// Words cannot move from one field to another.
	add("a", "m", Options{Entry: "a", Stage: ""})
	add("b", "m", Options{Entry: `a" "`, Stage: ""})
	add("c", "m", Options{Disable: []string{"a b"}})
	add("d", "m", Options{Disable: []string{"a", "b"}})
}

// changed returns options in which only one field differs from none, in several ways if it has parts.
func changed(field reflect.StructField, zero reflect.Value) (list []Options) {
	set := func(v reflect.Value) {
		var o Options
		reflect.ValueOf(&o).Elem().FieldByName(field.Name).Set(v)
		list = append(list, o)
	}
	for _, v := range values(zero.Type()) {
		set(v)
	}
	return list
}

// values returns different values of a type, none of which is zero; of a structure, one for each field, with all others
// zero.
func values(t reflect.Type) (list []reflect.Value) {
	switch t.Kind() {
	case reflect.String:
		return []reflect.Value{reflect.ValueOf("tgl").Convert(t)}
	case reflect.Bool:
		return []reflect.Value{reflect.ValueOf(true)}
	case reflect.Int, reflect.Uint32, reflect.Uint64:
		return []reflect.Value{reflect.ValueOf(8).Convert(t), reflect.ValueOf(16).Convert(t)}
	case reflect.Func:
		return []reflect.Value{reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return nil })}
	case reflect.Pointer:
		list = append(list, reflect.New(t.Elem()))
		for _, v := range values(t.Elem()) {
			p := reflect.New(t.Elem())
			p.Elem().Set(v)
			list = append(list, p)
		}
	case reflect.Slice:
		one := reflect.Append(reflect.Zero(t), reflect.Zero(t.Elem()))
		list = append(list, one, reflect.Append(one, reflect.Zero(t.Elem())))
		for _, v := range values(t.Elem()) {
			list = append(list, reflect.Append(reflect.Zero(t), v))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			for _, v := range values(t.Field(i).Type) {
				x := reflect.New(t).Elem()
				x.Field(i).Set(v)
				list = append(list, x)
			}
		}
	default:
		panic("no values of " + t.String())
	}
	return list
}

// TestKeyBuild: a version of the module from the cache identifies a build; otherwise the executable file does, and without
// both there is no key.
func TestKeyBuild(t *testing.T) {
	file := func(text string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	}
	none := func() (io.ReadCloser, error) { return nil, errors.New("no file") }
	user := debug.Module{Path: "example.org/user", Version: "v1.0.0", Sum: "h1:user="}
	module := func(version, sum string) *debug.Module {
		return &debug.Module{Path: modulePath, Version: version, Sum: sum}
	}
	replaced := module("v1.2.3", "h1:a=")
	replaced.Replace = module("(devel)", "")
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789ab"}, {Key: "vcs.modified", Value: "false"}}
	same := func(info debug.BuildInfo) bool { return identity(&info, file("x")) == identity(&info, file("y")) }
	for _, info := range []debug.BuildInfo{
		{Main: *module("v1.2.3", "h1:a=")},
		{Main: user, Deps: []*debug.Module{module("v1.2.3", "h1:a=")}},
	} {
		if !same(info) || identity(&info, none) == "" {
			t.Errorf("%+v: the executable identifies the build", info)
		}
	}
	for _, info := range []debug.BuildInfo{
		{Main: *module("(devel)", "")},
		{Main: *module("v1.2.3", ""), Settings: commit}, // an overlay may have changed what the commit has
		{Main: user, Deps: []*debug.Module{replaced}},
		{Main: user},
	} {
		if same(info) || identity(&info, none) != "" {
			t.Errorf("%+v: the executable does not identify the build", info)
		}
	}
	if identity(nil, file("x")) == "" || identity(nil, file("x")) == identity(nil, file("xx")) {
		t.Error("without a record of the build, the executable does not identify it")
	}
	a, b := debug.BuildInfo{Main: *module("v1.2.3", "h1:a=")}, debug.BuildInfo{Main: *module("v1.2.3", "h1:b=")}
	if identity(&a, none) == identity(&b, none) {
		t.Error("modules with different checksums have one identity")
	}
}

// TestProgramsSurviveJSON: a program is the same after encoding/json, with all that its methods read.
func TestProgramsSurviveJSON(t *testing.T) {
	files, err := filepath.Glob("tests/shaders/*.spv")
	more, _ := filepath.Glob("testdata/example/*.spv")
	if files = append(files, more...); err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	compiled := 0
	for i, file := range files {
		if testing.Short() && i%8 != 0 {
			continue
		}
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(t.Context(), module, Options{Explain: i%4 == 0})
		if err != nil {
			continue
		}
		data, err := json.Marshal(p)
		var back *Program
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		again, _ := json.Marshal(back)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s: %v\n%+v\n%+v", file, err, p, back)
		}
		if !reflect.DeepEqual(p, back) {
			t.Errorf("%s changes\n%+v\n%+v", file, p, back)
		}
		compiled++
	}
	if compiled < 20 {
		t.Errorf("%d programs", compiled)
	}
}
