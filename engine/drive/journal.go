package drive

// Journal keeps records. Append returns only when the record is durable; an error makes the driver fail closed.
type Journal interface{ Append(record []byte) error }

// JournalError says that a record could not be kept, and so nothing may be decided.
type JournalError struct{ Err error }

func (e *JournalError) Error() string {
	return "the journal cannot be written, so nothing may be decided: " + e.Err.Error()
}

func (e *JournalError) Unwrap() error { return e.Err }
