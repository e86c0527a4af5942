package drive

// Journal keeps records. Append returns only when the record is durable. After an error the machine fails closed.
// record has no newline, and the slice is the journal's to keep. Calls come one at a time, in the order of the chain.
type Journal interface{ Append(record []byte) error }

// Restarter is a Journal that can begin a second chain. The machine asks for one when its engine failed and was
// replaced. Without it the records of the new engine cannot be kept, and nothing is decided any more. A second chain in
// the same file would fail every reader at its first record, so it needs a file of its own.
type Restarter interface{ Restart() error }

// JournalError says that a record could not be kept, so that nothing may be decided.
type JournalError struct{ Err error }

func (e *JournalError) Error() string {
	return "the journal cannot be written, so nothing may be decided: " + e.Err.Error()
}

func (e *JournalError) Unwrap() error { return e.Err }

// newJournal begins a second chain for an engine that replaces one that failed.
func (d *Driver) newJournal() error {
	if d.opts.Journal == nil {
		return nil
	}
	again, ok := d.opts.Journal.(Restarter)
	if !ok {
		return &JournalError{errOneChain}
	}
	if err := again.Restart(); err != nil {
		return &JournalError{err}
	}
	return nil
}
