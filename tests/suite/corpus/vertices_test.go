// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/synth"
)

// unfitVertices matches the reasons for which a vertex shader is not compared: of the draw that is made for it, of the peer,
// and features that the model or the description of the peer's programs lacks.
var unfitVertices = regexp.MustCompile(`^synth: |peer makes no code|depend on undefined values|deadline exceeded|type [ud]?[fq]: this hardware has no 64-bit|` +
	`its code accesses \d+ entries|it writes memory|has words of 16 bits|has run \d+ instructions|interp: `)

// TestPeerVertices runs the vertex shaders of the corpus as another compiler's code for vertices of four lanes.
func TestPeerVertices(t *testing.T) {
	p := peer.Find(target.HSW)
	if p == nil {
		t.Skipf("%s is not set", peer.Variable)
	}
	c := compiler(t)
	var cache tools.Cache
	agree, unfit := 0, map[string]int{}
	for _, m := range chosen(t, c, os.Getenv("JACQUARD_CORPUS_ALL") != "") {
		for _, e := range modules.Entries(m.SPIRV) {
			if modules.Models[e.Model] != "vertex" || m.Invalid != "" {
				continue
			}
			switch err := verticesAgree(t.Context(), p, &cache, &m, e.Name); {
			case err == nil:
				agree++
			case unfitVertices.MatchString(err.Error()):
				unfit[unfitVertices.FindString(err.Error())]++
				t.Logf("unfit: %s %s: %v", m.ID(), e.Name, err)
			default:
				t.Errorf("%s %s: %v", m.ID(), e.Name, err)
			}
		}
	}
	t.Logf("%d vertex shaders agree; unfit: %v", agree, unfit)
	if agree < 15 {
		t.Errorf("only %d vertex shaders are compared", agree)
	}
}

// verticesAgree draws twice with a vertex shader.
func verticesAgree(ctx context.Context, p *peer.Compiler, cache *tools.Cache, m *modules.Module, entry string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for _, word := range []string{"Int16", "Float16", "Int8", "StorageInputOutput16"} {
		if m.Declares(word) {
			return errors.New("it has words of 16 bits or bytes")
		}
	}
	for number := range uint64(2) {
		d, err := synth.New(cache, m.SPIRV, kind.StageVertex, entry, synth.Options{Width: 16, Height: 16, Number: number})
		switch {
		case err != nil:
			return errors.New("synth: " + strings.TrimSpace(err.Error()))
		case d.Writes:
			return errors.New("it writes memory")
		}
		v := &peer.Vertices{Compiler: p, Module: d.Module, StepLimit: 1 << 18}
		if err := v.Draw(ctx, &d.DrawCall); err != nil {
			return err
		}
	}
	return nil
}
