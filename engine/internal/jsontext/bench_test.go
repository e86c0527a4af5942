package jsontext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// answer is a nine-field answer of 385 bytes, the size that the speed budget is for.
const answer = `{"name":"Ada Lovelace","email":"ada.lovelace@example.org",` +
	`"homepage":"https://example.org/people/ada",` +
	`"birthday":"1815-12-10","appointment":"2026-03-14T09:30:00+01:00","seats":3,"budget":1234.5,"newsletter":true,` +
	`"topics":["compilers","mathematics","poetry","engines","weaving"],` +
	`"comment":"Please call before noon; the bell does ` +
	`not work and the dog barks at everyone who knocks on the door."}`

func BenchmarkAnswer(b *testing.B) {
	doc := []byte(answer)
	b.Run("Check", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			if f := Check(doc, Limits{}); f != nil {
				b.Fatal(f)
			}
		}
	})
	b.Run("ScannerSkip", func(b *testing.B) {
		b.ReportAllocs()
		var s Scanner
		for b.Loop() {
			s.Reset(doc, Limits{})
			s.Skip()
			if !s.End() {
				b.Fatal(s.Fault())
			}
		}
	})
	b.Run("ScannerPull", func(b *testing.B) {
		b.ReportAllocs()
		var s Scanner
		for b.Loop() {
			s.Reset(doc, Limits{})
			walk(&s)
			if !s.End() {
				b.Fatal(s.Fault())
			}
		}
	})
	b.Run("gjson", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if !gjson.ValidBytes(doc) {
				b.Fatal("invalid")
			}
		}
	})
}

func BenchmarkManyKeys(b *testing.B) {
	docs := map[string][]byte{
		"100k": manyKeys(100_000),
		"rows": []byte("[" + strings.Repeat(answer+",", 1999) + answer + "]"),
	}
	for name, doc := range docs {
		b.Run(name+"/Check", func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if f := Check(doc, Limits{Bytes: len(doc), Members: 100_000}); f != nil {
					b.Fatal(f)
				}
			}
		})
		b.Run(name+"/gjson", func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				gjson.ValidBytes(doc)
			}
		})
	}
}

// manyKeys returns an object of n distinct keys of one length that differ only in their last bytes.
func manyKeys(n int) []byte {
	doc := []byte("{")
	for i := range n {
		doc = fmt.Appendf(doc, `"%05d":0,`, i)
	}
	doc[len(doc)-1] = '}'
	return doc
}
