// SPDX-License-Identifier: MIT

package main

import (
	"context"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// opponent is the peer, with the number of lanes that its programs have.
type opponent struct {
	*peer.Compiler
	simd int
}

// findOpponent returns the peer, or nil if none is installed.
func findOpponent(machine *target.Target, simd int) *opponent {
	if c := peer.Find(machine); c != nil {
		return &opponent{c, simd}
	}
	return nil
}

// program is a compute program of the peer, with the layout of its resources.
type program struct {
	*peer.Binary
	layout layout
}

// compile compiles an entry point of a module.
func (p *opponent) compile(ctx context.Context, module []byte, entry string, specialize []runner.Spec) (*program, error) {
	b, err := p.Compile(ctx, &peer.Shader{Module: module, Entry: entry, Stage: kind.StageCompute, SIMD: p.simd, Specialize: specialize})
	if err != nil {
		return nil, err
	}
	l, err := readLayout(b.IR, b.Assembly)
	return &program{b, l}, err
}

// constants returns the mapping of the program's constant data, if it has some.
func (p *program) constants() []eu.Mapping {
	if len(p.Constants) == 0 {
		return nil
	}
	return []eu.Mapping{{Addr: peer.ConstantsAddress, Data: p.Constants}}
}
