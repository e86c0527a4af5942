package abi

import "testing"

func TestAskerTellsWhoNeedsTheFallback(t *testing.T) {
	var table Table
	h, out, status := table.Open([]byte(`{"asker":{"server":"bot","fallback":"answer"},"at":1}`), nil)
	if status != OK {
		t.Fatalf("open: %d %s", status, out)
	}
	tests := map[string]struct {
		in     string
		status Status
		tool   bool
	}{
		"both":       {`{"fallback":{"version":"2025-11-25","declared":["form","url"],"requests":true}}`, OK, false},
		"forms":      {`{"fallback":{"version":"2025-11-25","declared":["form"],"requests":true}}`, OK, true},
		"no forms":   {`{"fallback":{"version":"2025-11-25","requests":true}}`, OK, true},
		"unknown":    {`{"fallback":{"wants":1}}`, Invalid, false},
		"beside":     {`{"fallback":{},"x":1}`, Invalid, false},
		"not a mode": {`{"fallback":{"declared":["voice"]}}`, Invalid, false},
	}
	for name, test := range tests {
		out, status := table.Step(h, []byte(test.in), nil)
		if status != test.status || status == OK && (string(out[:6]) == `{"tool`) != test.tool {
			t.Errorf("%s: %d %s", name, status, out)
		}
	}
}
