package relay

import "github.com/elicit-engine/elicit/engine/wire/acp"

// working has the sessions in which an agent works after its answer to the prompt, and whether the client has cancelled
// that work. Only ACP version 2 needs it.
type working map[string]bool

// maxWorking is the most sessions of which that is remembered.
const maxWorking = 1024

// worksOn records that an agent works in a session.
func (m *Machine) worksOn(session string, cancelled bool) {
	if _, known := m.working[session]; known || session == "" || len(m.working) >= maxWorking {
		return
	}
	if m.working == nil {
		m.working = working{}
	}
	m.working[session] = cancelled
}

// prompted records a new prompt. A question that comes after it belongs to a turn that the client has not cancelled.
func (m *Machine) prompted(session string) {
	if _, known := m.working[session]; known {
		m.working[session] = false
	}
}

// stateTold takes what an update says about the work in a session.
func (m *Machine) stateTold(params []byte) {
	switch session, state := m.agent.ReadState(params); state {
	case acp.Running, acp.RequiresAction:
		m.worksOn(session, false)
	case acp.Idle:
		delete(m.working, session)
	}
}
