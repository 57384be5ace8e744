// SPDX-License-Identifier: MIT

// Package message executes the messages of sends to memory and fixed functions: untyped, typed and block accesses,
// atomics, fences, the URB, render targets, barriers and the interpolator. A Decode function for each shared function
// turns a descriptor into a [thread.Message]; [PredecodeSend] checks the registers of a send. A new message is a case of
// a decoder and a function that runs it; its fields are in thread.Message, its latency in package clock. Sampler
// messages are in package sampler.
package message
