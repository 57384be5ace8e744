// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/abi"
)

// place parses the key payload and returns the fields of a selector.Place in Go.
func (l *loader) place(x *row, texts []string) (string, error) {
	if i := l.intrinsics[x.find.Name]; i == nil || i.Row.Val.Dest == nil {
		return "", errors.New("only an intrinsic with a result can be read in place")
	}
	first := texts[0]
	if slot, comp, ok := strings.Cut(first, "."); ok && len(texts) == 1 {
		if slot == "" || len(comp) != 1 || comp < "0" || comp > "3" {
			return "", fmt.Errorf("%q: a component of a slot is slot.N, with N from 0 to 3", first)
		}
		x.slot = slot
		return fmt.Sprintf("Kind: selector.InSlot, Slot: %q, Comp: %s", slot, comp), nil
	}
	switch len(texts) {
	case 1:
		v, err := abi.ValueName(first)
		return "Kind: selector.InValue, Value: abi." + v, err
	case 2:
	default:
		return "", errors.New("payload takes a value, a component of a slot (slot.N), or two parts of the payload")
	}
	var names [2]string
	for i, t := range texts {
		var err error
		if names[i], err = abi.PartName(t); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("Kind: selector.InPart, Smooth: abi.%s, Linear: abi.%s", names[0], names[1]), nil
}
