// Command apikey is a server whose tool needs an API key. The person types it on the server's own page, so that neither
// the client nor a model sees it.
package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

type credentials struct {
	Key string `json:"key" title:"API key" description:"From the settings of your account." min:"16" max:"200"`
}

// vault keeps the key of each person. A real server would encrypt it.
type vault struct {
	mu   sync.Mutex
	keys map[string]string
}

func (v *vault) get(user string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.keys[user]
}

func (v *vault) put(user, key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keys[user] = key
}

func (v *vault) handle(ctx context.Context, _ struct{}) (string, error) {
	key := v.get(example.User)
	if key == "" {
		c, err := ask.Secret[credentials](ctx, "The weather service needs your API key.")
		if err != nil {
			return "", err
		}
		key = c.Key
		v.put(example.User, key)
	}
	return forecast(key), nil
}

// forecast stands in for a request with the key.
func forecast(key string) string {
	return fmt.Sprintf("Sunny, says the service to a key of %d characters.", len(key))
}

func main() {
	v := &vault{keys: map[string]string{}}
	example.Main("apikey", func(b *example.Bot) error {
		example.Tool(b, "weather", "Tells the weather. The first call asks the person for an API key.", v.handle)
		return nil
	})
}
