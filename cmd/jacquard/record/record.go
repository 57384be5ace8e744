// SPDX-License-Identifier: MIT

package record

import (
	"encoding/hex"

	"jacquard.example"
	"jacquard.example/core/sha256"
)

// Version is the value of the field "version". It increases if a field is removed or changes its meaning; objects
// written before the field was introduced lack it.
const Version = 1

// Program describes an entry point, compiled or refused.
type Program struct {
	Version  int       `json:"version"`
	Target   string    `json:"target"`
	Stage    string    `json:"stage"` // like Entry, for a refused program the requested value, or empty
	Entry    string    `json:"entry"`
	Programs []Variant `json:"programs"` // by width, the preferred one first; empty if it was refused
	Error    *string   `json:"error"`
}

// Variant describes a program at one width.
type Variant struct {
	SIMD int `json:"simd"`
	jacquard.Stats
	Scratch    int           `json:"scratch_bytes"` // scratch memory of a thread
	Shared     int           `json:"shared_bytes"`  // shared memory of a workgroup
	Hash       string        `json:"sha256"`        // hash of the machine code
	Statistics []Statistic   `json:"statistics"`
	Listing    []Instruction `json:"listing,omitempty"` // only on request
}

// Line is a line of stats.
type Line struct {
	File string `json:"file"`
	Program
	CPU float64 `json:"cpu_ms"` // processor time of the thread that compiled it, in milliseconds
	Key string  `json:"key"`    // jacquard.Key of the module and the options; empty if there is none, or no module
	// Defect reports whether the error is a defect of jacquard.
	Defect bool `json:"defect,omitempty"`
	// Limit is the limit in milliseconds after which the compilation was stopped; 0 if it ended.
	Limit float64 `json:"stopped_after_ms,omitempty"`
}

// Of describes a program.
func Of(p *jacquard.Program) *Program {
	r := &Program{Version: Version, Target: string(p.Target), Stage: string(p.Stage), Entry: p.Entry, Programs: []Variant{}}
	for i := range p.Variants {
		v := &p.Variants[i]
		hash := sha256.Sum(v.Code)
		r.Programs = append(r.Programs, Variant{
			SIMD: v.SIMD, Stats: v.Stats, Scratch: v.Scratch, Shared: p.ABI.SharedBytes, Hash: hex.EncodeToString(hash[:]),
			Statistics: statisticsOf(p, v),
		})
	}
	return r
}

// Brief removes the descriptions of the statistics, which are the same in all objects.
func (r *Program) Brief() {
	for i := range r.Programs {
		for k := range r.Programs[i].Statistics {
			r.Programs[i].Statistics[k].Description = ""
		}
	}
}

// Refused describes a program that does not compile. stage and entry are the requested ones.
func Refused(target, stage, entry string, err error) *Program {
	msg := err.Error()
	return &Program{Version: Version, Target: target, Stage: stage, Entry: entry, Programs: []Variant{}, Error: &msg}
}
