// SPDX-License-Identifier: MIT

package isatab

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of the machine.
var Schema = schema.Folder{Dir: Dir, File: "isa", Title: "The instruction set of Intel GPUs", Families: []schema.Family{
	schema.Of[documented]("family", "", "Families of platforms."),
	schema.Of[layoutRow]("layout", "", "Layouts of instruction words: which groups of fields they have, and where."),
	schema.Of[Platform]("platform", "", "Machines."),
	schema.Of[TypeRow]("type", "", "Types of operands."),
	schema.Of[typeset]("typeset", "", "Sets of types."),
	schema.Of[Named]("cmod", "", "Condition modifiers."),
	schema.Of[Named]("pred", "", "Predicate controls."),
	schema.Of[Named]("math", "", "Functions of math."),
	schema.Of[Named]("sync", "", "Functions of sync."),
	schema.Of[Named]("sfid", "", "Shared functions."),
	schema.Of[Named]("arf", "", "Architecture registers."),
	schema.Of[OpRow]("eu", "", "Opcodes."),
	schema.Of[fieldRow]("field", "", "Fields of an instruction word."),
	schema.Of[groupRow]("group", "", "Groups of fields."),
	schema.Of[formRow]("form", "", "Forms of instruction words."),
	schema.Of[CompactRow]("compact", "", "Tables of compacted words."),
	schema.Of[copyRow]("copy", "", "Fields copied unchanged in compacted words."),
	schema.Of[ImmediateRow]("immediate", "", "Immediates of compacted words."),
	schema.Of[MsgEnum]("msgenum", "", "Enumerations of messages."),
	schema.Of[MsgField]("msgfield", "", "Fields of message descriptors."),
	schema.Of[MessageRow]("message", "", "Messages."),
	schema.Of[RestrictRow]("restrict", "", "Restrictions on instructions."),
	schema.Of[deviceRow]("device", "", "Devices."),
	schema.Of[regFileRow]("regfile", "", "Files of general registers."),
	schema.Of[surfaceFormatRow]("surface_format", "", "Formats of surfaces that typed messages access."),
}}
