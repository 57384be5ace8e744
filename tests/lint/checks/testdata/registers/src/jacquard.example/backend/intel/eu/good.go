package eu

var file [128][32]byte

const grfSize = 32 // want `has a number of the register file`
