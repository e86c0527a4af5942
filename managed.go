package elicit

import "github.com/elicit-engine/elicit/internal/managed"

// ManagedPolicy reads the policy that the administrator of this machine wrote, with the checks that
// docs/reference/policy.md lists. Without one it returns no layer. A file that is there and cannot be used becomes a
// layer that declines every question and says what is wrong, so a host only adds its own layers:
//
//	config.Policy = elicit.ManagedPolicy()
//	config.Policy.User = user
func ManagedPolicy() Policies {
	p := managed.Read()
	return Policies{Managed: p.Text, ManagedPath: p.Path}
}
