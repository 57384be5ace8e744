// SPDX-License-Identifier: MIT

// Package thread has the state of the model: a predecoded [Program], the registers, masks and scoreboard of a [Thread],
// and the surfaces, samplers and buffers of the [Machine] that messages access. It reads operands by their regions and
// stores results, flags and accumulators; it decodes no instructions and executes none. Handlers in the packages above
// it are functions on a Thread and an [Op].
package thread
