package jsontext

// AppendStrings appends a JSON array of strings. nil is [].
func AppendStrings[T ~string](dst []byte, list []T) []byte {
	return AppendEach(dst, len(list), func(dst []byte, i int) []byte { return AppendString(dst, string(list[i])) })
}

// Strings appends a member with a list of strings. nil is [].
func Strings[T ~string](o *Object, name string, list []T) {
	o.name(name)
	o.dst = AppendStrings(o.dst, list)
}

// OptStrings appends a member with a list of strings, unless it is empty.
func OptStrings[T ~string](o *Object, name string, list []T) {
	if len(list) > 0 {
		Strings(o, name, list)
	}
}

// Comma appends a comma, unless a list or an object has just been opened. No JSON value ends in a bracket that opens.
func Comma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '[' || last == '{' {
		return dst
	}
	return append(dst, ',')
}

// AppendEach appends a JSON array of what add appends for each of n items. add appends element i and returns
// the longer slice.
func AppendEach(dst []byte, n int, add func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		dst = add(Comma(dst), i)
	}
	return append(dst, ']')
}

// Each appends a member with a list of what add appends for each of n items, as AppendEach does.
func (o *Object) Each(name string, n int, add func(dst []byte, i int) []byte) {
	o.name(name)
	o.dst = AppendEach(o.dst, n, add)
}

// AppendList appends a JSON array of items that write themselves. nil is [].
func AppendList[T interface{ AppendJSON([]byte) []byte }](dst []byte, items []T) []byte {
	return AppendEach(dst, len(items), func(dst []byte, i int) []byte { return items[i].AppendJSON(dst) })
}

// List appends a member with a list of items that write themselves. nil is [].
func List[T interface{ AppendJSON([]byte) []byte }](o *Object, name string, items []T) {
	o.name(name)
	o.dst = AppendList(o.dst, items)
}

// OptList is List for a list that is left out when it is empty.
func OptList[T interface{ AppendJSON([]byte) []byte }](o *Object, name string, items []T) {
	if len(items) > 0 {
		List(o, name, items)
	}
}
