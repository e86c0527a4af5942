package host

import "encoding/binary"

// shim is WASI preview 1 without a world: no files, no arguments, a clock that moves only when the guest sleeps, random
// bytes that are the same every time. It is the whole state of one instance; what is here and nothing else decides what
// a guest sees, and the hosts in other languages follow it line by line (plugins/ABI.md).
type shim struct {
	random uint64 // SplitMix64, from 0
	slept  uint64 // nanoseconds
	exited bool   // the guest has called proc_exit
	code   uint32 // with which it did
}

// errno is a WASI error number.
type errno = uint32

const (
	success errno = 0
	badf    errno = 8
	fault   errno = 21
	inval   errno = 28
	nosys   errno = 52
)

// These limits hold for one call, so that no call costs more than its fuel.
const (
	maxRandom  = 1 << 10 // bytes of random_get
	maxVectors = 64      // of fd_write
	maxWaits   = 64      // of poll_oneoff
	maxWritten = 1 << 10 // bytes of one fd_write that are looked at; the others count as written
)

// tick is what every clock reads at first, in nanoseconds, and how fine it is: not 0, which Go's runtime takes for a
// clock that does not work.
const tick = 1

// memory is a guest's memory while one of its calls is answered.
type memory []byte

// at returns the n bytes at ptr, nil when they are not all there.
func (m memory) at(ptr, n uint32) []byte {
	if uint64(ptr)+uint64(n) > uint64(len(m)) {
		return nil
	}
	return m[ptr : ptr+n : ptr+n]
}

// put writes a little-endian number of 1, 4 or 8 bytes.
func (m memory) put(ptr, size uint32, v uint64) errno {
	to := m.at(ptr, size)
	if to == nil {
		return fault
	}
	var bytes [8]byte
	binary.LittleEndian.PutUint64(bytes[:], v)
	copy(to, bytes[:])
	return success
}

// counts answers args_sizes_get and environ_sizes_get: none, and no bytes.
func (s *shim) counts(m memory, count, bytes uint32) errno {
	if e := m.put(count, 4, 0); e != success {
		return e
	}
	return m.put(bytes, 4, 0)
}

// clock answers clock_time_get, and clock_res_get with nothing slept, for the four clocks there are.
func (s *shim) clock(m memory, id, ptr uint32, slept uint64) errno {
	if id > 3 {
		return inval
	}
	return m.put(ptr, 8, tick+slept)
}

// forever is the furthest a clock goes.
const forever = 1<<63 - 1

// wait answers poll_oneoff: nobody waits, the clock jumps to the first moment asked for, and what was due by then is
// told. Waiting for a stream fails, and then nothing is slept.
func (s *shim) wait(m memory, waits, events, n, told uint32) errno {
	if n == 0 || n > maxWaits {
		return inval
	}
	const in, out = 48, 32 // bytes of a subscription and of an event
	list := m.at(waits, in*n)
	if list == nil || m.at(events, out*n) == nil {
		return fault
	}
	list = append([]byte(nil), list...) // the guest may have them overlap
	first, streams := uint64(forever), false
	until := make([]uint64, n)
	for i := range until {
		of := list[in*i:]
		if of[8] != 0 {
			streams = true
			continue
		}
		until[i] = min(binary.LittleEndian.Uint64(of[24:]), forever)
		if of[40]&1 == 0 { // from now, not at a moment
			until[i] = min(until[i]+s.slept, forever)
		} else {
			until[i] -= min(until[i], tick)
		}
		first = min(first, until[i])
	}
	if !streams {
		s.slept = max(s.slept, first)
	}
	count := uint32(0)
	for i := range until {
		of := list[in*i:]
		stream := of[8] != 0
		if !stream && (streams || until[i] > s.slept) {
			continue
		}
		event := m.at(events+out*count, out)
		clear(event)
		copy(event, of[:8]) // what the guest calls it
		event[10] = of[8]
		if stream {
			event[8] = byte(badf)
		}
		count++
	}
	return m.put(told, 4, uint64(count))
}

// fill answers random_get: words of SplitMix64 in little-endian order, a new word for each call's first byte.
func (s *shim) fill(m memory, ptr, n uint32) errno {
	if n > maxRandom {
		return inval
	}
	to := m.at(ptr, n)
	if to == nil {
		return fault
	}
	for len(to) > 0 {
		s.random += 0x9e3779b97f4a7c15
		z := s.random
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], z^z>>31)
		to = to[copy(to, word[:]):]
	}
	return success
}

// write answers fd_write for standard output and standard error: into the log, and all of it counts as written.
func (s *shim) write(m memory, l *log, fd, vectors, n, written uint32) errno {
	if fd != 1 && fd != 2 {
		return badf
	}
	if n > maxVectors {
		return inval
	}
	list := m.at(vectors, 8*n)
	if list == nil {
		return fault
	}
	total, room := uint32(0), uint32(maxWritten)
	for ; len(list) > 0; list = list[8:] {
		piece := m.at(binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[4:]))
		if piece == nil {
			return fault
		}
		total += uint32(len(piece))
		seen := min(room, uint32(len(piece)))
		room -= seen
		if seen > 0 {
			l.write(int(fd-1), piece[:seen])
		}
	}
	return m.put(written, 4, uint64(total))
}

// status answers fd_fdstat_get: the standard streams are character devices, 0 to read and 1 and 2 to write.
func (s *shim) status(m memory, fd, ptr uint32) errno {
	if fd > 2 {
		return badf
	}
	to := m.at(ptr, 24)
	if to == nil {
		return fault
	}
	clear(to)
	to[0] = 2 // character device
	to[8] = 1 << 1
	if fd > 0 {
		to[8] = 1 << 6
	}
	return success
}

// exit answers proc_exit. The caller ends the guest there and then.
func (s *shim) exit(code uint32) { s.exited, s.code = true, code }
