package browser

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// otherUser reports whether a request comes from a program of another user of this machine, and the id of that user.
// The kernel lists the owner of each end of a connection. Root may connect, because root can read everything anyway and
// forwards ports for other users. So may the user who started this process with sudo. When the kernel does not list the
// connection, the owner is unknown, and the invitation decides.
func otherUser(r *http.Request) (user string, foreign bool) {
	ours, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return "", false
	}
	here, herr := netip.ParseAddrPort(ours.String())
	there, terr := netip.ParseAddrPort(r.RemoteAddr)
	if herr != nil || terr != nil {
		return "", false
	}
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		list, err := os.Open(name)
		if err != nil {
			continue
		}
		user, found := ownerOf(list, there, here)
		list.Close()
		if found {
			bySudo := os.Geteuid() == 0 && user == os.Getenv("SUDO_UID")
			return user, user != strconv.Itoa(os.Geteuid()) && user != "0" && !bySudo
		}
	}
	return "", false
}

// ownerOf finds the user who owns the end of a connection at local, in a list such as /proc/net/tcp.
func ownerOf(list io.Reader, local, remote netip.AddrPort) (user string, found bool) {
	from, to := kernelAddress(local), kernelAddress(remote)
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		// sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid …
		if f := strings.Fields(lines.Text()); len(f) > 7 && f[1] == from && f[2] == to {
			return f[7], true
		}
	}
	return "", false
}

// kernelAddress returns an address in the format of the kernel: words of four bytes in the byte order of this machine,
// in hex, then the port.
func kernelAddress(a netip.AddrPort) string {
	raw := a.Addr().AsSlice()
	out := make([]byte, len(raw))
	for i := 0; i+4 <= len(raw); i += 4 {
		binary.BigEndian.PutUint32(out[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	return strings.ToUpper(hex.EncodeToString(out)) + fmt.Sprintf(":%04X", a.Port())
}
