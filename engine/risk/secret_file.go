package risk

import "strings"

// secretFile reports whether a path names a file that usually holds secrets.
func secretFile(path string) bool {
	path = strings.ReplaceAll(lowerASCII(path), `\`, "/")
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case ".env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".bash_history",
		".zsh_history", ".vault-token", "wallet.dat", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "shadow", "master.key",
		".htpasswd", "login.keychain-db":
		return base != "shadow" || path == "/etc/shadow"
	}
	if rest, ok := strings.CutPrefix(base, ".env."); ok {
		return rest != "example" && rest != "sample" && rest != "template" && rest != "dist"
	}
	for _, part := range [...]string{"/.ssh/", "/.gnupg/", "/.aws/", "/.kube/config", "/.docker/config.json",
		"/.config/gcloud", "/.config/gh/", "/.azure/", "/proc/self/environ", "/proc/1/environ"} {
		if strings.Contains("/"+path, part) {
			return !strings.HasSuffix(base, ".pub") && base != "known_hosts"
		}
	}
	return path == "/etc/passwd" || strings.HasSuffix(path, "/.ssh") || strings.HasSuffix(path, "/.aws")
}
