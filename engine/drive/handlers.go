package drive

import (
	"context"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/relay"
)

// Handler answers a request: it takes the params, raw JSON or nil, and returns the result as JSON. The context ends
// when the request is withdrawn, and then the answer is not used. The packages below engine/wire read the params of
// questions and write their results.
type Handler func(ctx context.Context, params []byte) (result []byte, err error)

// Handlers answers what comes for a host that is the client, one function for each method that a server or an agent may
// ask for. A method without a handler gets the error -32601, and the machine declines a question then. An error or a
// panic of a handler is the error -32000, whose message does not tell what went wrong; Failed gets it. Example: a host
// that is a client of MCP and lists no roots or models gives it two functions, for elicitation/create and ping. Take
// gets each message that the host's Send to the client brings.
type Handlers struct {
	Receive func(from relay.End, message []byte) error // takes the answers, such as Driver.Receive
	Failed  func(method string, why any)               // nil for nobody

	lock  sync.Mutex
	known map[string]Handler
	// A pointer, because functions cannot be compared: finish sees by it whether the request is still the same.
	running map[string]*context.CancelFunc // by the id of the request
}

// These are the answers in place of a handler's own.
const (
	noHandler     = `"error":{"code":-32601,"message":"this client has no handler for the method"}}`
	handlerFailed = `"error":{"code":-32000,"message":"the handler failed"}}`
)

// On lets a function answer the requests of a method, in place of an earlier one.
func (h *Handlers) On(method string, handler Handler) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.known == nil {
		h.known = map[string]Handler{}
	}
	h.known[method] = handler
}

// Take takes a message for the client. It returns false for one that is no request, which is the host's to read. It
// returns at once: each handler runs in a goroutine of its own. It does not keep the message. A message that withdraws
// a request ends the context of its handler. Another request with the same id does so too, and takes its place. It is
// safe for concurrent use. Its goroutine ends when the handler does: a handler that ignores its context holds one.
func (h *Handlers) Take(message []byte) bool {
	m := gjson.Parse(string(message))
	method, id := m.Get("method"), m.Get("id")
	if method.Type != gjson.String {
		return false
	}
	if !id.Exists() {
		switch method.String() {
		case "notifications/cancelled", "$/cancel_request", "serverRequest/resolved": // of MCP, ACP and Codex
			h.begin(m.Get("params.requestId"), nil)
		}
		return false
	}
	ctx, end := context.WithCancel(context.Background())
	h.begin(id, &end)
	h.lock.Lock()
	handler := h.known[method.String()]
	h.lock.Unlock()
	// Codex leaves the member "jsonrpc" out of its messages, and its answers have none either.
	head := "{"
	if m.Get("jsonrpc").Exists() {
		head = `{"jsonrpc":"2.0",`
	}
	go func() {
		rest := h.answer(ctx, method.String(), []byte(m.Get("params").Raw), handler)
		if h.finish(id, &end) {
			answer := head + `"id":` + id.Raw + "," + rest
			_ = h.Receive(relay.Client, []byte(answer)) // the driver itself reports a journal that fails
		}
	}()
	return true
}

// keyOf names a request. A string and a number are never the same id. JSON-RPC 2.0 section 4: an id is a string, a
// number or null, and 1 and "1" are two ids.
func keyOf(id gjson.Result) string { return id.Type.String() + " " + id.String() }

// begin ends the request that has an id, if there is one. Then the id names the next request; nil for none.
func (h *Handlers) begin(id gjson.Result, next *context.CancelFunc) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if before := h.running[keyOf(id)]; before != nil {
		(*before)()
		delete(h.running, keyOf(id))
	}
	if next != nil {
		if h.running == nil {
			h.running = map[string]*context.CancelFunc{}
		}
		h.running[keyOf(id)] = next
	}
}

// finish forgets a request. It returns false for one that was withdrawn.
func (h *Handlers) finish(id gjson.Result, end *context.CancelFunc) bool {
	defer (*end)()
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.running[keyOf(id)] != end {
		return false
	}
	delete(h.running, keyOf(id))
	return true
}

// answer is the rest of the answer after its id.
func (h *Handlers) answer(ctx context.Context, method string, params []byte, handler Handler) (rest string) {
	if handler == nil {
		return noHandler
	}
	failed := func(why any) {
		if h.Failed != nil {
			h.Failed(method, why)
		}
		rest = handlerFailed
	}
	defer func() {
		if why := recover(); why != nil {
			failed(why)
		}
	}()
	result, err := handler(ctx, params)
	switch {
	// finish returns false then, so the empty rest is not sent.
	case ctx.Err() != nil: // nobody reads the answer
	case err != nil:
		failed(err)
	case !gjson.ValidBytes(result):
		failed("the result is no JSON")
	default:
		rest = `"result":` + string(result) + "}"
	}
	return rest
}
