// SPDX-License-Identifier: MIT

package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/core/foz"
	"jacquard.example/core/sha256"
)

// pipelineTags are the tags of pipelines, in the order in which they are listed.
var pipelineTags = []foz.Tag{foz.GraphicsPipeline, foz.ComputePipeline, foz.RaytracingPipeline}

// shaderNames returns the names of the shaders of a Fossilize archive: HASH:STAGE for a stage of a pipeline, with a
// number from the second of a kind on, and HASH.spv for a module that no pipeline uses. Stages that differ in nothing
// that matters to the compiler are listed once, under the name of the first pipeline. HASH alone is a pipeline that
// cannot be decoded.
func (a *Archive) shaderNames(ctx context.Context) ([]string, error) {
	var names []string
	seen, used := map[[sha256.Size]byte]bool{}, map[uint64]bool{}
	for _, tag := range pipelineTags {
		for _, e := range a.Foz.Entries(tag) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			p, err := a.Foz.Pipeline(e)
			if err != nil {
				names = append(names, fmt.Sprintf("%016x", e.Hash))
				continue
			}
			for k, name := range stageNames(p) {
				s := &p.Stages[k]
				used[s.Module] = true
				if key := shaderKey(s); !seen[key] {
					seen[key] = true
					names = append(names, name)
				}
			}
			if len(names) > MaxShaders {
				return nil, a.errorf("the archive has more than %d shaders", MaxShaders)
			}
		}
	}
	for _, e := range a.Foz.Entries(foz.ShaderModule) {
		if !used[e.Hash] {
			names = append(names, fmt.Sprintf("%016x.spv", e.Hash))
		}
	}
	slices.Sort(names)
	return names, nil
}

// shaderKey returns a hash that is the same for stages that compile to the same code.
func shaderKey(s *foz.Stage) [sha256.Size]byte {
	return sha256.Sum(fmt.Appendf(nil, "%x %s %d %v %q", s.Module, s.Name, s.Subgroup, s.Constants, s.Entry))
}

// stageNames returns the names of the stages of a pipeline as members.
func stageNames(p *foz.Pipeline) []string {
	names, count := make([]string, len(p.Stages)), map[string]int{}
	for k := range p.Stages {
		kind := p.Stages[k].Name
		names[k] = fmt.Sprintf("%016x:%s", p.Hash, kind)
		if count[kind]++; count[kind] > 1 {
			names[k] += ":" + strconv.Itoa(count[kind])
		}
	}
	return names
}

// pipeline returns the pipeline with a hash. It keeps the last one, since its stages are read one after the other.
func (a *Archive) pipeline(hash uint64) (*foz.Pipeline, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last != nil && a.last.Hash == hash {
		return a.last, nil
	}
	p, err := a.Foz.Find(hash)
	if err == nil {
		a.last = p
	}
	return p, err
}

// stagesOf returns the names of the stages of a pipeline if name is its hash, or else only the name.
func (a *Archive) stagesOf(name string) []string {
	if hash, err := parseHash(name); err == nil {
		if p, err := a.pipeline(hash); err == nil {
			return stageNames(p)
		}
	}
	return []string{name}
}

// readShader returns a shader of a Fossilize archive.
func (a *Archive) readShader(name string) (*Content, error) {
	if text, ok := strings.CutSuffix(name, ".spv"); ok {
		hash, err := parseHash(text)
		if err != nil {
			return nil, err
		}
		data, err := a.Foz.Module(hash)
		return &Content{Data: data}, err
	}
	text, stage, _ := strings.Cut(name, ":")
	hash, err := parseHash(text)
	if err != nil {
		return nil, err
	}
	p, err := a.pipeline(hash)
	if err != nil {
		return nil, err
	}
	names := stageNames(p)
	k := slices.Index(names, fmt.Sprintf("%016x:%s", hash, stage))
	switch {
	case len(names) == 0:
		return nil, errors.New("the pipeline has no stages")
	case stage == "" && len(names) == 1:
		k = 0
	case k < 0:
		const most = 16
		list := strings.Join(names[:min(len(names), most)], ", ")
		if len(names) > most {
			list += fmt.Sprintf(" and %d more", len(names)-most)
		}
		return nil, errors.New("the stages of the pipeline are " + list)
	}
	s := &p.Stages[k]
	if s.Module == 0 {
		return nil, errors.New("the pipeline has no shader module for this stage")
	}
	data, err := a.Foz.Module(s.Module)
	return &Content{data, s}, err
}

// parseHash parses the hash in the name of a member.
func parseHash(text string) (uint64, error) {
	hash, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		return 0, errors.New("members of Fossilize archives are named HASH:STAGE or HASH.spv, with 16 hexadecimal digits as HASH")
	}
	return hash, nil
}
