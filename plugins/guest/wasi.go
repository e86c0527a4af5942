package guest

import (
	"strings"

	"github.com/elicit-engine/elicit/plugins/meter"
)

const wasiModule = "wasi_snapshot_preview1"

// wasi are all functions of WASI preview 1 with their types in the meter's letters. All but proc_exit give an errno.
const wasi = `
args_get ii
args_sizes_get ii
clock_res_get ii
clock_time_get iIi
environ_get ii
environ_sizes_get ii
fd_advise iIIi
fd_allocate iII
fd_close i
fd_datasync i
fd_fdstat_get ii
fd_fdstat_set_flags ii
fd_fdstat_set_rights iII
fd_filestat_get ii
fd_filestat_set_size iI
fd_filestat_set_times iIIi
fd_pread iiiIi
fd_prestat_dir_name iii
fd_prestat_get ii
fd_pwrite iiiIi
fd_read iiii
fd_readdir iiiIi
fd_renumber ii
fd_seek iIii
fd_sync i
fd_tell ii
fd_write iiii
path_create_directory iii
path_filestat_get iiiii
path_filestat_set_times iiiiIIi
path_link iiiiiii
path_open iiiiiIIii
path_readlink iiiiii
path_remove_directory iii
path_rename iiiiii
path_symlink iiiii
path_unlink_file iii
poll_oneoff iiii
proc_exit i
proc_raise i
random_get ii
sched_yield
sock_accept iii
sock_recv iiiiii
sock_send iiiii
sock_shutdown ii
`

// dear are the functions that do more than answer a number or two, with the fuel a call costs besides. Each is
// charged for the most it may do: 1,024 bytes of chance, 64 vectors, 64 subscriptions.
var dear = map[string]int{"random_get": 5_000, "fd_write": 10_000, "poll_oneoff": 10_000}

// WASIImports are the functions of WASI preview 1. The list is closed: a host must serve each of them.
func WASIImports() []meter.Import {
	var list []meter.Import
	for line := range strings.SplitSeq(strings.TrimSpace(wasi), "\n") {
		name, params, _ := strings.Cut(line, " ")
		results := "i"
		if name == "proc_exit" {
			results = ""
		}
		fuel := max(dear[name], 128)
		list = append(list, meter.Import{Module: wasiModule, Name: name, Params: params, Results: results, Fuel: fuel})
	}
	return list
}
