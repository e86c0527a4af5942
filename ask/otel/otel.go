// Package otel measures an asker and its store by OpenTelemetry.
//
//	telemetry, err := otel.New(otel.Options{})
//	asker, err := ask.New(ask.Options{
//		Hooks: []ask.Hook{telemetry.Hook},
//		Store: store.Observe(sessions, telemetry.Call),
//	})
//
// Each question of a handler is a span "elicit.ask" with the mode, the outcome and the cause, inside the span of the
// handler's context. A call that is interrupted until the person has answered ends with the outcome "interrupted". The
// texts of questions and answers are in no span and no metric, because they may be secrets. The metrics are
// elicit.ask.duration, elicit.ask.waiting and elicit.store.duration, whose counts are those of questions, conflicts,
// failures and sweeps. Each call of the store is a span "elicit.store" with the method and the result.
package otel

import (
	"context"
	"errors"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/store"
	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Options choose where spans and metrics go. nil is what the program has set for all of OpenTelemetry.
type Options struct {
	Traces  trace.TracerProvider
	Metrics metric.MeterProvider
}

// Telemetry makes spans and metrics. See New.
type Telemetry struct {
	tracer  trace.Tracer
	asks    metric.Float64Histogram
	waiting metric.Int64UpDownCounter
	calls   metric.Float64Histogram
}

const scope = "github.com/elicit-engine/elicit/ask/otel"

// New makes a Telemetry.
func New(o Options) (*Telemetry, error) {
	if o.Traces == nil {
		o.Traces = api.GetTracerProvider()
	}
	if o.Metrics == nil {
		o.Metrics = api.GetMeterProvider()
	}
	m := o.Metrics.Meter(scope)
	t := &Telemetry{tracer: o.Traces.Tracer(scope)}
	var failed [3]error
	t.asks, failed[0] = m.Float64Histogram("elicit.ask.duration", metric.WithUnit("s"),
		metric.WithDescription("how long questions took"),
		metric.WithExplicitBucketBoundaries(.1, 1, 3, 10, 30, 60, 120, 300, 900, 3600))
	t.waiting, failed[1] = m.Int64UpDownCounter("elicit.ask.waiting",
		metric.WithDescription("handlers that wait for an answer"))
	t.calls, failed[2] = m.Float64Histogram("elicit.store.duration", metric.WithUnit("s"),
		metric.WithDescription("how long calls of the store took"),
		metric.WithExplicitBucketBoundaries(.0005, .001, .0025, .005, .01, .025, .1, .5, 1, 10))
	return t, errors.Join(failed[:]...)
}

// Hook measures every question. As the outermost hook it sees what the handler sees.
func (t *Telemetry) Hook(next ask.Next) ask.Next {
	return func(ctx context.Context, q ask.Question) (ask.Answer, error) {
		mode := attribute.String("elicit.mode", string(q.Mode))
		ctx, span := t.tracer.Start(ctx, "elicit.ask", trace.WithAttributes(mode))
		began := time.Now()
		t.waiting.Add(ctx, 1)
		answer, err := next(ctx, q)
		t.waiting.Add(context.WithoutCancel(ctx), -1)
		outcome, cause := ended(err)
		all := []attribute.KeyValue{mode, attribute.String("elicit.outcome", outcome),
			attribute.String("elicit.cause", cause)}
		t.asks.Record(context.WithoutCancel(ctx), time.Since(began).Seconds(), metric.WithAttributes(all...))
		span.SetAttributes(all...)
		if outcome == "error" {
			span.SetStatus(codes.Error, cause)
		}
		span.End()
		return answer, err
	}
}

// ended says in two words how a question ended.
func ended(err error) (outcome, cause string) {
	var of *ask.Error
	switch {
	case err == nil:
		return "accept", "user"
	case errors.As(err, &of):
		return string(of.Outcome), string(of.Cause)
	case errors.Is(err, ask.ErrInterrupted):
		return "interrupted", "answer_needed"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "cancel", "context"
	case errors.Is(err, ask.ErrStore):
		return "error", "store"
	}
	return "error", "other" // its text may have what somebody wrote
}

// Call measures a call of a store, for store.Observe.
func (t *Telemetry) Call(ctx context.Context, c store.Call) {
	ctx = context.WithoutCancel(ctx)
	all := []attribute.KeyValue{attribute.String("elicit.store.method", c.Method),
		attribute.String("elicit.store.result", c.Result())}
	t.calls.Record(ctx, c.Took.Seconds(), metric.WithAttributes(all...))
	_, span := t.tracer.Start(ctx, "elicit.store", trace.WithTimestamp(c.Began), trace.WithAttributes(all...),
		trace.WithSpanKind(trace.SpanKindClient))
	switch c.Result() {
	case "ok", "conflict", "redeemed":
	default:
		span.SetStatus(codes.Error, c.Result())
	}
	span.End(trace.WithTimestamp(c.Began.Add(c.Took)))
}
