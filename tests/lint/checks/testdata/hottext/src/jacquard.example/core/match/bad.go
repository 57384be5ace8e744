package match

import (
	"fmt"
	"reflect"
	"sort"
)

type state struct {
	name string
	log  func(string)
}

func (s *state) rename(i int) error {
	s.name = fmt.Sprintf("part%d", i) // want `fmt.Sprintf on a hot path`
	s.log(fmt.Sprint(i))              // want `fmt.Sprint on a hot path`
	if s.name == "" {
		return fmt.Errorf("part %d has no name", i)
	}
	return nil
}

func same(a, b []int) bool {
	sort.Slice(a, func(i, j int) bool { return a[i] < a[j] }) // want `sort.Slice works by reflection`
	return reflect.DeepEqual(a, b)                            // want `reflect.DeepEqual on a hot path`
}
