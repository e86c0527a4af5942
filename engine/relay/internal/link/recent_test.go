package link

import (
	"fmt"
	"testing"
)

func TestRecentForgetsTheOldest(t *testing.T) {
	r := &Recent{}
	for i := range MaxRecent + 10 {
		r.Add(fmt.Sprint(i))
	}
	r.Drop("20")
	r.Drop("never")
	r.Add("20")
	if r.Has("9") || !r.Has("10") || !r.Has("20") || len(r.order) != MaxRecent || len(r.known) != MaxRecent {
		t.Errorf("%d in order, %d known; 9 %v, 10 %v, 20 %v", len(r.order), len(r.known), r.Has("9"), r.Has("10"),
			r.Has("20"))
	}
	for i := range MaxRecent - 1 {
		r.Add(fmt.Sprint("new ", i))
	}
	if !r.Has("20") {
		t.Error("a key that was dropped and given again is forgotten by its old place")
	}
}
