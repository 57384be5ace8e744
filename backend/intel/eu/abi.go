// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/abi"
)

// ComputePayload returns a function that fills the payload of a compute shader according to an ABI, with the
// given push constants.
func ComputePayload(row *abi.ABI, push []byte) func(l *thread.Launch, grf *thread.GRFs) {
	return func(l *thread.Launch, grf *thread.GRFs) { l.Fill(row, grf, push) }
}
