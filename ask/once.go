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
func Once[T any](ctx context.Context, compute func(ctx context.Context) (T, error)) (T, error) {
	var value T
	r, ok := ctx.Value(runKey{}).(*run)
	if !ok {
		return value, ErrNoCall
	}
	var computed *T
	doc, err := r.once(fmt.Sprintf("%T", value), func() ([]byte, error) {
		v, err := compute(context.WithValue(ctx, runKey{}, nil))
		if err != nil {
			return nil, err
		}
		computed = &v
		return json.Marshal(v)
	})
	switch {
	case err != nil:
		return value, err
	case computed != nil:
		return *computed, nil
	}
	if err := json.Unmarshal(doc, &value); err != nil {
		return value, fmt.Errorf("ask: the value that was kept does not fit %T: %w", value, err)
	}
	return value, nil
}

// once returns the value that an earlier run has kept at the next position, or computes it.
func (r *run) once(key string, compute func() ([]byte, error)) ([]byte, error) {
	a, ref := r.asker, r.asker.ref()
	kept := a.tell(ref, asker.Kept{Ref: ref, Call: r.id, Key: key})
	if err := failed(kept); err != nil || kept.Value != nil {
		return kept.Value, err
	}
	doc, err := compute()
	if err != nil {
		return nil, err
	}
	return doc, failed(a.tell(ref, asker.Computed{Ref: ref, Call: r.id, Key: key, Position: kept.Position, Value: doc}))
}
