// SPDX-License-Identifier: MIT

package shard

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/record"
)

// Former finds records of former runs by their keys. The records stay in their files: it remembers where.
type Former struct {
	files []*os.File
	at    map[name]place
}

// name is the key of a record, with the file if the record is an error, since errors name files.
type name struct {
	key  [32]byte
	file string
}

// place is a place in a file.
type place struct {
	file, length int
	offset       int64
}

// Open reads a file of records. Of two records with the same key, the first that was read counts. If partial is set, lines
// that are not whole records are skipped: the run that wrote the file was killed. Errors are *jacquard.Error.
func (r *Former) Open(file string, partial bool) error {
	f, err := os.Open(file)
	if err != nil {
		return cli.FileError(file, err)
	}
	if r.at == nil {
		r.at = map[name]place{}
	}
	r.files = append(r.files, f)
	in := bufio.NewReaderSize(f, 1<<16)
	offset := int64(0)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		switch {
		case err == io.EOF && len(line) == 0:
			return nil
		case err != nil && err != io.EOF:
			return cli.FileError(file, err)
		case err == io.EOF && partial:
			return nil
		}
		if why := r.add(line, offset); why != "" && !partial {
			return &jacquard.Error{File: file, Line: n, Column: 1, Msg: "not a line of statistics: " + why}
		}
		offset += int64(len(line))
	}
}

// add remembers a line of the last file. If it is no line of statistics, why is the reason.
func (r *Former) add(line []byte, offset int64) (why string) {
	if len(bytes.TrimSpace(line)) == 0 || IsEnd(line) {
		return ""
	}
	var head struct {
		File, Key, Target string
		Error             *string
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return err.Error()
	}
	if head.Target == "" {
		return "it names no target"
	}
	var id name
	if n, err := hex.Decode(id.key[:], []byte(head.Key[:min(len(head.Key), 64)])); err != nil || n != len(id.key) || len(head.Key) != 64 {
		return "" // without a key
	}
	if head.Error != nil {
		id.file = head.File
	}
	if _, ok := r.at[id]; !ok {
		r.at[id] = place{len(r.files) - 1, len(line), offset}
	}
	return ""
}

// Find returns the record with a key, for a file. It may be called from several goroutines.
func (r *Former) Find(key, file string) (*record.Line, bool) {
	var id name
	if n, err := hex.Decode(id.key[:], []byte(key)); err != nil || n != len(id.key) {
		return nil, false
	}
	at, ok := r.at[id]
	if !ok {
		id.file = file
		if at, ok = r.at[id]; !ok {
			return nil, false
		}
	}
	text := make([]byte, at.length)
	if _, err := r.files[at.file].ReadAt(text, at.offset); err != nil {
		return nil, false
	}
	line := new(record.Line)
	if err := json.Unmarshal(text, line); err != nil || line.Key != key {
		return nil, false // the file has been changed since
	}
	line.File = file
	return line, true
}

// Close closes the files.
func (r *Former) Close() {
	for _, f := range r.files {
		f.Close()
	}
}
