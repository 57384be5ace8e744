// SPDX-License-Identifier: MIT

package shard

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"jacquard.example/cmd/jacquard/cli"
)

// End is the last line of the output for a shard: the output is complete.
type End struct {
	Shard Summary `json:"shard"`
}

// Summary describes a shard.
type Summary struct {
	Index    int    `json:"index"` // from 1
	Of       int    `json:"of"`
	Files    int    `json:"files"`
	Contents string `json:"contents"` // hash of the names and contents of the files
	Lines    int    `json:"lines"`    // without the last line
	Refused  int    `json:"refused"`  // lines with an error
	Defects  int    `json:"defects"`  // lines with an error that is a defect
	AllFiles int    `json:"all_files"`
	Listing  string `json:"listing"` // hash of the names of all files
	Run      string `json:"run"`     // hash of the build and of the flags that change lines; empty if the build is unknown
}

// Same reports whether two summaries are of the same shard of the same files by the same build with the same flags, so
// that their lines are the same, or were when they were complete.
func (s *Summary) Same(t *Summary) bool {
	x, y := *s, *t
	x.Lines, x.Refused, x.Defects = y.Lines, y.Refused, y.Defects
	return x == y && x.Run != ""
}

// Other reports whether two summaries are of different shards of one run.
func (s *Summary) Other(t *Summary) bool {
	return s.Index != t.Index && s.Of == t.Of && s.Run == t.Run && s.Run != "" && s.AllFiles == t.AllFiles && s.Listing == t.Listing
}

// maxEnd is more than the length of any last line.
const maxEnd = 4096

// ReadEnd returns the summary in the last line of a file; ok is false if the file has none, since it is not the
// complete output for a shard.
func ReadEnd(file string) (s Summary, ok bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return s, false, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return s, false, err
	}
	tail := make([]byte, min(size, maxEnd))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return s, false, err
	}
	text, whole := bytes.CutSuffix(tail, []byte("\n"))
	end, ok := parseEnd(text[bytes.LastIndexByte(text, '\n')+1:])
	return end, ok && whole, nil
}

// parseEnd parses a last line.
func parseEnd(line []byte) (s Summary, ok bool) {
	if !bytes.HasPrefix(line, []byte(`{"shard":`)) {
		return s, false
	}
	var end End
	err := json.Unmarshal(line, &end)
	return end.Shard, err == nil && 1 <= end.Shard.Index && end.Shard.Index <= end.Shard.Of
}

// IsEnd reports whether a line of statistics is the last line of a shard, rather than a record.
func IsEnd(line []byte) bool {
	_, ok := parseEnd(bytes.TrimSpace(line))
	return ok
}

// readAt reads from a place in a file; n is less than the length of the buffer at the end of the file.
func readAt(file string, into []byte, offset int64) (n int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, cli.FileError(file, err)
	}
	defer f.Close()
	n, err = f.ReadAt(into, offset)
	if err == io.EOF {
		err = nil
	}
	if err != nil {
		return n, cli.FileError(file, err)
	}
	return n, nil
}
