// Package diff compares the machine code of two versions of a shader. [Compare] aligns their instructions by what they do,
// whatever registers they use, then follows which register of the new version holds what a register of the old one holds:
// an instruction that reads another value differs, one whose registers are only numbered otherwise does not. Between
// instructions that do the same, those of the same kind, with another constant for example, are versions of each other:
// what they write counts as the same value, so that what follows does not differ for their sake. Flag
// registers are treated alike. What instructions wait for and the addresses of jump targets are not compared; instructions
// that only wait are left out.
package diff
