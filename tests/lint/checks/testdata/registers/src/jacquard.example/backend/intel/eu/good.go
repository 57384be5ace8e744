package eu

var file [128][32]byte
