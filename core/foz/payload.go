// SPDX-License-Identifier: MIT

package foz

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

// deflateRatio is the largest ratio of sizes that deflate reaches: a match of 258 bytes takes at least two bits.
const deflateRatio = 258 * 8 / 2

// payload returns the decompressed payload of an entry.
func (a *Archive) payload(e *Entry) ([]byte, error) {
	switch {
	case e.flags != plain && e.flags != deflated:
		return nil, e.errorf("its flags %#x are neither 1, not compressed, nor 2, deflate", e.flags)
	case e.Size > MaxPayload:
		return nil, e.errorf("its size of %d bytes exceeds the limit of %d", e.Size, MaxPayload)
	case e.flags == plain && e.Stored != e.Size:
		return nil, e.errorf("it is not compressed, but has a stored size of %d bytes and a size of %d", e.Stored, e.Size)
	case e.Stored > e.Size+e.Size/8+1<<10:
		return nil, e.errorf("its stored size of %d bytes is too large for a size of %d", e.Stored, e.Size)
	case uint64(e.Size) > deflateRatio*uint64(e.Stored):
		return nil, e.errorf("its stored size of %d bytes is too small for a size of %d", e.Stored, e.Size)
	}
	stored := make([]byte, e.Stored)
	if n, err := a.src.ReadAt(stored, e.Offset+entryHeader); n < len(stored) {
		return nil, e.errorf("%v", err)
	}
	if sum := crc32.ChecksumIEEE(stored); e.crc != 0 && e.crc != sum {
		return nil, e.errorf("its checksum is %08x, not %08x as in its header", sum, e.crc)
	}
	if e.flags == plain {
		return stored, nil
	}
	return e.inflate(stored)
}

// readers keeps decompressors, which are large.
var readers sync.Pool

// inflate decompresses a payload, which has the format of zlib (RFC 1950).
func (e *Entry) inflate(stored []byte) ([]byte, error) {
	src := bytes.NewReader(stored)
	r, ok := readers.Get().(io.ReadCloser)
	var err error
	if ok {
		err = r.(zlib.Resetter).Reset(src, nil)
	} else {
		r, err = zlib.NewReader(src)
	}
	if err != nil {
		return nil, e.errorf("it cannot be decompressed: %v", err)
	}
	defer readers.Put(r)
	data := make([]byte, e.Size)
	n, err := io.ReadFull(r, data)
	var more [1]byte
	extra, end := 0, err
	if err == nil || err == io.ErrUnexpectedEOF { // the next read tells which end it was, and compares the checksum of zlib
		extra, end = io.ReadFull(r, more[:])
	}
	switch {
	case extra > 0:
		return nil, e.errorf("it decompresses to more than %d bytes", e.Size)
	case end != io.EOF:
		return nil, e.errorf("it cannot be decompressed: %v", end)
	case n < len(data):
		return nil, e.errorf("it decompresses to %d bytes, not %d as in its header", n, e.Size)
	}
	return data, nil
}

// members are the names of the members of a document that have objects of a kind. Such a member has an object for each
// resource by its hash, usually for one.
var members = [numTags]string{
	DescriptorSetLayout: "setLayouts", PipelineLayout: "pipelineLayouts", ShaderModule: "shaderModules",
	GraphicsPipeline: "graphicsPipelines", ComputePipeline: "computePipelines", RaytracingPipeline: "raytracingPipelines",
}

// decode decodes the object of an entry, which is in JSON, and returns the bytes that follow the JSON. It ends at the
// first byte that is 0, or at the end of the payload.
func (a *Archive) decode(e *Entry, object any) (tail []byte, err error) {
	data, err := a.payload(e)
	if err != nil {
		return nil, err
	}
	text, tail, _ := bytes.Cut(data, []byte{0})
	if len(text) > MaxJSON {
		return nil, e.errorf("its JSON has %d bytes; the limit is %d", len(text), MaxJSON)
	}
	var version int
	var document, objects map[string]json.RawMessage
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, e.errorf("its JSON is invalid: %s", reason(err))
	}
	if err := json.Unmarshal(document["version"], &version); err != nil || version < minVersion || version > maxVersion {
		return nil, e.errorf("its JSON has version %.20q; known are %d and %d", document["version"], minVersion, maxVersion)
	}
	if part := document[members[e.Tag]]; part != nil {
		if err := json.Unmarshal(part, &objects); err != nil {
			return nil, e.errorf("its JSON is invalid: %s: %s", members[e.Tag], reason(err))
		}
	}
	if text := objects[fmt.Sprintf("%016x", e.Hash)]; text != nil {
		if err := json.Unmarshal(text, object); err != nil {
			return nil, e.errorf("its JSON is invalid: %s", reason(err))
		}
		return tail, nil
	}
	return nil, e.errorf("its JSON has no %s %016x", e.Tag, e.Hash)
}

// reason returns the text of an error of package json, without the names of types of this package.
func reason(err error) string {
	var t *json.UnmarshalTypeError
	switch {
	case errors.As(err, &t) && t.Field == "":
		return "it is a " + t.Value
	case errors.As(err, &t):
		return t.Field + " is a " + t.Value
	}
	return err.Error()
}

// moduleJSON is a shader module: its code is in base64, or follows the JSON as variable-length words.
type moduleJSON struct {
	CodeSize     uint64
	Code         *string
	VarintOffset *uint64
	VarintSize   *uint64
}

// Module returns the bytes of a shader module.
func (a *Archive) Module(hash uint64) ([]byte, error) {
	e, err := a.find(ShaderModule, hash)
	if err != nil {
		return nil, err
	}
	var m moduleJSON
	tail, err := a.decode(e, &m)
	switch {
	case err != nil:
		return nil, err
	case m.CodeSize > MaxModule:
		return nil, e.errorf("the shader module has %d bytes; the limit is %d", m.CodeSize, MaxModule)
	case m.VarintOffset != nil && m.VarintSize != nil:
		if n := uint64(len(tail)); *m.VarintOffset > n || *m.VarintSize > n-*m.VarintOffset {
			return nil, e.errorf("the words of the shader module end beyond the %d bytes that follow the JSON", n)
		}
		return e.words(tail[*m.VarintOffset:][:*m.VarintSize], m.CodeSize)
	case m.Code == nil:
		return nil, e.errorf("the shader module has no code")
	}
	code, err := base64.StdEncoding.DecodeString(*m.Code)
	if err != nil {
		return nil, e.errorf("the code of the shader module is invalid: %v", err)
	}
	if uint64(len(code)) != m.CodeSize {
		return nil, e.errorf("the shader module has %d bytes, not %d as in its JSON", len(code), m.CodeSize)
	}
	return code, nil
}

// words decodes the words of a module of size bytes: seven bits of a word in each byte, the lowest first; the top bit
// says that more follow.
func (e *Entry) words(data []byte, size uint64) ([]byte, error) {
	if size%4 != 0 || size/4 > uint64(len(data)) {
		return nil, e.errorf("%d bytes cannot be the words of a shader module of %d", len(data), size)
	}
	code := make([]byte, 0, size)
	for uint64(len(code)) < size {
		var word uint64
		shift := 0
		for more := true; more; shift += 7 {
			if len(data) == 0 {
				return nil, e.errorf("word %d of the shader module is cut off", len(code)/4)
			}
			word |= uint64(data[0]&0x7f) << shift
			more = data[0]&0x80 != 0
			data = data[1:]
			if more && shift == 28 || word > 0xffffffff {
				return nil, e.errorf("word %d of the shader module has more than 32 bits", len(code)/4)
			}
		}
		code = binary.LittleEndian.AppendUint32(code, uint32(word))
	}
	if len(data) > 0 {
		return nil, e.errorf("%d bytes follow the words of the shader module", len(data))
	}
	return code, nil
}
