# Calls a tool and asks its questions here: ELICIT_LIBRARY=libelicit.so.1 ruby client.rb JOURNAL TOOL SERVER ARGUMENT...
%w[fiddle/import json].each { |name| require name } && include(Fiddle)
module C
  extend(Fiddle::Importer).dlload(ENV.fetch("ELICIT_LIBRARY", "libelicit.so.1"))
  extern "int elicit_open(char *, size_t, void *, void *)"
  extern "int elicit_step(unsigned long long, char *, size_t, void *)"
  extern "int elicit_receive(unsigned long long, int, char *, size_t, void *)"
  extern "int elicit_next(unsigned long long, void *, long long, long long, void *, void *)"
  extern "int elicit_eval(char *, char *, size_t, void *)"
  extern "void elicit_release(void *)"
end
HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "client.rb", version: "1" } }.freeze
path, tool = ARGV.size > 2 ? ARGV.shift(2) : abort("usage: ruby client.rb JOURNAL TOOL SERVER ARGUMENT...")
CALLS = [{ method: "notifications/initialized" }, { id: 2, method: "tools/call", params: { name: tool } }].freeze
def sized(value) = [text = value.is_a?(String) ? value : JSON.generate(value), text.bytesize]
def bytes((start, size)) = start.zero? ? nil : Pointer.new(start)[0, size].force_encoding("UTF-8")
def call(function, *input, message: nil) # returns the document, and the bytes of a message
  status = C.public_send(function, *input, out = "\0" * 16, *message) # an elicit_bytes
  read = [out, message].compact.map { |each| bytes(each.unpack("J2")) }
  C.elicit_release(out)
  status.zero? ? [JSON.parse(read[0]), read[1]] : raise(read[0])
end
def say(text) = puts(text.gsub(/\p{C}/, " ")) # what a server says is only text
def ask(text) = say("  #{text}?") || $stdin.gets.to_s.chomp
def answer(show, schema) # asks the person
  say "#{show["server"]} asks: #{show["message"]}"
  show["findings"].each { |finding| say "  ! #{finding["code"]}" }
  typed = show["form"]["fields"].to_h { |field| [field["name"], ask(field["label"])] }
  read, = call(:elicit_eval, "coerce", *sized({ schema_text: schema, text: typed }))
  which = { event: "answered", content: read["content"], **show.slice("session", "id") }
  sized({ **which, action: ask("Send it, y or n") == "y" ? "accept" : "decline" })
end
journal, server = File.open(path, "ab"), IO.popen(ARGV, "r+b")
keep = Closure::BlockCaller.new(TYPE_INT, [TYPE_VOIDP, TYPE_VOIDP, TYPE_SIZE_T]) do |_, at, size|
  at.null? ? 1 : journal.write(at[0, size], "\n") && journal.fsync rescue 1 # 0 for what is on the disk
end
host, handle, message = [0, keep.to_i, 0, 0].pack("J4"), "\0" * 8, "\0" * 16
call(:elicit_open, *sized('{"relay":{"server":"demo","role":"client","modes":["form"]},"pull":true}'), handle)
relay = handle.unpack1("Q")
take = ->(from, message) { call(:elicit_receive, relay, from, *sized(message)) }
take.(1, { jsonrpc: "2.0", id: 1, method: "initialize", params: HELLO })
while true
  effect, written = call(:elicit_next, relay, host, -1, -1, message: message)
  case effect["effect"]
  when "forward", "send"
    next server.write(written, "\n") if effect["to"] == "server"
    say(written) || JSON.parse(written)["id"] == 2 && exit
    CALLS.each { |each| take.(1, { jsonrpc: "2.0", **each }) } if JSON.parse(written)["id"] == 1
  when "question" then schema = effect["schema_text"]
  when "show" then call(:elicit_step, relay, *answer(show = effect, schema))
  when "problem"
    effect["problems"].each { |wrong| say "  #{wrong["pointer"]}: #{wrong["code"]}" }
    call(:elicit_step, relay, *answer(show, schema)) if effect["about"] == "answer"
  when "close" then exit
  when nil
    IO.select([server], nil, nil, effect["wait"].negative? ? nil : effect["wait"] / 1000.0) || next
    line = server.gets&.delete_suffix("\n")
    line ? take.(2, line) : call(:elicit_step, relay, *sized({ event: "ended", end: "server" }))
  end
end
