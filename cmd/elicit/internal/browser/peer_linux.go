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

// foreigner reports whether a request comes from a program of another user of this machine, and which. The kernel lists
// the owner of each end of a connection. Root may come in, because root can read everything anyway and forwards ports
// for others; so may the user who started us with sudo. An end that is not listed is nobody's we know of, and the
// invitation decides.
func foreigner(r *http.Request) (user string, foreign bool) {
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
			return user, user != strconv.Itoa(os.Geteuid()) && user != "0" && (os.Geteuid() != 0 || user != os.Getenv("SUDO_UID"))
		}
	}
	return "", false
}

// ownerOf finds the user who owns the end of a connection at local, in a list such as /proc/net/tcp.
func ownerOf(list io.Reader, local, remote netip.AddrPort) (user string, found bool) {
	from, to := spelledByKernel(local), spelledByKernel(remote)
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		// sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid …
		if f := strings.Fields(lines.Text()); len(f) > 7 && f[1] == from && f[2] == to {
			return f[7], true
		}
	}
	return "", false
}

// spelledByKernel is an address as the kernel prints it: words of four bytes in the order of this machine, then the
// port.
func spelledByKernel(a netip.AddrPort) string {
	raw := a.Addr().AsSlice()
	out := make([]byte, len(raw))
	for i := 0; i+4 <= len(raw); i += 4 {
		binary.BigEndian.PutUint32(out[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	return strings.ToUpper(hex.EncodeToString(out)) + fmt.Sprintf(":%04X", a.Port())
}
