package schema

import "github.com/elicit-engine/elicit/engine/elicit"

// Cache keeps the forms that were compiled last, for peers that ask the same question again. It has one owner and is
// not safe for concurrent use. It changes no result: a form is immutable, and is found only by the exact bytes and
// options that it was compiled from. The zero value is empty and ready to use.
type Cache struct {
	list  []cached // least recently used first
	bytes int
}

// cached is one form with everything that it depends on. options is a value without pointers, so == compares
// all of it.
type cached struct {
	schema  string
	options Options
	form    *Form
}

// These are the bounds of a Cache. The memory of a form is a small multiple of its schema.
const (
	maxCached      = 32
	maxCachedBytes = 256 << 10
)

// Compile returns what the function Compile returns, from memory if it can. It never keeps problems.
func (c *Cache) Compile(schema []byte, o Options) (*Form, []elicit.Problem) {
	// Two schemas rarely have the same length, so comparing the bytes costs less than hashing them.
	for i := len(c.list) - 1; i >= 0; i-- {
		if e := &c.list[i]; len(e.schema) == len(schema) && e.schema == string(schema) && e.options == o {
			form := e.form
			c.touch(i)
			return form, nil
		}
	}
	form, problems := Compile(schema, o)
	if form != nil {
		c.keep(cached{string(schema), o, form})
	}
	return form, problems
}

// touch makes entry i the most recently used one.
func (c *Cache) touch(i int) {
	if last := len(c.list) - 1; i != last {
		e := c.list[i]
		copy(c.list[i:], c.list[i+1:])
		c.list[last] = e
	}
}

// keep adds an entry and drops the least recently used ones. Because no schema is longer than the bound, the loop ends
// at the latest when it has dropped all entries.
func (c *Cache) keep(e cached) {
	if len(e.schema) > maxCachedBytes {
		return
	}
	drop := 0
	for c.bytes += len(e.schema); c.bytes > maxCachedBytes || len(c.list)-drop >= maxCached; drop++ {
		c.bytes -= len(c.list[drop].schema)
	}
	// The entries behind the kept ones are cleared, since they would keep dropped forms in memory.
	if drop > 0 {
		kept := copy(c.list, c.list[drop:])
		clear(c.list[kept:])
		c.list = c.list[:kept]
	}
	c.list = append(c.list, e)
}
