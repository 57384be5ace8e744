package wire

import (
	"errors"
	"maps"
)

func write(m map[string]int, out func(string)) (list []string, text string, err error) {
	for k := range m { // want `the order of a loop over a map is visible at line 10`
		out(k)
	}
	for k := range m { // want `is visible at line 13`
		list = append(list, k)
	}
	for k := range maps.Keys(m) { // want `is visible at line 16`
		text += k
	}
	for k, n := range m { // want `is visible at line 20`
		if n < 0 {
			return nil, "", errors.New(k)
		}
	}
	last := ""
	for k := range m { // want `is visible at line 25`
		last = k
	}
	for range m { // want `is visible at line 28`
		list[len(list)-1] = last
	}
	sum := 0.0
	for _, n := range m { // want `is visible at line 32`
		sum += float64(n)
	}
	return list, text, nil
}
