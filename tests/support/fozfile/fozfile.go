// SPDX-License-Identifier: MIT

// Package fozfile writes Fossilize archives for tests ([File]), with shader modules and pipelines whose JSON it composes
// ([ModulePayload], [ComputePayload], [GraphicsPayload]). It shares no code with the reader, core/foz, and follows the format's
// documentation: the comment in fossilize_db.cpp, and README.md, of https://github.com/ValveSoftware/Fossilize.
package fozfile

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// Tags of entries.
const (
	AppInfo          = 0
	SetLayout        = 2
	PipelineLayout   = 3
	Module           = 4
	RenderPass       = 5
	GraphicsPipeline = 6
	ComputePipeline  = 7
)

// Header returns the header of an archive.
func Header(version byte) []byte { return append([]byte("\x81FOSSILIZEDB\x00\x00\x00"), version) }

// Entry is an entry of an archive.
type Entry struct {
	Tag     int
	Hash    uint64
	Payload []byte
	Deflate bool // store the payload compressed
	Sum     bool // store a checksum
}

// Append adds an entry to an archive.
func (e *Entry) Append(file []byte) []byte {
	stored, flags, sum := e.Payload, uint32(1), uint32(0)
	if e.Deflate {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write(e.Payload)
		z.Close()
		stored, flags = b.Bytes(), 2
	}
	if e.Sum {
		sum = crc32.ChecksumIEEE(stored)
	}
	file = fmt.Appendf(file, "%024x%016x", e.Tag, e.Hash)
	for _, n := range []uint32{uint32(len(stored)), flags, sum, uint32(len(e.Payload))} {
		file = binary.LittleEndian.AppendUint32(file, n)
	}
	return append(file, stored...)
}

// File returns an archive with the entries.
func File(entries []Entry) []byte {
	file := Header(6)
	for i := range entries {
		file = entries[i].Append(file)
	}
	return file
}

// Hash spells a hash as payloads do.
func Hash(h uint64) string { return fmt.Sprintf("%016x", h) }

// document returns the JSON of a payload: one object in a member of the document.
func document(member string, hash uint64, object string) []byte {
	return fmt.Appendf(nil, `{"version":6,%q:{%q:%s}}`, member, Hash(hash), object)
}

// ModulePayload returns the payload of a shader module, with the words after the JSON: seven bits in each byte.
func ModulePayload(hash uint64, code []byte) []byte {
	var packed []byte
	for at := 0; at+4 <= len(code); at += 4 {
		packed = binary.AppendUvarint(packed, uint64(binary.LittleEndian.Uint32(code[at:])))
	}
	text := document("shaderModules", hash, fmt.Sprintf(`{"varintOffset":0,"varintSize":%d,"codeSize":%d,"flags":0}`, len(packed), len(code)))
	return append(append(text, 0), packed...)
}

// ModuleText returns the payload of a shader module with the code in the JSON, as in archives without a database.
func ModuleText(hash uint64, code []byte) []byte {
	return document("shaderModules", hash,
		fmt.Sprintf(`{"flags":0,"codeSize":%d,"code":%q}`, len(code), base64.StdEncoding.EncodeToString(code)))
}

// Stage is a stage of a pipeline.
type Stage struct {
	Bit      uint32 // VkShaderStageFlagBits
	Module   uint64
	Entry    string
	Spec     []Spec
	Subgroup uint32
}

// Spec is the value of a specialization constant.
type Spec struct {
	ID, Size uint32
	Bits     uint64
}

// JSON returns a stage as JSON.
func (s *Stage) JSON() string {
	name, _ := json.Marshal(s.Entry)
	text := fmt.Sprintf(`{"flags":0,"name":%s,"module":%q,"stage":%d`, name, Hash(s.Module), s.Bit)
	if s.Spec != nil {
		var data []byte
		entries := ""
		for i, c := range s.Spec {
			if i > 0 {
				entries += ","
			}
			entries += fmt.Sprintf(`{"offset":%d,"size":%d,"constantID":%d}`, len(data), c.Size, c.ID)
			data = append(data, binary.LittleEndian.AppendUint64(nil, c.Bits)[:c.Size]...)
		}
		text += fmt.Sprintf(`,"specializationInfo":{"dataSize":%d,"data":%q,"mapEntries":[%s]}`,
			len(data), base64.StdEncoding.EncodeToString(data), entries)
	}
	if s.Subgroup != 0 {
		text += fmt.Sprintf(`,"pNext":[{"sType":1000225001,"requiredSubgroupSize":%d}]`, s.Subgroup)
	}
	return text + "}"
}

// ComputePayload returns the payload of a compute pipeline.
func ComputePayload(hash, layout uint64, s Stage) []byte {
	return document("computePipelines", hash, fmt.Sprintf(
		`{"flags":0,"layout":%q,"basePipelineHandle":"%016x","basePipelineIndex":-1,"stage":%s}`, Hash(layout), 0, s.JSON()))
}

// GraphicsPayload returns the payload of a graphics pipeline.
func GraphicsPayload(hash, layout, pass uint64, stages ...Stage) []byte {
	list := ""
	for i := range stages {
		if i > 0 {
			list += ","
		}
		list += stages[i].JSON()
	}
	return document("graphicsPipelines", hash, fmt.Sprintf(
		`{"flags":0,"basePipelineHandle":"%016x","basePipelineIndex":-1,"layout":%q,"renderPass":%q,"subpass":0,`+
			`"inputAssemblyState":{"flags":0,"topology":3,"primitiveRestartEnable":0},"stages":[%s]}`, 0, Hash(layout), Hash(pass), list))
}

// LayoutPayload returns the payload of a pipeline layout. push is a JSON array.
func LayoutPayload(hash uint64, push string, sets ...uint64) []byte {
	list := ""
	for i, s := range sets {
		if i > 0 {
			list += ","
		}
		list += fmt.Sprintf("%q", Hash(s))
	}
	return document("pipelineLayouts", hash, fmt.Sprintf(`{"flags":0,"pushConstantRanges":%s,"setLayouts":[%s]}`, push, list))
}

// SetLayoutPayload returns the payload of a descriptor set layout. bindings is a JSON array.
func SetLayoutPayload(hash uint64, bindings string) []byte {
	return document("setLayouts", hash, fmt.Sprintf(`{"flags":0,"bindings":%s}`, bindings))
}
