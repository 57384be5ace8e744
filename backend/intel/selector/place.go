// SPDX-License-Identifier: MIT

package selector

import "jacquard.example/generated/abi"

// Place is the location in the thread payload from which an intrinsic is read in place.
type Place struct {
	Kind           PlaceKind
	Value          abi.Value // InValue: component 0; the other components follow
	Smooth, Linear abi.Part  // InPart: one for each mode of interpolation
	Slot           string    // InSlot: an input slot without a location
	Comp           uint8     // InSlot: the component of the slot
}

// PlaceKind distinguishes kinds of places.
type PlaceKind uint8

// Kinds of places.
const (
	NoPlace PlaceKind = iota
	InValue           // a doubleword of the header or of the push data
	InPart            // a part with doublewords for each lane
	InSlot            // a component of an input slot
)
