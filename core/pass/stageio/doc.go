// Package stageio contains the passes on the inputs and outputs of the stages of a graphics
// pipeline: [OutputsToTemporaries] keeps outputs in private variables and writes each once,
// where the entry point returns; [LowerStageIO] turns accesses through derefs into load_input,
// load_interpolated_input and store_output, whose base is the slot of the input or output. Machines
// have less: [BuiltinInputs] makes inputs of builtins that come to fragments as such, and
// [SplitSlots] leaves only accesses to 32 bits at constant indices.
//
// Slot is the only function that numbers inputs and outputs. What runs or links a shader reads base,
// and has no map of its own. Last, [CompactSlots] renumbers them as threads of the machine have them.
// [KeepQuads] and [DiscardToDemote] keep the quads of derivatives whole where a fragment shader discards.
package stageio
