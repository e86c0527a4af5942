package jsontext

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/order"
)

// AppendSorted is AppendValue with the members of each object in the order of their names. No object may have a
// name twice. {"b":1,"a":{"d":2,"c":3}} becomes {"a":{"c":3,"d":2},"b":1}. Names are compared as bytes of their
// decoded text. Two documents with the same members, in whatever order, become equal, unless a number or string
// of them differs.
//
// Its recursion is as deep as the value, so the caller bounds the depth with the gate.
func AppendSorted(dst, value []byte) []byte {
	spans, _, container := SpansOf(value)
	switch {
	case !container:
		return AppendValue(dst, value)
	case !spans.Object():
		dst = append(dst, '[')
		for spans.More() {
			dst = AppendSorted(Comma(dst), spans.Raw())
		}
		return append(dst, ']')
	}
	values := map[string][]byte{}
	var names []string
	for spans.More() {
		key, _ := spans.Key()
		name := key.String()
		names, values[name] = append(names, name), spans.Raw()
	}
	order.Stable(names, strings.Compare)
	o := Begin(dst)
	for _, name := range names {
		o.Name(name, func(dst []byte) []byte { return AppendSorted(dst, values[name]) })
	}
	return o.End()
}
