package ask

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/elicit-engine/elicit/engine/asking/asker"
)

// Once computes a value once in the life of a call. When the handler runs again after a question, Once returns the
// value of the first run. It is for what the person is shown and the handler then does, such as a plan or a random id:
//
//	plan, err := ask.Once(ctx, dryRun)
//	…
//	err = ask.Confirm(ctx, "Run this?\n"+plan.String())
//	…
//	return plan.run(ctx)
//
// Like a question, a value is known by its place in the handler: the same calls must come in the same order. It is kept
// as JSON, so T must survive encoding/json. All values of a call have at most asking.MaxValues bytes: ErrTooLarge. An
// error of compute is returned and not kept. compute cannot ask: ErrNoCall.
//
// A value is kept with the next question of its call. Until then it exists in this process alone.
func Once[T any](ctx context.Context, compute func(ctx context.Context) (T, error)) (value T, err error) {
	r, err := running(ctx)
	if err != nil {
		return value, err
	}
	a, ref, key := r.asker, r.asker.ref(), fmt.Sprintf("%T", value)
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
