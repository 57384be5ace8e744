// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// record is the result of a piece that was run.
type record struct {
	Part      string
	Piece, Of int
	OK        bool
	CPU       float64 // CPU time of all processes, in seconds
	Says      string  // the end of its output, if it failed
}

func (r *record) file(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%d-of-%d.json", r.Part, r.Piece, r.Of))
}

// keep writes a record atomically.
func (r *record) keep(dir string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp := r.file(dir) + ".new"
	if err := os.WriteFile(tmp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, r.file(dir))
}

// kept returns the record of a piece, or nil.
func kept(dir string, p *part, piece int) (*record, error) {
	r := &record{Part: p.name, Piece: piece, Of: p.pieces}
	text, err := os.ReadFile(r.file(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(text, r)
}
