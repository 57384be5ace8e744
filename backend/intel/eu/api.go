// SPDX-License-Identifier: MIT

package eu

import "jacquard.example/backend/intel/eu/thread"

// The types of a dispatch and its results. Package thread documents them.
type (
	// Account adds up where time is spent.
	Account = thread.Account
	// Dispatch is a grid of workgroups, or a draw, to run.
	Dispatch = thread.Dispatch
	// Fault is an error of the code at an instruction.
	Fault = thread.Fault
	// GRFs are the general registers of a thread.
	GRFs = thread.GRFs
	// Heap holds the surfaces and samplers that bindless messages access.
	Heap = thread.Heap
	// Launch describes the thread whose payload is filled.
	Launch = thread.Launch
	// Mapping is a buffer at an address.
	Mapping = thread.Mapping
	// Options select checks and what is recorded.
	Options = thread.Options
	// Place is a place in a pixel where an input is evaluated.
	Place = thread.Place
	// Profile counts executed instructions.
	Profile = thread.Profile
	// Program is predecoded machine code.
	Program = thread.Program
	// Stage connects a vertex or fragment shader to the fixed functions of the pipeline.
	Stage = thread.Stage
	// Stats counts executed instructions and messages.
	Stats = thread.Stats
	// Surface is an entry of the binding table.
	Surface = thread.Surface
	// TargetWrite is the data that a render-target write carries for a pixel.
	TargetWrite = thread.TargetWrite
	// Time is a number of cycles for each reason for waiting.
	Time = thread.Time
	// URB is the unified return buffer.
	URB = thread.URB
	// Wait is a reason for waiting.
	Wait = thread.Wait
)

// Kinds of faults.
const (
	FaultHazard = thread.FaultHazard
	FaultLaunch = thread.FaultLaunch
)

// The rules by which waits are checked.
const (
	HazardsLenient = thread.HazardsLenient
	HazardsOff     = thread.HazardsOff
)

// The stages with fixed functions.
const (
	FragmentStage = thread.FragmentStage
	VertexStage   = thread.VertexStage
)

// Places at which inputs are evaluated.
const (
	PlaceCentroid = thread.PlaceCentroid
	PlaceSample   = thread.PlaceSample
)

// Reasons for waiting.
const (
	NumWaits = thread.NumWaits
	WaitSend = thread.WaitSend
)
