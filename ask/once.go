package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/elicit-engine/elicit/engine/asking/asker"
)

// Once computes a value once in the life of a call, such as a plan to show. A later run gets the value of the first:
//
//	plan, err := ask.Once(ctx, dryRun)
//	err = ask.Confirm(ctx, "Run this?\n"+plan.String())
//
// Like a question, a value is known by its place, and by the name of T. It is kept as JSON, with the next question of
// its call. All have at most asking.MaxValues bytes: ErrTooLarge. An error of compute is returned and not kept. compute
// cannot ask: ErrNoCall.
func Once[T any](ctx context.Context, compute func(ctx context.Context) (T, error)) (value T, err error) {
	r, err := running(ctx)
	if err != nil {
		return value, err
	}
	a, ref, key := r.asker, r.asker.ref(), reflect.TypeFor[T]().Name()
	kept := a.tell(ref, asker.Kept{Ref: ref, Call: r.id, Key: key})
	if err = failed(kept); err != nil {
		return value, err
	}
	if kept.Value != nil {
		if err = json.Unmarshal(kept.Value, &value); err != nil {
			err = fmt.Errorf("ask: the value that was kept does not fit %T: %w", value, err)
		}
		return value, err
	}
	if value, err = compute(context.WithValue(ctx, runKey{}, nil)); err != nil {
		return value, err
	}
	doc, err := json.Marshal(value)
	if err != nil {
		return value, err
	}
	return value, failed(a.tell(ref, asker.Computed{Ref: ref, Call: r.id, Key: key, Position: kept.Position, Value: doc}))
}
