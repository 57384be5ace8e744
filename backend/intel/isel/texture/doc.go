// Package texture selects messages about images: sampling ([Texture]), typed loads, stores and atomics ([Texel]), and
// queries ([Query]). A texture operation or an intrinsic, and the row of its message, enter; logical messages leave. It
// knows payloads of messages, not the contents of surfaces.
package texture
