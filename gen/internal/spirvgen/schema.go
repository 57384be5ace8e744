// SPDX-License-Identifier: MIT

package spirvgen

import "jacquard.example/gen/internal/schema"

// Schema describes the tables of SPIR-V.
var Schema = func() schema.Folder {
	f := schema.Folder{Dir: "spirv", File: "spirv", Title: "SPIR-V", Families: []schema.Family{
		schema.Of[opcodeRow]("opcode", schema.Camel, "Opcodes, by their names without Op."),
		schema.Of[glslRow]("glsl", "", "Instructions of GLSL.std.450."),
		schema.Of[functionRow]("function", "", "Expressions called by others."),
	}}
	for _, e := range enums {
		f.Families = append(f.Families, schema.Of[enumRow](e.family, "", "Each row is "+e.doc+"."))
	}
	return f
}()
