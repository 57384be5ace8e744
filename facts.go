// SPDX-License-Identifier: MIT

package jacquard

import (
	"jacquard.example/backend/driver"
	"jacquard.example/backend/driver/explain"
	"jacquard.example/backend/launch"
)

// ABI describes how to run the code. Package launch documents it for launchers.
type ABI = launch.ABI

// The parts of an ABI.
type (
	// Range is a range of a uniform buffer that is pushed.
	Range = launch.Range
	// Part is a part of the payload of a thread.
	Part = launch.Part
	// Slot is an input or output of a vertex or fragment shader.
	Slot = launch.Slot
	// Resource is an entry of the binding table.
	Resource = launch.Resource
	// SurfaceFormat is a surface format of the hardware.
	SurfaceFormat = launch.SurfaceFormat
)

// Line describes the origin and the estimated cost of an instruction of the code.
type Line = explain.Line

// Cost accounts for the registers, the scratch memory and the time that a variant uses.
type Cost = explain.Cost

// The parts of a Cost.
type (
	// Position is a place in the source.
	Position = explain.Position
	// Origin is the instruction of the shader that machine code was selected for.
	Origin = explain.Origin
	// Peak is the first instruction with the most live registers before it.
	Peak = explain.Peak
	// Live is a value that is live there.
	Live = explain.Live
	// Spilled is a value that was spilled.
	Spilled = explain.Spilled
	// Array is a variable in scratch memory.
	Array = explain.Array
	// Loop is a loop of the machine code.
	Loop = explain.Loop
	// Remark is an action of a pass.
	Remark = explain.Remark
)

// The ways of spilling a value.
const (
	InScratch  = explain.InScratch  // it is in scratch memory, and loaded before instructions that read it
	Recomputed = explain.Recomputed // it is computed again before instructions that read it
	OneLane    = explain.OneLane    // it is the same in all lanes, and takes one lane of a register instead of all
)

// Width is the width of a program and the reason for choosing it.
type Width = driver.Width

// The reasons for a width.
const (
	WidthAsked      = driver.WidthAsked      // Options.SIMD
	WidthVertex     = driver.WidthVertex     // vertex shaders run as many vertices per thread as the machine has
	WidthSubgroup   = driver.WidthSubgroup   // the shader requires subgroups of this size
	WidthWorkgroup  = driver.WidthWorkgroup  // a workgroup has at most as many invocations as the narrowest thread has lanes
	WidthUsual      = driver.WidthUsual      // 16 lanes: without spills, or there is no code for eight lanes
	WidthSpills     = driver.WidthSpills     // 16 lanes spill: of 16 and eight lanes, the width with fewer estimated cycles per lane
	WidthImpossible = driver.WidthImpossible // the preferred widths cannot be compiled
)
