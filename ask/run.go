package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

type runKey struct{}

// run is one run of a handler.
type run struct {
	asker  *Asker
	id     string
	client Client
}

// running is the run that a context belongs to.
func running(ctx context.Context) (*run, error) {
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		return r, nil
	}
	return nil, fmt.Errorf("%w; ask with the context of a handler, and install an adapter such as ask/gosdk", ErrNoCall)
}

// pose asks the machine, waits, and returns what the question came to.
func (r *run) pose(ctx context.Context, q Question) (Answer, error) {
	ref := r.asker.ref()
	visit := func(id string) {
		if id != "" && q.opened != nil {
			q.opened(id)
		}
	}
	reply := r.asker.await(ctx, ref, asker.Posed{Ref: ref, Call: r.id, Question: q.posed()}, func(one request) {
		visit(one.Visit)
		r.asker.carry(r.client, one)
	})
	visit(reply.Visit)
	if n := reply.Notice; n != nil && r.client.Conn != nil { // it comes before the result of the call
		notify(ctx, r.client.Conn.Notify, n.Method, n.Params)
	}
	switch {
	case reply.Failed == asker.GaveUp:
		return Answer{}, context.Cause(ctx)
	case reply.Failed == "" && reply.Settle != nil:
		return answer(*reply.Settle)
	}
	return Answer{}, failed(reply)
}

// answer is the answer in an outcome, or the error that says why there is none.
func answer(s asking.Settle) (Answer, error) {
	if s.Outcome != elicit.Accepted {
		return Answer{}, &Error{Outcome: s.Outcome, Cause: s.Cause, Problems: s.Problems, Reasons: s.Reasons}
	}
	a := Answer{ID: s.ID, Content: s.Content, Page: s.Page}
	for _, reason := range s.Reasons {
		a.Model = a.Model || reason.Code == "model_answer"
	}
	return a, nil
}

// noticeWait bounds the sending of a notification.
const noticeWait = 5 * time.Second

// notify sends a notification. A client that is gone needs none.
func notify(
	ctx context.Context, send func(context.Context, string, json.RawMessage) error, method string, params []byte,
) {
	ctx, cancel := context.WithTimeout(ctx, noticeWait)
	defer cancel()
	send(ctx, method, params)
}
