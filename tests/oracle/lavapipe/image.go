// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"fmt"
	"unsafe"

	"jacquard.example/core/texture"
)

// A picture is an image of the device. Its texels are copied from a span before the dispatch
// and back to it afterwards.
type picture struct {
	span   int
	offset uint64
	handle handle
	aspect uint32
	copies []bufferImageCopy // one for each level and aspect
	levels uint32
	multi  bool // multisampled: its texels cannot be copied
}

// A view is the contents of a descriptor other than a plain buffer's.
type view struct{ image, sampler, texels handle }

// formats maps names of formats to the values of VkFormat. Consecutive values are given as runs: the first value, the
// prefix, the numeric formats and the suffix of the names.
var formats = func() map[string]uint32 {
	const seven = "UNORM SNORM USCALED SSCALED UINT SINT "
	out := map[string]uint32{
		"R4G4B4A4_UNORM_PACK16": 2, "B4G4R4A4_UNORM_PACK16": 3, "R5G6B5_UNORM_PACK16": 4, "B5G6R5_UNORM_PACK16": 5,
		"R5G5B5A1_UNORM_PACK16": 6, "B5G5R5A1_UNORM_PACK16": 7, "A1R5G5B5_UNORM_PACK16": 8,
		"B10G11R11_UFLOAT_PACK32": 122, "E5B9G9R9_UFLOAT_PACK32": 123, "D16_UNORM": 124, "X8_D24_UNORM_PACK32": 125, "D32_SFLOAT": 126,
		"S8_UINT": 127, "D24_UNORM_S8_UINT": 129, "D32_SFLOAT_S8_UINT": 130,
	}
	for _, run := range []struct {
		first          uint32
		comps, numeric string
		behind         string
	}{
		{9, "R8", seven + "SRGB", ""}, {16, "R8G8", seven + "SRGB", ""}, {23, "R8G8B8", seven + "SRGB", ""}, {30, "B8G8R8", seven + "SRGB", ""},
		{37, "R8G8B8A8", seven + "SRGB", ""}, {44, "B8G8R8A8", seven + "SRGB", ""}, {51, "A8B8G8R8", seven + "SRGB", "_PACK32"},
		{58, "A2R10G10B10", seven, "_PACK32"}, {64, "A2B10G10R10", seven, "_PACK32"},
		{70, "R16", seven + "SFLOAT", ""}, {77, "R16G16", seven + "SFLOAT", ""}, {84, "R16G16B16", seven + "SFLOAT", ""},
		{91, "R16G16B16A16", seven + "SFLOAT", ""}, {98, "R32", "UINT SINT SFLOAT", ""}, {101, "R32G32", "UINT SINT SFLOAT", ""},
		{104, "R32G32B32", "UINT SINT SFLOAT", ""}, {107, "R32G32B32A32", "UINT SINT SFLOAT", ""}, {110, "R64", "UINT SINT", ""},
	} {
		for i, n := range fields(run.numeric) {
			out[run.comps+"_"+n+run.behind] = run.first + uint32(i)
		}
	}
	return out
}()

func fields(s string) (out []string) {
	for start, i := 0, 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ' ' {
			if i > start {
				out = append(out, s[start:i])
			}
			start = i + 1
		}
	}
	return out
}

// check rejects an image or a texel buffer that would crash the driver.
func (b *Binding) check() error {
	switch b.Kind {
	case Storage, Uniform:
		return nil
	case Sampler, CombinedImageSampler:
		if b.Sampler == nil {
			return fmt.Errorf("there is no sampler")
		}
		if b.Kind == Sampler {
			return nil
		}
	}
	if b.Format == nil || formats[b.Format.Name] == 0 {
		return fmt.Errorf("the format is unknown")
	}
	if b.Kind == UniformTexelBuffer || b.Kind == StorageTexelBuffer {
		return nil
	}
	if b.Dims < 1 || b.Dims > 3 || b.BaseLevel >= len(b.Levels) {
		return fmt.Errorf("an image of %d dimensions with %d levels", b.Dims, len(b.Levels))
	}
	size := 0
	for _, l := range b.Levels {
		size += int(l.Width) * int(l.Height) * int(l.Depth) * b.Format.Bytes
	}
	if b.Cube && (b.Dims != 2 || b.Layers%6 != 0) {
		return fmt.Errorf("%d layers are not the faces of two-dimensional cubes", b.Layers)
	}
	if size *= int(max(b.Samples, 1) * b.layers()); size != len(b.Data) {
		return fmt.Errorf("the levels have %d bytes, the data %d", size, len(b.Data))
	}
	return nil
}

func (b *Binding) layers() uint32 { return max(b.Layers, 1) }

// viewType returns the VkImageViewType that the shader sees.
func (b *Binding) viewType() uint32 {
	switch {
	case b.Cube && b.Arrayed:
		return 6
	case b.Cube:
		return 3
	case b.Arrayed:
		return 3 + uint32(b.Dims)
	}
	return uint32(b.Dims - 1)
}

// images creates images, views and samplers. Bindings that share memory share an image.
func (r *run) images() error {
	r.views = make([]view, len(r.c.Bindings))
	of := map[place]int{}
	for i := range r.c.Bindings {
		b := &r.c.Bindings[i]
		v := &r.views[i]
		if b.Sampler != nil {
			if err := r.newSampler(b, &v.sampler); err != nil {
				return err
			}
		}
		switch b.Kind {
		case Storage, Uniform, Sampler:
			continue
		case UniformTexelBuffer, StorageTexelBuffer:
			p := r.place[i]
			err := check("vkCreateBufferView", r.createBufferView(r.handle, &bufferViewCreateInfo{
				sType: typeBufferViewCreateInfo, buffer: r.spans[p.span].buffer, format: formats[b.Format.Name],
				offset: p.offset, range_: uint64(len(b.Data)),
			}, nil, &v.texels))
			if err != nil {
				return err
			}
			r.later(r.destroyBufferView, v.texels)
			continue
		}
		k, known := of[r.place[i]]
		if !known {
			k = len(r.pictures)
			of[r.place[i]] = k
			if err := r.newPicture(i); err != nil {
				return err
			}
		}
		pic := &r.pictures[k]
		err := check("vkCreateImageView", r.createImageView(r.handle, &imageViewCreateInfo{
			sType: typeImageViewCreateInfo, image: pic.handle, viewType: b.viewType(), format: formats[b.Format.Name],
			resources: subresourceRange{pic.aspect, uint32(b.BaseLevel), uint32(len(b.Levels) - b.BaseLevel), 0, b.layers()},
		}, nil, &v.image))
		if err != nil {
			return err
		}
		r.later(r.destroyImageView, v.image)
	}
	return nil
}

// newPicture creates the image of binding i.
func (r *run) newPicture(i int) error {
	b := &r.c.Bindings[i]
	p := picture{span: r.place[i].span, offset: r.place[i].offset, aspect: aspectColor}
	if b.Format.Depth() {
		p.aspect = aspectDepth
	}
	usage := uint32(usageTransferSrc | usageTransferDst)
	for k := range r.c.Bindings {
		if r.place[k] != r.place[i] {
			continue
		}
		switch r.c.Bindings[k].Kind {
		case StorageImage:
			usage |= usageStorageImage
		case SampledImage, CombinedImageSampler:
			usage |= usageSampledImage
		case InputAttachment:
			usage |= usageInputAttachment
		}
	}
	at := p.offset
	for n, l := range b.Levels {
		p.copies = append(p.copies, bufferImageCopy{bufferOffset: at, aspect: p.aspect, level: uint32(n), layers: b.layers(),
			extent: extent3D{l.Width, l.Height, l.Depth}})
		at += uint64(l.Width) * uint64(l.Height) * uint64(l.Depth) * uint64(b.layers()) * uint64(b.Format.Bytes)
	}
	flags := uint32(0)
	if b.Cube {
		flags = imageCubeCompatible
	}
	p.multi, p.levels = b.Samples > 1, uint32(len(b.Levels))
	var err error
	p.handle, err = r.newImage(&imageCreateInfo{
		sType: typeImageCreateInfo, flags: flags, imageType: uint32(b.Dims - 1), format: formats[b.Format.Name],
		extent: p.copies[0].extent, mipLevels: uint32(len(b.Levels)), arrayLayers: b.layers(), samples: max(b.Samples, 1), usage: usage,
	})
	if err != nil {
		return err
	}
	r.pictures = append(r.pictures, p)
	return nil
}

// newImage creates an image with memory.
func (r *run) newImage(info *imageCreateInfo) (handle, error) {
	var image handle
	if err := check("vkCreateImage", r.createImage(r.handle, info, nil, &image)); err != nil {
		return 0, err
	}
	r.later(r.destroyImage, image)
	var need memoryRequirements
	r.getImageRequirements(r.handle, image, &need)
	var memory handle
	err := check("vkAllocateMemory", r.allocateMemory(r.handle, &memoryAllocateInfo{
		sType: typeMemoryAllocateInfo, allocationSize: need.size, memoryTypeIndex: r.memoryType,
	}, nil, &memory))
	if err != nil {
		return 0, err
	}
	r.later(r.freeMemory, memory)
	return image, check("vkBindImageMemory", r.bindImageMemory(r.handle, image, memory, 0))
}

// borders maps border colors to the values of VkBorderColor for floats and for integers.
var borders = [...][2]uint32{texture.TransparentBlack: {0, 1}, texture.OpaqueBlack: {2, 3}, texture.OpaqueWhite: {4, 5}}

func (r *run) newSampler(b *Binding, out *handle) error {
	s := b.Sampler
	number := func(c bool) uint32 {
		if c {
			return 1
		}
		return 0
	}
	info := &samplerCreateInfo{
		sType: typeSamplerCreateInfo, magFilter: uint32(s.Mag), minFilter: uint32(s.Min), mipmapMode: uint32(s.Mip),
		mipLodBias: s.Bias, compareEnable: number(b.Compare), compareOp: uint32(s.CompareOp), minLod: s.MinLOD, maxLod: s.MaxLOD,
		borderColor: borders[s.Border][number(b.IntBorder)], unnormalizedCoordinates: number(s.Unnormalized),
	}
	for i, a := range s.Address {
		info.address[i] = uint32(a)
	}
	if err := check("vkCreateSampler", r.createSampler(r.handle, info, nil, out)); err != nil {
		return err
	}
	r.later(r.destroySampler, *out)
	return nil
}

// upload records the copies into the images.
func (r *run) upload(cmd handle) {
	for i := range r.pictures {
		p := &r.pictures[i]
		r.cmdPipelineBarrier(cmd, stageAllCommands, stageAllCommands, 0, 0, nil, 0, nil, 1, &imageMemoryBarrier{
			sType: typeImageMemoryBarrier, dstAccess: accessAll, oldLayout: layoutUndefined, newLayout: layoutGeneral,
			image: p.handle, resources: subresourceRange{p.aspect, 0, p.levels, 0, p.copies[0].layers},
		})
		if p.multi {
			continue
		}
		r.cmdCopyBufferToImage(cmd, r.spans[p.span].buffer, p.handle, layoutGeneral, uint32(len(p.copies)), unsafe.SliceData(p.copies))
	}
	if len(r.pictures) > 0 {
		r.barrier(cmd)
	}
}

// download records the copies back.
func (r *run) download(cmd handle) {
	if len(r.pictures) == 0 {
		return
	}
	r.barrier(cmd)
	for i := range r.pictures {
		p := &r.pictures[i]
		if p.multi {
			continue
		}
		r.cmdCopyImageToBuffer(cmd, p.handle, layoutGeneral, r.spans[p.span].buffer, uint32(len(p.copies)), unsafe.SliceData(p.copies))
	}
}

// barrier completes everything before it, and makes it visible to later commands.
func (r *run) barrier(cmd handle) {
	r.cmdPipelineBarrier(cmd, stageAllCommands, stageAllCommands, 0, 1, &memoryBarrier{
		sType: typeMemoryBarrier, srcAccess: accessAll, dstAccess: accessAll,
	}, 0, nil, 0, nil)
}
