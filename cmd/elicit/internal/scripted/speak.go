package scripted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// reply is one response of the model.
type reply struct {
	http.ResponseWriter
	request *http.Request
	turn    int
	step    *Step // nil to say that all is done
	stream  bool
}

const farewell = "That is all."

func (r *reply) id() string { return fmt.Sprint("call_", r.turn) }

// whole writes a response as one JSON object.
func (r *reply) whole(v object) {
	r.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(r).Encode(v) // an agent that is gone needs no response
}

// events writes a response as a stream of events. name gives the name of each, "" for none.
func (r *reply) events(name func(object) string, list ...object) {
	r.Header().Set("Content-Type", "text/event-stream")
	for _, v := range list {
		if n := name(v); n != "" {
			fmt.Fprintf(r, "event: %s\n", n)
		}
		text, _ := json.Marshal(v)
		fmt.Fprintf(r, "data: %s\n\n", text)
	}
}

func unnamed(object) string { return "" }

func (r *reply) anthropic() {
	start, delta, why := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": farewell}, "end_turn"
	block := object{"type": "text", "text": farewell}
	if r.step != nil {
		text, _ := json.Marshal(r.step.Arguments)
		start = object{"type": "tool_use", "id": r.id(), "name": r.step.Tool, "input": object{}}
		delta, why = object{"type": "input_json_delta", "partial_json": string(text)}, "tool_use"
		block = object{"type": "tool_use", "id": r.id(), "name": r.step.Tool, "input": r.step.Arguments}
	}
	message := func(content []object, why any) object {
		return object{"id": fmt.Sprint("msg_", r.turn), "type": "message", "role": "assistant", "model": "scripted",
			"content": content, "stop_reason": why, "stop_sequence": nil,
			"usage": object{"input_tokens": 1, "output_tokens": 1}}
	}
	if !r.stream {
		r.whole(message([]object{block}, why))
		return
	}
	r.events(func(v object) string { return v["type"].(string) },
		object{"type": "message_start", "message": message([]object{}, nil)},
		object{"type": "content_block_start", "index": 0, "content_block": start},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": why, "stop_sequence": nil},
			"usage": object{"output_tokens": 1}},
		object{"type": "message_stop"})
}

func (r *reply) openAI() {
	message, why := object{"role": "assistant", "content": farewell}, "stop"
	if r.step != nil {
		text, _ := json.Marshal(r.step.Arguments)
		message = object{"role": "assistant", "content": nil, "tool_calls": []object{{"index": 0, "id": r.id(),
			"type": "function", "function": object{"name": r.step.Tool, "arguments": string(text)}}}}
		why = "tool_calls"
	}
	response := func(kind, member string, choice object) object {
		return object{"id": fmt.Sprint("chat_", r.turn), "object": kind, "created": 1, "model": "scripted",
			"choices": []object{{"index": 0, member: choice, "finish_reason": why}},
			"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
	}
	if !r.stream {
		r.whole(response("chat.completion", "message", message))
		return
	}
	r.events(unnamed, response("chat.completion.chunk", "delta", message))
	fmt.Fprint(r, "data: [DONE]\n\n")
}

func (r *reply) gemini() {
	part := object{"text": farewell}
	if r.step != nil {
		part = object{"functionCall": object{"name": r.step.Tool, "args": r.step.Arguments}}
	}
	response := object{"candidates": []object{{"index": 0, "finishReason": "STOP",
		"content": object{"role": "model", "parts": []object{part}}}}, "modelVersion": "scripted",
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
	if strings.HasSuffix(r.request.URL.Path, ":generateContent") {
		r.whole(response)
		return
	}
	r.events(unnamed, response)
}
