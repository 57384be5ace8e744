package eu

import (
	"jacquard.example/backend/intel/eu/thread"
)

type Account = thread.Account
type Dispatch = thread.Dispatch
type Fault = thread.Fault
const FaultHazard = thread.FaultHazard
const FaultLaunch = thread.FaultLaunch
const FragmentStage = thread.FragmentStage
type GRFs = thread.GRFs
const HazardsLenient = thread.HazardsLenient
const HazardsOff = thread.HazardsOff
type Heap = thread.Heap
type Launch = thread.Launch
type Mapping = thread.Mapping
var MathUnit = thread.MathUnit
var NewURB = thread.NewURB
const NumWaits = thread.NumWaits
type Options = thread.Options
type Place = thread.Place
const PlaceCentroid = thread.PlaceCentroid
const PlaceSample = thread.PlaceSample
type Profile = thread.Profile
type Program = thread.Program
type Stage = thread.Stage
type Stats = thread.Stats
var StorageSurface = thread.StorageSurface
type Surface = thread.Surface
type TargetWrite = thread.TargetWrite
type Time = thread.Time
type URB = thread.URB
const VertexStage = thread.VertexStage
type Wait = thread.Wait
const WaitSend = thread.WaitSend
