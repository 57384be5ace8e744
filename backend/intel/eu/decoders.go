// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/sampler"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// decoders has the function that decodes descriptors for each shared function.
var decoders = [thread.NumDecoders]thread.Decoder{
	isa.SFIDDC0:       message.DecodeDC0,
	isa.SFIDDC1:       message.DecodeDC1,
	isa.SFIDDCRO:      message.DecodeConstantCache,
	isa.SFIDGateway:   message.DecodeGateway,
	isa.SFIDTS:        message.DecodeSpawner,
	isa.SFIDUGM:       message.DecodeLoadStore,
	isa.SFIDUGML:      message.DecodeLoadStore,
	isa.SFIDSLM:       message.DecodeLoadStore,
	isa.SFIDTGM:       message.DecodeLoadStore,
	isa.SFIDSampler:   sampler.DecodeSampler,
	isa.SFIDURB:       message.DecodeURB,
	isa.SFIDRC:        message.DecodeTarget,
	isa.SFIDPixInterp: message.DecodeInterpolator,
}
