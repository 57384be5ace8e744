// SPDX-License-Identifier: MIT

package foz

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"
)

// Tag is the kind of an entry.
type Tag uint8

// The tags of entries.
const (
	ApplicationInfo Tag = iota
	Sampler
	DescriptorSetLayout
	PipelineLayout
	ShaderModule
	RenderPass
	GraphicsPipeline
	ComputePipeline
	ApplicationBlobLink
	RaytracingPipeline
	BucketInfo
	numTags
)

var tagNames = [numTags]string{
	"application info", "sampler", "descriptor set layout", "pipeline layout", "shader module", "render pass", "graphics pipeline",
	"compute pipeline", "application link", "ray tracing pipeline", "bucket info",
}

func (t Tag) String() string { return tagNames[t] }

// Tags returns all tags.
func Tags() (list []Tag) {
	for t := range numTags {
		list = append(list, t)
	}
	return list
}

// Sizes of the parts of an archive.
const (
	fileHeader  = 16
	nameDigits  = 40 // of the tag, then of the hash
	hashDigits  = 16
	entryHeader = nameDigits + 4*4
)

// magic begins an archive; three unused bytes and the version follow.
const magic = "\x81FOSSILIZEDB"

// The versions that are read.
const (
	minVersion = 5
	maxVersion = 6
)

// The flags of an entry: how its payload is stored.
const (
	plain    = 1
	deflated = 2
)

// Entry is an entry of the index.
type Entry struct {
	Hash   uint64
	Offset int64  // of its header in the archive
	Stored uint32 // bytes of the payload in the archive
	Size   uint32 // bytes of the payload after decompression
	crc    uint32 // of the stored payload; 0 if there is none
	number uint32 // its place in the archive, from 1
	flags  uint32
	Tag    Tag
}

// Archive is the index of an archive.
type Archive struct {
	Version int
	Cut     *Entry // the last entry, if the archive ends before its payload does: it is not part of the index
	src     io.ReaderAt
	entries []*Entry // by tag and hash
}

// Error is an error in an archive.
type Error struct {
	Entry  int   // the number of the entry, from 1; 0 is the header of the archive
	Offset int64 // of the entry, in bytes
	Msg    string
}

func (e *Error) Error() string {
	if e.Entry == 0 {
		return e.Msg
	}
	return fmt.Sprintf("entry %d at byte %d: %s", e.Entry, e.Offset, e.Msg)
}

// Is reports whether data begins like an archive.
func Is(data []byte) bool { return len(data) >= len(magic) && string(data[:len(magic)]) == magic }

// Open reads the index of an archive of size bytes.
func Open(src io.ReaderAt, size int64) (*Archive, error) {
	var head [fileHeader]byte
	if size < fileHeader {
		return nil, &Error{Msg: fmt.Sprintf("not a Fossilize archive: it has %d bytes", size)}
	}
	if n, err := src.ReadAt(head[:], 0); n < len(head) {
		return nil, err
	}
	version := int(head[fileHeader-1])
	switch {
	case !Is(head[:]):
		return nil, &Error{Msg: "not a Fossilize archive: its first bytes are not \\x81FOSSILIZEDB"}
	case head[12] != 0 || head[13] != 0 || head[14] != 0:
		return nil, &Error{Msg: "the unused bytes of the archive's header are not zero"}
	case version < minVersion || version > maxVersion:
		return nil, &Error{Msg: fmt.Sprintf("version %d of the format is unknown; known are %d and %d", version, minVersion, maxVersion)}
	}
	a := &Archive{Version: version, src: src}
	if err := a.index(size); err != nil {
		return nil, err
	}
	slices.SortFunc(a.entries, func(x, y *Entry) int { return cmp.Or(compareEntries(x, y), cmp.Compare(x.number, y.number)) })
	kept := a.entries[:0]
	for i, e := range a.entries {
		if i == 0 || compareEntries(kept[len(kept)-1], e) != 0 { // the first of equal ones
			kept = append(kept, e)
		}
	}
	a.entries = kept
	return a, nil
}

// index reads the headers of all entries.
func (a *Archive) index(size int64) error {
	var head [entryHeader]byte
	number := 0
	for at := int64(fileHeader); at < size; {
		if number++; number > MaxEntries {
			return &Error{number, at, fmt.Sprintf("the archive has more than %d entries", MaxEntries)}
		}
		e := &Entry{Offset: at, number: uint32(number)}
		if size-at < entryHeader { // the program that wrote it was stopped
			a.Cut = e
			return nil
		}
		if n, err := a.src.ReadAt(head[:], at); n < len(head) {
			return err
		}
		tag, ok1 := parseHex(head[:nameDigits-hashDigits])
		hash, ok2 := parseHex(head[nameDigits-hashDigits : nameDigits])
		if !ok1 || !ok2 {
			return e.errorf("its name %.*q is not hexadecimal", nameDigits, head[:nameDigits])
		}
		e.Hash, e.Tag = hash, Tag(min(tag, uint64(numTags)))
		e.Stored = binary.LittleEndian.Uint32(head[nameDigits:])
		e.flags = binary.LittleEndian.Uint32(head[nameDigits+4:])
		e.crc = binary.LittleEndian.Uint32(head[nameDigits+8:])
		e.Size = binary.LittleEndian.Uint32(head[nameDigits+12:])
		at += entryHeader + int64(e.Stored)
		if at > size {
			a.Cut = e
			return nil
		}
		if e.Tag < numTags {
			a.entries = append(a.entries, e)
		}
	}
	return nil
}

// Entries returns the entries with a tag, in the order of their hashes.
func (a *Archive) Entries(tag Tag) []*Entry { return a.entries[a.search(tag, 0):a.search(tag+1, 0)] }

// find returns the entry with a tag and a hash.
func (a *Archive) find(tag Tag, hash uint64) (*Entry, error) {
	i := a.search(tag, hash)
	if i == len(a.entries) || a.entries[i].Tag != tag || a.entries[i].Hash != hash {
		return nil, &Error{Msg: fmt.Sprintf("the archive has no %s %016x", tag, hash)}
	}
	return a.entries[i], nil
}

// search returns the place of the first entry whose tag and hash are not lower.
func (a *Archive) search(tag Tag, hash uint64) int {
	want := &Entry{Tag: tag, Hash: hash}
	return sort.Search(len(a.entries), func(i int) bool { return compareEntries(a.entries[i], want) >= 0 })
}

func compareEntries(x, y *Entry) int {
	return cmp.Or(cmp.Compare(x.Tag, y.Tag), cmp.Compare(x.Hash, y.Hash))
}

// errorf returns an error about an entry.
func (e *Entry) errorf(format string, args ...any) error {
	return &Error{int(e.number), e.Offset, fmt.Sprintf(format, args...)}
}

// Where describes the place of an entry in its archive.
func (e *Entry) Where() string { return fmt.Sprintf("entry %d at byte %d", e.number, e.Offset) }

// parseHex returns the number that hexadecimal digits denote. Numbers of more than 64 bits are the largest of these.
func parseHex[T string | []byte](digits T) (n uint64, ok bool) {
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		if n >= 1<<60 {
			return ^uint64(0), true
		}
		n = n<<4 | uint64(c)
	}
	return n, len(digits) > 0
}
