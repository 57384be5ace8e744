// SPDX-License-Identifier: MIT

// Package texture selects messages about images: sampling ([Texture]), typed loads, stores and atomics ([Texel]), and
// queries ([Query]). It translates a texture operation or an intrinsic, given the row of its message, into
// logical messages. It knows the payloads of messages, but not the contents of surfaces.
package texture
