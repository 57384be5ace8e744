// Package memory holds the passes that bring accesses through derefs to what messages
// can do: [ExplicitIO] makes byte offsets of paths, [LowerMemAccess] gives accesses the
// sizes that messages have, [LowerNonUniform] and [LowerDivergentBuffers] put loops
// around accesses whose descriptor differs between invocations, [LowerPushConstants] and
// [LowerFloatAtomics] serve what machines lack.
//
// It does not know descriptors or messages; those are chosen in the back end. What
// becomes of private variables before is in package vars.
package memory
