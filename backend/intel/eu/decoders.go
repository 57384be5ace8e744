package eu

import (
	"jacquard.example/generated/isa"
)

// decoders has the function that decodes descriptors for each shared function.
var decoders = [numDecoders]decoder{
	isa.SFIDDC0:       decodeDC0,
	isa.SFIDDC1:       decodeDC1,
	isa.SFIDDCRO:      decodeConstantCache,
	isa.SFIDGateway:   decodeGateway,
	isa.SFIDTS:        decodeSpawner,
	isa.SFIDSampler:   decodeSampler,
	isa.SFIDURB:       decodeURB,
	isa.SFIDRC:        decodeTarget,
	isa.SFIDPixInterp: decodeInterpolator,
}
