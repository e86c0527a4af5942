package otel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/otel"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// says is a client whose person says this.
type says string

func (s says) Request(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(s), nil
}

func (says) Notify(context.Context, string, json.RawMessage) error { return nil }

// shaky is a store whose next commit fails.
type shaky struct {
	store.Store
	fail error
}

func (s *shaky) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := s.fail; err != nil {
		s.fail = nil
		return 0, err
	}
	return s.Store.Commit(ctx, c)
}

// TestTelemetry asks for an answer, a refusal, and one with which the call is made again, while the store has
// a conflict and fails once. It reads the spans and the metrics that the official SDK exports.
func TestTelemetry(t *testing.T) {
	spans, reader := tracetest.NewInMemoryExporter(), metric.NewManualReader()
	traces := trace.NewTracerProvider(trace.WithSyncer(spans))
	telemetry, err := otel.New(otel.Options{Traces: traces,
		Metrics: metric.NewMeterProvider(metric.WithReader(reader))})
	must.OK(t, err)
	inner := &shaky{Store: memory.New()}
	asker, err := ask.New(ask.Options{Server: "bot", Hooks: []ask.Hook{telemetry.Hook},
		Store: store.Observe(inner, telemetry.Call)})
	must.OK(t, err)
	defer asker.Close()
	call := func(c ask.Client) error {
		ctx, span := traces.Tracer("test").Start(t.Context(), "handler")
		defer span.End()
		c.Declared.Form = true
		_, err := asker.Do(ctx, ask.Call{Target: "tool", Client: c}, func(ctx context.Context) error {
			return ask.Confirm(ctx, "My secret question?")
		})
		return err
	}
	client := func(say string) ask.Client {
		return ask.Client{Session: say, Version: "2025-11-25", Conn: says(say)}
	}
	inner.fail = store.ErrConflict
	must.OK(t, call(client(`{"action":"accept","content":{}}`)))
	if err := call(client(`{"action":"decline"}`)); !errors.Is(err, ask.ErrDeclined) {
		t.Fatal(err)
	}
	must.OK(t, call(ask.Client{Version: "2026-07-28"}))
	inner.fail = store.ErrUnavailable
	if err := call(client("never asked")); !errors.Is(err, ask.ErrStore) {
		t.Fatal(err)
	}
	_ = store.Ping(t.Context(), store.Observe(memory.New(), telemetry.Call))

	got, failed := map[string]int{}, 0
	handlers := map[string]bool{}
	for _, s := range spans.GetSpans() {
		handlers[s.SpanContext.SpanID().String()] = s.Name == "handler"
	}
	for _, s := range spans.GetSpans() {
		var words []string
		for _, a := range s.Attributes {
			words = append(words, a.Value.String())
		}
		got[s.Name+" "+strings.Join(words, " ")]++
		if s.Status.Code == codes.Error {
			failed++
		}
		if s.Name == "elicit.ask" && !handlers[s.Parent.SpanID().String()] {
			t.Error("a question is in no span of its handler")
		}
		if s.EndTime.Before(s.StartTime) {
			t.Errorf("%s ends before it begins", s.Name)
		}
	}
	for _, want := range []string{"elicit.ask form accept user", "elicit.ask form decline user",
		"elicit.ask form interrupted answer_needed", "elicit.ask form error store", "elicit.store Commit conflict",
		"elicit.store Commit unavailable", "elicit.store Commit ok", "elicit.store Load ok"} {
		if got[want] == 0 {
			t.Errorf("no span %q; these are: %v", want, got)
		}
	}
	if failed != 2 {
		t.Errorf("%d spans have failed, want the commit and its question", failed)
	}
	checkMetrics(t, reader)
	if text := fmt.Sprintf("%+v", spans.GetSpans()); strings.Contains(text, "secret question") {
		t.Error("a span tells the question")
	}
}

// checkMetrics compares the metrics with what was asked.
func checkMetrics(t *testing.T, reader *metric.ManualReader) {
	t.Helper()
	var all metricdata.ResourceMetrics
	must.OK(t, reader.Collect(t.Context(), &all))
	asked, conflicts, waiting := uint64(0), uint64(0), int64(-1)
	for _, m := range all.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				result, _ := p.Attributes.Value("elicit.store.result")
				if m.Name == "elicit.ask.duration" {
					asked += p.Count
				} else if result.AsString() == "conflict" {
					conflicts += p.Count
				}
			}
		case metricdata.Sum[int64]:
			waiting = data.DataPoints[0].Value
		}
	}
	if asked != 4 || conflicts != 1 || waiting != 0 {
		t.Errorf("%d questions, %d conflicts, %d waiting; want 4, 1 and 0", asked, conflicts, waiting)
	}
	if text, _ := json.Marshal(all); bytes.Contains(text, []byte("secret")) {
		t.Error("a metric tells the question")
	}
}
