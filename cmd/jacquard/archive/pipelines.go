package archive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/core/foz"
)

// pipelineTags are the tags of pipelines, in the order in which they are listed.
var pipelineTags = []foz.Tag{foz.GraphicsPipeline, foz.ComputePipeline, foz.RaytracingPipeline}

// shaderNames returns the names of the shaders of a Fossilize archive: HASH:STAGE for a stage of a pipeline, where a
// number follows if the pipeline has several, and HASH.spv for a module that no pipeline uses. Stages that differ in
// nothing that matters to the compiler are listed once, under the name of the first pipeline. HASH alone is a pipeline
// that cannot be decoded.
func (a *Archive) shaderNames() []string {
	var names []string
	seen, used := map[string]bool{}, map[uint64]bool{}
	for _, tag := range pipelineTags {
		for _, e := range a.Foz.Entries(tag) {
			p, err := a.Foz.Pipeline(e)
			if err != nil {
				names = append(names, fmt.Sprintf("%016x", e.Hash))
				continue
			}
			for k := range p.Stages {
				s := &p.Stages[k]
				used[s.Module] = true
				if key := shaderKey(s); !seen[key] {
					seen[key] = true
					names = append(names, StageName(p, k))
				}
			}
		}
	}
	for _, e := range a.Foz.Entries(foz.ShaderModule) {
		if !used[e.Hash] {
			names = append(names, fmt.Sprintf("%016x.spv", e.Hash))
		}
	}
	slices.Sort(names)
	return names
}

// shaderKey returns a text that is the same for stages that compile to the same code.
func shaderKey(s *foz.Stage) string {
	return fmt.Sprintf("%x %s %d %v %q", s.Module, s.Name, s.Subgroup, s.Constants, s.Entry)
}

// StageName returns the name of stage k of a pipeline as a member.
func StageName(p *foz.Pipeline, k int) string {
	n := 1
	for i := range k {
		if p.Stages[i].Name == p.Stages[k].Name {
			n++
		}
	}
	name := fmt.Sprintf("%016x:%s", p.Hash, p.Stages[k].Name)
	if n > 1 {
		name += ":" + strconv.Itoa(n)
	}
	return name
}

// stagesOf returns the names of the stages of a pipeline if name is its hash, or else only the name.
func (a *Archive) stagesOf(name string) (names []string) {
	if hash, err := parseHash(name); err == nil {
		if p, err := a.Foz.Find(hash); err == nil {
			for k := range p.Stages {
				names = append(names, StageName(p, k))
			}
			return names
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
	p, err := a.Foz.Find(hash)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(p.Stages))
	for k := range p.Stages {
		s := &p.Stages[k]
		names[k] = StageName(p, k)
		if _, has, _ := strings.Cut(names[k], ":"); has != stage && (stage != "" || len(p.Stages) > 1) {
			continue
		}
		if s.Module == 0 {
			return nil, fmt.Errorf("the pipeline has no shader module for this stage")
		}
		data, err := a.Foz.Module(s.Module)
		return &Content{data, s}, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the pipeline has no stages")
	}
	return nil, fmt.Errorf("the stages of the pipeline are %s", strings.Join(names, ", "))
}

// parseHash parses the hash in the name of a member.
func parseHash(text string) (uint64, error) {
	hash, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("members of Fossilize archives are named HASH:STAGE or HASH.spv, with 16 hexadecimal digits as HASH")
	}
	return hash, nil
}
