package relay

import "github.com/elicit-engine/elicit/engine/relay/internal/link"

// recents are what is remembered of requests that are over.
type recents struct {
	settled link.Recent // refs of direct questions that have an answer
	given   link.Recent // ids of failed and cancelled calls that the server may still answer
	links   link.Recent // links of pages that the client never saw
	givenUp link.Recent // ids of requests that the client did not answer in time
}
