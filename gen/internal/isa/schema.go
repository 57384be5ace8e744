package isa

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of the machine.
var Schema = schema.Folder{Dir: Dir, File: "isa", Title: "The instruction set of Intel GPUs", Families: []schema.Family{
	schema.Of[documented]("family", "", "Families of platforms."),
	schema.Of[layoutRow]("layout", "", "Layouts of instruction words: which groups of fields they have, and where."),
	schema.Of[platform]("platform", "", "Machines."),
	schema.Of[typeRow]("type", "", "Types of operands."),
	schema.Of[typeset]("typeset", "", "Sets of types."),
	schema.Of[named]("cmod", "", "Condition modifiers."),
	schema.Of[named]("pred", "", "Predicate controls."),
	schema.Of[named]("math", "", "Functions of math."),
	schema.Of[named]("sync", "", "Functions of sync."),
	schema.Of[named]("sfid", "", "Shared functions."),
	schema.Of[named]("arf", "", "Architecture registers."),
	schema.Of[opRow]("eu", "", "Opcodes."),
	schema.Of[fieldRow]("field", "", "Fields of an instruction word."),
	schema.Of[groupRow]("group", "", "Groups of fields."),
	schema.Of[formRow]("form", "", "Forms of instruction words."),
	schema.Of[compactRow]("compact", "", "Tables of compacted words."),
	schema.Of[copyRow]("copy", "", "Fields copied unchanged in compacted words."),
	schema.Of[immediateRow]("immediate", "", "Immediates of compacted words."),
	schema.Of[msgEnum]("msgenum", "", "Enumerations of messages."),
	schema.Of[msgField]("msgfield", "", "Fields of message descriptors."),
	schema.Of[messageRow]("message", "", "Messages."),
	schema.Of[restrictRow]("restrict", "", "Restrictions on instructions."),
	schema.Of[deviceRow]("device", "", "Devices."),
	schema.Of[regFileRow]("regfile", "", "Files of general registers."),
	schema.Of[surfaceFormatRow]("surface_format", "", "Formats of surfaces that typed messages access."),
}}
