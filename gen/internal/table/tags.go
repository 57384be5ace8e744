// SPDX-License-Identifier: MIT

package table

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// Fields returns the keys of rows that are decoded into a struct, including the keys of embedded structs.
func Fields(t reflect.Type) (out []reflect.StructField) {
	for f := range t.Fields() {
		switch {
		case f.Anonymous:
			out = append(out, Fields(f.Type)...)
		case f.IsExported():
			out = append(out, f)
		}
	}
	return out
}

// Key returns the name of a key in tables.
func Key(f reflect.StructField) string {
	if n := f.Tag.Get("toml"); n != "" {
		return n
	}
	return strings.ToLower(f.Name) // as the TOML package matches names without a tag
}

// Names returns the names of rows, for messages that list them.
func Names[T any](rows []*Row[T]) iter.Seq[string] {
	return diag.Each(rows, func(r *Row[T]) string { return r.Name })
}

// keys returns the keys that a table may have at a path in a row, or none if it is not a table with fixed keys.
func keys(t reflect.Type, path []string) (out []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		if t.Kind() == reflect.Map && len(path) > 0 {
			path = path[1:]
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range Fields(t) {
		if len(path) > 0 && Key(f) == path[0] {
			return keys(f.Type, path[1:])
		}
		out = append(out, Key(f))
	}
	if len(path) > 0 {
		return nil
	}
	return out
}

// tagged checks a row against the tags required, enum, itemsEnum, minimum and maximum of its fields, as editors do with the
// schemas. It returns the message for the first wrong key, and the key.
func tagged[T any](r *Row[T]) (msg, key string) {
	v := reflect.ValueOf(&r.Val).Elem()
	for _, f := range Fields(v.Type()) {
		x := v.FieldByName(f.Name)
		if msg := wrong(f, x, r.Has(Key(f))); msg != "" {
			return msg, Key(f)
		}
		if x.Kind() != reflect.Slice || x.Type().Elem().Kind() != reflect.Struct {
			continue
		}
		for i := range x.Len() {
			for _, part := range Fields(x.Type().Elem()) {
				p := x.Index(i).FieldByName(part.Name)
				if msg := wrong(part, p, !p.IsZero()); msg != "" {
					return fmt.Sprintf("%s, entry %d: %s", Key(f), i+1, msg), Key(f)
				}
			}
		}
	}
	return "", ""
}

// wrong returns the message for the value of a key, or "" if it is valid. has tells whether the row has the key.
func wrong(f reflect.StructField, x reflect.Value, has bool) string {
	key := Key(f)
	switch x.Kind() {
	case reflect.String:
		has = strings.TrimSpace(x.String()) != ""
	case reflect.Pointer:
		has, x = !x.IsNil(), x.Elem()
	}
	if !has {
		if f.Tag.Get("required") == "true" {
			return key + " is missing: " + about(f.Tag.Get("doc"))
		}
		return ""
	}
	if list := f.Tag.Get("itemsEnum"); list != "" {
		for i := range x.Len() {
			if msg := unlisted(key, x.Index(i), list); msg != "" {
				return msg
			}
			for k := range i {
				if x.Index(k).Equal(x.Index(i)) {
					return fmt.Sprintf("%s: %v is listed twice", key, x.Index(i))
				}
			}
		}
	}
	if list := f.Tag.Get("enum"); list != "" {
		return unlisted(key, x, list)
	}
	if x.CanInt() {
		return outside(key, x.Int(), f.Tag.Get("minimum"), f.Tag.Get("maximum"))
	}
	return ""
}

// about returns the first sentence of a key's documentation as part of a message.
func about(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSuffix(doc, "."), ". ")
	if len(doc) > 1 && strings.ToUpper(doc[1:2]) == doc[1:2] {
		return doc // an acronym
	}
	return strings.ToLower(doc[:1]) + doc[1:]
}

// unlisted returns the message about a value that a list separated by commas does not contain.
func unlisted(key string, x reflect.Value, list string) string {
	words := strings.Split(list, ",")
	switch {
	case x.CanInt():
		if !slices.Contains(words, strconv.FormatInt(x.Int(), 10)) {
			return fmt.Sprintf("%s: %d is not one of %s", key, x.Int(), strings.Join(words, ", "))
		}
	case !slices.Contains(words, x.String()) && !strings.Contains(x.String(), "$"): // a name of for is checked after it is replaced
		return key + ": " + diag.Unknown("word", x.String(), slices.Values(words))
	}
	return ""
}

// outside returns the message about a number outside bounds, each of which may be empty.
func outside(key string, n int64, least, most string) string {
	low, noLow := strconv.ParseInt(least, 10, 64)
	high, noHigh := strconv.ParseInt(most, 10, 64)
	switch {
	case (noLow != nil || n >= low) && (noHigh != nil || n <= high):
		return ""
	case noLow != nil:
		return fmt.Sprintf("%s: %d is more than %s", key, n, most)
	case noHigh != nil:
		return fmt.Sprintf("%s: %d is less than %s", key, n, least)
	}
	return fmt.Sprintf("%s: %d is not between %s and %s", key, n, least, most)
}
