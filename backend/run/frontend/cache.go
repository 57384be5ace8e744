// SPDX-License-Identifier: MIT

package frontend

import (
	"context"
	"sync"
)

// Cache translates sources and keeps their modules, so that identical ones are translated once. It may be used by
// several goroutines. The zero value is an empty cache.
type Cache struct {
	Programs
	mu      sync.Mutex
	modules map[string][]byte
}

// Translate is like Programs.Translate, but translates each source only once.
func (c *Cache) Translate(ctx context.Context, s *Source) ([]byte, error) {
	return c.Keep(s.key(), func() ([]byte, error) { return c.Programs.Translate(ctx, s) })
}

// Keep returns the module of a key. If the cache has none, it calls run and keeps the module unless run fails.
func (c *Cache) Keep(key string, run func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	module, ok := c.modules[key]
	c.mu.Unlock()
	if ok {
		return module, nil
	}
	module, err := run()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.modules == nil {
		c.modules = map[string][]byte{}
	}
	c.modules[key] = module
	return module, nil
}
