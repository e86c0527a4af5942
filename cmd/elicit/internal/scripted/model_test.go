package scripted_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/scripted"
)

func Example() {
	model, err := scripted.Start(scripted.Step{Tool: "Bash", Arguments: map[string]any{"command": "true"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	response, err := http.Post(model.URL()+"/v1/messages", "application/json", strings.NewReader(`{"tools":[{}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(strings.Contains(string(text), `"name":"Bash"`), model.Told())
	// Output: true []
}
