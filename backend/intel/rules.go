package intel

import (
	"jacquard.example/core/match"
	"jacquard.example/generated/rules/option"
)

// Rules are the rewrite options of Gen12.1: what the machine has no
// instruction for, and what it fuses. It divides integers (math.iqot, irem) and
// rotates doublewords; the remainder with the divisor's sign is not among them.
var Rules = match.NewOptions(
	option.LowerFsub, option.LowerIsub, option.LowerFdiv, option.LowerFmod, option.LowerFpow, option.LowerFlrp,
	option.LowerFsign, option.LowerIsign, option.LowerImod, option.LowerLdexp, option.LowerBitfield,
	option.LowerIfindMSB, option.LowerUfindMSB, option.LowerBitsSmall, option.LowerExtract, option.LowerPack,
	option.LowerPack324x8Split, option.LowerPackHalfSplit, option.LowerFquantize, option.LowerFdot,
	option.LowerVectorCompare, option.LowerHadd, option.LowerSat, option.LowerCarry, option.LowerUabs,
	option.LowerMul24, option.LowerMul2x3264, option.LowerIadd3, option.LowerBitfieldSelect,
	option.LowerDot2x16, option.LowerInt64, option.LowerInt8, option.LowerDiv16, option.LowerFloatClass,
	option.HasRotate, option.FuseFfma16, option.FuseFfma32,
)
