package gate

import "github.com/elicit-engine/elicit/engine/wire"

// Some honest peers write a message in an odd way that has only one meaning: null for a member that is not there, an
// id or a code as 5.0. Readers may still differ on the odd spelling. So the machine never forwards it. It reads and
// forwards the message in its own spelling, which every reader understands in the same way.

// ownSpelling returns the message in the machine's spelling, or nil if it has that already. The envelope has been
// read, and id is the raw id.
//
// Each null is removed only if the rest still makes one kind of message. {"id":1,"method":"ping","result":null} is a
// call, and {"id":1,"result":null,"error":null} becomes an answer with the result null.
func (m *Message) ownSpelling(id []byte) []byte {
	var cut []string
	null := func(raw []byte) bool { return string(raw) == "null" }
	said := func(raw []byte) bool { return raw != nil && !null(raw) }
	if null(m.Params) {
		cut = append(cut, "params")
	}
	if null(m.Name) && (m.Result != nil || said(m.Failure)) {
		cut = append(cut, "method")
	}
	if null(m.Failure) && (m.Result != nil || said(m.Name)) {
		cut = append(cut, "error")
	}
	if null(m.Result) && (said(m.Name) || said(m.Failure)) {
		cut = append(cut, "result")
	}
	plain := PlainID(id)
	oddID := plain != nil && string(plain) != string(id)
	code := plainCode(m.Code)
	oddCode := code != nil && string(code) != string(m.Code)
	if cut == nil && !oddID && !oddCode {
		return nil
	}
	o, ok := wire.ReadObject(m.Raw)
	if !ok {
		return nil
	}
	edits := o.Exchange(nil, nil, cut...)
	if oddID {
		edits = append(edits, exchanged(o, "id", plain))
	}
	if oddCode {
		e, _ := o.Child("error")
		edits = append(edits, exchanged(e, "code", code))
	}
	return wire.Apply(nil, m.Raw, edits)
}

// exchanged is the edit that gives a member of o another value. The member is there.
func exchanged(o wire.Object, name string, value []byte) wire.Edit {
	m, _ := o.Find(name)
	return wire.Edit{Start: m.Value, End: m.End, With: value}
}

// plainCode returns the one spelling of a code that every reader takes for the same 32-bit integer, or nil.
func plainCode(raw []byte) []byte {
	text, n, ok := Integer(raw)
	if !ok || n < -1<<31 || n >= 1<<31 {
		return nil
	}
	return text
}
