// SPDX-License-Identifier: MIT

package engine

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
)

func TestUserData(t *testing.T) {
	surfaces := []*eu.Surface{{Data: make([]byte, 12)}, {Data: make([]byte, 8)}}
	mapped := []eu.Mapping{{Addr: 0x123456789A}, {Addr: 1}}
	for _, c := range []struct {
		abi  jacquard.ABI
		push []byte
		want []byte
	}{
		{jacquard.ABI{}, nil, nil},
		{jacquard.ABI{PushBytes: 4}, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []byte{1, 2, 3, 4}},
		{jacquard.ABI{PushBytes: 4, SizesOffset: 8, SizesCount: 2}, []byte{1, 2, 3, 4}, []byte{1, 2, 3, 4, 0, 0, 0, 0, 12, 0, 0, 0, 8, 0, 0, 0}},
		{jacquard.ABI{SizesCount: 1}, nil, []byte{12, 0, 0, 0}},
		{jacquard.ABI{SizesCount: 1, AddressesOffset: 8, AddressesCount: 2}, nil, []byte{12, 0, 0, 0, 0, 0, 0, 0, 0x9A, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
	} {
		got, err := userData(&c.abi, c.push, surfaces, mapped)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c.abi, got, err)
		}
	}
	for _, abi := range []jacquard.ABI{{PushBytes: 8}, {SizesCount: 3}, {AddressesCount: 3}} {
		if _, err := userData(&abi, []byte{1, 2, 3, 4}, surfaces, mapped); err == nil {
			t.Errorf("%+v is accepted", abi)
		}
	}
}

// TestRanges: ranges of uniform buffers follow the other push data at their offsets; bytes past the end of a buffer
// are 0.
func TestRanges(t *testing.T) {
	data := make([]byte, 80)
	for i := range data {
		data[i] = byte(i + 1)
	}
	surfaces := []*eu.Surface{nil, {Data: data}}
	abi := &jacquard.ABI{Ranges: []jacquard.Range{{Entry: 1, Start: 64, Bytes: 32, Offset: 32}, {Entry: 0, Bytes: 32, Offset: 64}, {Entry: 1, Bytes: 32, Offset: 96}, {Entry: 1, Start: 96, Bytes: 32, Offset: 128}}}
	want := slices.Concat(make([]byte, 27), data[64:80], make([]byte, 16), make([]byte, 32), data[:32], make([]byte, 32))
	if got := rangesOf(abi, surfaces, 5); !bytes.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLauncher: a program is launched only under the ABI that it was compiled for. A change of any part of the ABI is
// detected.
func TestLauncher(t *testing.T) {
	for _, m := range target.All {
		good := jacquard.Program{Target: jacquard.Target(m.Name),
			ABI: jacquard.ABI{Name: m.ABI.Name, Version: m.ABI.Version, Hash: m.ABI.Hash}}
		if got, err := launcher(&good); got != m || err != nil {
			t.Errorf("%s: %v, %v", m, got, err)
		}
		for name, change := range map[string]func(p *jacquard.Program){
			"hash":   func(p *jacquard.Program) { p.ABI.Hash = strings.Repeat("0", len(p.ABI.Hash)) },
			"name":   func(p *jacquard.Program) { p.ABI.Name += "_2" },
			"target": func(p *jacquard.Program) { p.Target += "_2" },
		} {
			bad := good
			change(&bad)
			if _, err := launcher(&bad); err == nil || !strings.Contains(err.Error(), "which the model cannot launch") {
				t.Errorf("%s with another %s: %v", m, name, err)
			}
		}
	}
}

// all marks every descriptor as needed.
func all(uint32, uint32) bool { return true }

func TestSurfaces(t *testing.T) {
	x, y := []byte{1}, []byte{2}
	call := &runner.Call{Bindings: []runner.Binding{{Set: 0, Binding: 3, Kind: runner.Uniform, Data: x}, {Set: 1, Binding: 0, Kind: runner.Storage, Data: y}}}
	p := &jacquard.Program{ABI: jacquard.ABI{Bindings: []jacquard.Resource{{Set: 1, Binding: 0, Kind: "storage"}, {Set: 0, Binding: 3, Kind: "uniform"}}}}
	s, err := surfacesOf(p, call, all)
	if err != nil || len(s) != 2 || &s[0].Data[0] != &y[0] || &s[1].Data[0] != &x[0] {
		t.Errorf("%v, %v", s, err)
	}
	for _, c := range []struct {
		r    jacquard.Resource
		want string
	}{
		{jacquard.Resource{Set: 2, Binding: 0, Kind: "storage"}, "the shader's storage buffer at set 2 binding 0 is not bound"},
		{jacquard.Resource{Set: 1, Binding: 0, Kind: "uniform"}, "set 1 binding 0 is bound as storage, but the shader declares a uniform buffer there"},
	} {
		p.ABI.Bindings = []jacquard.Resource{c.r}
		if _, err := surfacesOf(p, call, all); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	p.ABI.Bindings = []jacquard.Resource{{Set: 2, Binding: 0, Kind: "storage"}}
	if s, err := surfacesOf(p, call, func(uint32, uint32) bool { return false }); err != nil || len(s) != 1 || len(s[0].Data) != 0 {
		t.Errorf("what is not used need not be bound: %v, %v", s, err)
	}
}
