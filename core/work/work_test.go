// SPDX-License-Identifier: MIT

package work_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"jacquard.example/core/work"
)

func Example() {
	meter := work.NewMeter(context.Background(), 1000)
	square := func(n int) (err error) {
		defer work.Catch(&err)
		for range n {
			meter.Spend(n)
		}
		return nil
	}
	fmt.Println(square(20), meter.Steps())
	fmt.Println(square(30))
	// Output:
	// <nil> 400
	// the shader is too large to compile: more than 1000 steps of work
}

func TestMeter(t *testing.T) {
	try := func(m *work.Meter, n, times int) (err error) {
		defer work.Catch(&err)
		for range times {
			m.Spend(n)
		}
		return nil
	}
	const max = 1 << 30
	var limit *work.Limit
	for _, n := range []int{1 << 10, 1 << 20, 1 << 28, 3 << 27} {
		m := work.NewMeter(t.Context(), max)
		if err := try(m, n, max/n); err != nil || m.Steps() != max/n*n {
			t.Errorf("%d times %d: %v after %d steps", max/n, n, err, m.Steps())
		}
		if err := try(m, n, 1); max%n == 0 && !errors.As(err, &limit) {
			t.Errorf("%d steps more than the meter grants end with %v", n, err)
		}
	}
	if err := try(nil, 1<<30, 10); err != nil {
		t.Errorf("no meter: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m := work.NewMeter(ctx, max)
	cancel()
	if err := try(m, 1<<10, max/(1<<10)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done ends the work with %v", err)
	}
}

func TestCatchOthers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a defect was caught")
		}
	}()
	var err error
	defer work.Catch(&err)
	panic("a defect")
}
