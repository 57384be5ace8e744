// SPDX-License-Identifier: MIT

// Package stageio contains the passes on the inputs and outputs of the stages of a graphics pipeline.
// [OutputsToTemporaries] keeps outputs in private variables and writes each of them once, where the entry point
// returns. [LowerStageIO] turns accesses through derefs into load_input, load_interpolated_input and store_output,
// whose base is the slot of the input or output. [BuiltinInputs] and [SplitSlots] lower accesses that machines lack:
// BuiltinInputs turns builtins that fixed-function hardware supplies into inputs, and SplitSlots leaves only accesses to 32 bits
// at constant indices.
//
// Only the function Slot numbers inputs and outputs. Code that runs or links a shader reads base, and needs no other map.
// Last, [CompactSlots] renumbers the slots as the machine's threads receive them. [KeepQuads] and [DiscardToDemote] keep
// quads whole for derivatives where a fragment shader discards.
package stageio
