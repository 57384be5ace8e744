package isa

type Platform uint8

const (
	TGL Platform = iota
	ICL
	NumPlatforms
)

func (p Platform) Stub() bool { return p == TGL }
