// SPDX-License-Identifier: MIT

package prove

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// maxInstances is far above the number of assignments of sizes of any rule.
const maxInstances = 1000

// Rule proves a rule at all its sizes.
func (p *Prover) Rule(ctx context.Context, r *rules.Rule) ([]Result, error) {
	list := vectors.Instances(p.Table, r, maxInstances)
	if len(list) == maxInstances {
		return nil, fmt.Errorf("%s: error: [rule.%s] more than %d assignments of sizes", r.Pos, r.Name, maxInstances)
	}
	out := make([]Result, len(list))
	for i, in := range list {
		cost := 0
		res, err := p.prove(context.WithValue(ctx, costKey{}, &cost), in)
		if err != nil {
			return nil, fmt.Errorf("%s (%s): %w", r.Title(), in.Name(), err)
		}
		res.Under, res.Cost = under(r), cost
		res.Rule, res.Sizes = r.Title(), in.Name()
		res.Key, res.Pos = Key(p.Table, in), r.Pos.String()
		out[i] = res
	}
	for i := range out {
		if out[i].Status != Unproved {
			continue
		}
		for k := range out { // evidence from a smaller size
			if rank[out[k].Status] <= rank[Exhaustive] && smaller(list[k].Sizes, list[i].Sizes) {
				out[i].Status, out[i].By = Reduced, "smaller"
				out[i].Reason = fmt.Sprintf("%s at %s; %s", out[k].Status, out[k].Sizes, out[i].Reason)
				break
			}
		}
	}
	if slices.ContainsFunc(out, func(r Result) bool { return r.Status == Refuted }) {
		return out, nil
	}
	return out, p.witnesses(ctx, list, out)
}

// smaller reports whether no size of a is above the size of b, and some size is below.
func smaller(a, b map[int]int) bool {
	below := false
	for c, n := range b {
		if a[c] > n {
			return false
		}
		below = below || a[c] < n
	}
	return below
}

// All proves rules with the given number of workers. done is called as each rule is finished, one
// call at a time. The results are in the order of the rules.
func (p *Prover) All(ctx context.Context, list []*rules.Rule, workers int, done func(r *rules.Rule, res []Result)) ([]Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([][]Result, len(list))
	var (
		mu    sync.Mutex
		next  int
		first error
		wg    sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(list) {
					return
				}
				res, err := p.Rule(ctx, list[i])
				mu.Lock()
				if err != nil && first == nil {
					first = err
					cancel()
				}
				stop := first != nil
				if !stop {
					results[i] = res
					if done != nil {
						done(list[i], res)
					}
				}
				mu.Unlock()
				if stop {
					return
				}
			}
		})
	}
	wg.Wait()
	return slices.Concat(results...), first
}
