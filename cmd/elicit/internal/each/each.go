// Package each makes a list of what a function returns for each item of another one.
//
//	names := each.Of(list, guardian.Pattern.String)
package each

// Of returns what f returns for each item, in the same order; nil for an empty list.
func Of[T, U any](list []T, f func(T) U) (out []U) {
	for _, item := range list {
		out = append(out, f(item))
	}
	return out
}

// String converts a word of any type.
func String[T ~string](word T) string { return string(word) }
