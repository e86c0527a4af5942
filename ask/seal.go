package ask

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// ringSealer seals with a ring of keys. In an Asker, it has the clock of that.
type ringSealer struct {
	ring *seal.Ring
	now  func() time.Time
}

// NewSealer returns a Sealer with these keys: the first seals, all open. Every process of a server needs the same. Keep
// a key in the list for as long as what it sealed may come back, which is Options.TTL.
func NewSealer(keys ...seal.Key) (Sealer, error) {
	ring, err := seal.NewRing(keys...)
	if err != nil {
		return nil, err
	}
	return &ringSealer{ring, time.Now}, nil
}

// newProcessSealer makes a sealer whose key nobody else has.
func newProcessSealer() (Sealer, error) {
	secret := make([]byte, seal.MinSecret)
	rand.Read(secret)
	key, err := seal.NewKey("process", secret)
	if err != nil {
		return nil, err
	}
	return NewSealer(key)
}

// Seal returns a token of at most seal.MaxToken bytes.
func (s *ringSealer) Seal(c Binding, body []byte, expires time.Time) (string, error) {
	var random [32]byte
	rand.Read(random[:])
	arguments, err := digestOf(c.Arguments)
	if err != nil {
		return "", err
	}
	token, err := s.ring.Seal(nil, random, seal.State, seal.Claims{ID: seal.ID(random, seal.State, 0),
		Principal: c.Principal, Method: c.Method, Target: c.Target, Audience: c.Server, Arguments: arguments,
		IssuedAt: s.now().UnixMilli(), ExpiresAt: expires.UnixMilli(), Body: body})
	return string(token), err
}

// clockSkew is how far the clocks of two processes of a server may differ, in milliseconds.
const clockSkew = store.Skew

// Open opens a token that was sealed for this call.
func (s *ringSealer) Open(c Binding, state string) (o Opened, err error) {
	arguments, err := digestOf(c.Arguments)
	if err != nil {
		return o, err
	}
	claims, problem := s.ring.Open([]byte(state), seal.State, seal.Expected{Principal: c.Principal, Method: c.Method,
		Target: c.Target, Audience: c.Server, Arguments: arguments, Now: s.now().UnixMilli(), Skew: clockSkew})
	if problem != nil {
		return o, fmt.Errorf("%s: %s", problem.Code, english.Problem(*problem))
	}
	return Opened{claims.ID, claims.Body, time.UnixMilli(claims.ExpiresAt)}, nil
}

func digestOf(arguments json.RawMessage) ([32]byte, error) {
	if arguments == nil {
		return [32]byte{}, nil
	}
	d, problem := seal.Digest(arguments)
	if problem != nil {
		return d, errors.New(english.Problem(*problem))
	}
	return d, nil
}
