// Package diff compares the machine code of two versions of a shader. [Compare] aligns their instructions by what they do,
// whatever registers they use, then follows which register of the new version holds what a register of the old one holds:
// an instruction that reads another value differs, one whose registers are only numbered otherwise does not. Flag
// registers are treated alike. What instructions wait for and the addresses of jump targets are not compared; instructions
// that only wait are left out.
package diff
