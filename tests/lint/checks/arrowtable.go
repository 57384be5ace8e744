// SPDX-License-Identifier: MIT

package checks

// tables are the generated packages that contain only the data of the tables.
const tables = "generated/op generated/atomic generated/reduction generated/intrinsic generated/kind generated/spirvtab generated/isa"

// arrows lists the project's packages that a package may import. A row applies to the package and its subpackages; the
// longest match counts. "jacquard" is the module's root.
var arrows = map[string]string{
	"core/near":       "",
	"core/num":        "",
	"core/bits":       "",
	"core/reuse":      "",
	"core/sha256":     "",
	"core/graph":      "core/bits core/reuse",
	"core/work":       "",
	"core/trips":      "",
	"core/match/prog": "",
	"gen":             "gen core/near core/num core/bits core/match/prog",

	"generated/op":           "",
	"generated/tables":       "",
	"generated/intrinsic":    "",
	"generated/kind":         "",
	"generated/frontend":     "",
	"generated/spirvtab":     "",
	"generated/isa":          "backend/intel/fields",
	"generated/abi":          "",
	"generated/latency":      "generated/isa",
	"generated/atomic":       "generated/intrinsic generated/kind",
	"generated/reduction":    "generated/op generated/kind",
	"generated/intel/scan":   "generated/isa generated/kind",
	"generated/message":      "generated/isa generated/abi generated/kind",
	"generated/rules/option": "",
	"generated/gpu":          "",
	"generated/target":       "generated/isa generated/abi generated/kind generated/latency generated/message generated/rules/option",
	"generated/legal":        "generated/target generated/op generated/intrinsic generated/kind",
	"generated/fold":         "generated/op generated/kind core/num",

	"core/ir":         "core/trips core/work core/reuse generated/op generated/intrinsic generated/kind core/bits",
	"generated/build": "core/ir " + tables,

	"core/analysis": "core/trips core/work core/ir core/bits core/reuse core/graph core/num generated/fold " + tables,
	"core/text":     "core/text/lex core/trips core/work core/ir core/bits core/num generated/fold generated/build " + tables,
	"core/text/lex": "core/work",
	"core/wire":     "core/trips core/work core/ir core/bits core/num generated/fold generated/build " + tables,
	"core/interp":   "core/work core/ir core/bits core/num core/texture core/analysis generated/fold generated/build " + tables,

	"core/texture": "core/num generated/kind",
	"core/draw":    "core/texture generated/kind",

	"core/validate":        "core/work core/ir core/bits core/num core/analysis core/text generated/fold " + tables,
	"core/match":           "core/match core/work core/ir core/bits core/reuse core/num core/analysis generated/fold generated/build generated/rules/option " + tables,
	"generated/rules":      "generated/rules core/match core/ir core/num core/bits core/reuse core/analysis generated/fold generated/build " + tables,
	"core/pass":            "core/trips core/work core/ir core/bits core/reuse core/graph core/num core/analysis core/match core/text core/interp core/pass core/texture core/validate generated/fold generated/build generated/rules generated/target generated/legal " + tables,
	"core/foz":             "",
	"core/outline":         "core/ir core/spirv " + tables,
	"core/spirv":           "core/spirv core/work core/ir generated/kind",
	"core/spirv/structure": "core/graph",
	"core/spirv/module":    "core/work core/ir core/num generated/fold " + tables,
	"core/spirv/plan":      "core/spirv/structure core/spirv/module generated/kind generated/spirvtab",
	"core/spirv/value":     "core/spirv/module core/spirv/plan core/ir " + tables,
	"core/spirv/image":     "core/spirv/module core/spirv/value core/ir " + tables,
	"core/spirv/emit":      "core/spirv/module core/spirv/plan core/spirv/value core/spirv/image core/ir " + tables,

	"backend/run/runner":   "core/draw core/num core/texture core/work generated/kind",
	"backend/run/amber":    "backend/run/runner core/draw core/num core/texture core/work generated/kind",
	"backend/run/frontend": "generated/frontend generated/spirvtab",
	"backend/run/tools":    "backend/run/runner backend/run/amber backend/run/frontend",
	"backend/run/engine":   "jacquard backend core generated",

	"backend/intel/mir":           "core/trips core/work core/graph generated/isa generated/message backend/intel/fields core/bits",
	"backend/intel/mir/validate":  "backend/intel/mir backend/intel/fields core/bits core/graph core/trips generated/isa generated/message",
	"backend/intel/mirtext":       "core/text/lex core/work backend/intel/mir backend/intel/fields generated/isa generated/message generated/target",
	"backend/intel/allocheck":     "core/bits core/work backend/intel/mir generated/isa generated/message",
	"backend/intel/ra":            "core/bits core/reuse core/graph backend/intel/mir backend/intel/bytemask",
	"backend/intel/eu":            "backend/intel/eu backend/intel/fields backend/intel/isatext core/texture generated/isa generated/abi generated/kind generated/latency generated/target",
	"backend/intel/eu/thread":     "backend/intel/fields backend/intel/isatext core/texture generated/isa generated/abi generated/kind generated/latency generated/target",
	"backend/intel/eu/clock":      "backend/intel/eu/thread backend/intel/fields generated/isa generated/latency generated/target",
	"backend/intel/eu/control":    "backend/intel/eu/thread backend/intel/eu/clock generated/isa generated/target",
	"backend/intel/eu/alu":        "backend/intel/eu/thread backend/intel/eu/clock generated/isa generated/target",
	"backend/intel/eu/message":    "backend/intel/eu/thread backend/intel/eu/clock core/texture generated/isa generated/kind generated/target",
	"backend/intel/eu/sampler":    "backend/intel/eu/thread backend/intel/eu/clock backend/intel/eu/message core/texture generated/kind generated/target",
	"backend/intel/eu/graphics":   "backend/intel/eu core/interp core/texture generated/abi generated/intrinsic generated/kind",
	"backend/intel/eu/opencl":     "backend/intel/eu backend/intel/zebin core/texture generated/abi generated/kind generated/target",
	"backend/intel/isel":          "backend/intel/isel backend/intel/mir backend/intel/selector core/ir core/reuse generated/intel/select generated/message generated/target " + tables,
	"backend/intel/isel/value":    "backend/intel/mir backend/intel/selector core/analysis core/ir generated/abi generated/intel/select generated/target " + tables,
	"backend/intel/isel/subgroup": "backend/intel/isel/value backend/intel/mir core/ir generated/intel " + tables,
	"backend/intel/isel/stage":    "backend/intel/isel/value backend/intel/isel/subgroup backend/intel/mir core/analysis core/ir generated/abi generated/intel/select generated/message generated/target " + tables,
	"backend/intel/isel/memory":   "backend/intel/isel/value backend/intel/isel/stage backend/intel/mir backend/intel/selector core/ir generated/abi generated/message " + tables,
	"backend/intel/isel/vec4":     "backend/intel/fields backend/intel/isel/value backend/intel/isel/texture backend/intel/isel/stage backend/intel/isel/memory backend/intel/mir backend/intel/selector core/analysis core/ir core/num core/reuse generated/abi generated/intel/select generated/message generated/target " + tables,
	"backend/intel/isel/texture":  "backend/intel/isel/value backend/intel/isel/stage backend/intel/isel/memory backend/intel/mir backend/intel/selector core/ir generated/message generated/target " + tables,
	"backend/intel/hazards":       "core/work backend/intel/fields backend/intel/isatext generated/isa",
	"backend/intel/legal":         "generated/isa core/bits",
	"backend/intel/zebin":         "",
	"backend/intel/zebin/kernel":  "backend/intel/fields backend/intel/zebin backend/launch generated/abi generated/isa generated/target",
	"backend/launch":              "",
	"backend/intel/fields":        "",
	"backend/intel/selector":      "core/ir core/match/pat backend/intel/mir generated/target generated/abi generated/message " + tables,
	"backend/intel/isatext":       "backend/intel/fields generated/isa",
	"backend":                     "backend core generated",
	"generated/intel/select":      "core/ir core/match core/analysis core/bits core/num backend/intel/mir backend/intel/selector generated/fold generated/target generated/abi generated/message " + tables,

	"jacquard":     "core backend generated",
	"cmd/jacquard": "jacquard cmd/jacquard core backend generated",
	"tools":        "",
	"tests":        "jacquard core backend generated tests gen cmd",
}

// thirdParty are the parts of the project that may import third-party modules.
// The product is not among them.
var thirdParty = []string{"gen", "tests", "tools"}
