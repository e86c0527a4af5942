<?php // Calls a tool, asks its questions: ELICIT_LIBRARY=libelicit.so.1 php client.php JOURNAL SERVER ARGUMENT...
$c = FFI::cdef('
  typedef struct { void *data; size_t size; } elicit_bytes;
  typedef struct { void *data; int (*append)(void *, void *, size_t); void *consult, *random; } elicit_host;
  int elicit_open(const char *, size_t, uint64_t *, elicit_bytes *);
  int elicit_step(uint64_t, const char *, size_t, elicit_bytes *);
  int elicit_receive(uint64_t, int, const char *, size_t, elicit_bytes *);
  int elicit_next(uint64_t, const elicit_host *, int64_t, int64_t, elicit_bytes *, elicit_bytes *);
  int elicit_eval(const char *, const char *, size_t, elicit_bytes *);
  void elicit_release(elicit_bytes *);', getenv('ELICIT_LIBRARY') ?: 'libelicit.so.1');
$opening = '{"relay":{"server":"demo","role":"client","modes":["form"]},"pull":true}';
$calls = ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"snapshot"}}'];
function call(string $function, ...$input): array { // returns the document, and the bytes of a message
    global $c;
    [$out, $message] = [$c->new('elicit_bytes'), $c->new('elicit_bytes')];
    $more = $function === 'elicit_next' ? [FFI::addr($message)] : [];
    $status = $c->$function(...$input, ...[FFI::addr($out), ...$more]);
    [$text, $bytes] = array_map(fn ($one) => $one->data ? FFI::string($one->data, $one->size) : null, [$out, $message]);
    $c->elicit_release(FFI::addr($out));
    return $status === 0 ? [json_decode($text, false, 512, JSON_THROW_ON_ERROR), $bytes] : throw new Exception($text);
}
function sized($value): array {
    $text = is_string($value) ? $value : json_encode($value, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
    return [$text, strlen($text)];
}
function say(string $text): void { echo preg_replace('/\p{C}/u', ' ', $text), "\n"; } // a peer's text is only text
function ask(string $text): string { say("  $text?"); return rtrim((string) fgets(STDIN), "\n"); }
function answer(object $show, string $schema): array { // asks the person
    say("$show->server asks: $show->message");
    foreach ($show->findings as $finding) say("  ! $finding->code");
    [$typed, $which] = [new stdClass, ['session' => $show->session, 'id' => $show->id]];
    foreach ($show->form->fields as $field) $typed->{$field->name} = ask($field->label);
    [$read] = call('elicit_eval', 'coerce', ...sized(['schema_text' => $schema, 'text' => $typed]));
    $which['action'] = ask('Send it, y or n') === 'y' ? 'accept' : 'decline';
    return sized(['event' => 'answered', 'content' => $read->content] + $which);
}
[$journal, $host, $relay] = [fopen($argv[1], 'ab'), $c->new('elicit_host'), $c->new('uint64_t')];
$server = proc_open(array_slice($argv, 2), [['pipe', 'r'], ['pipe', 'w']], $pipes);
$keep = fn ($record) => fwrite($journal, "$record\n") && fsync($journal);
$host->append = fn ($data, $at, $size) => $at && $keep(FFI::string($at, $size)) ? 0 : 1; // 0: it is on the disk
call('elicit_open', ...[...sized($opening), FFI::addr($relay)]);
foreach ($calls as $text) call('elicit_receive', $relay->cdata, 1, ...sized($text));
while (true) {
    [$effect, $bytes] = call('elicit_next', $relay->cdata, FFI::addr($host), -1, -1);
    $kind = $effect->effect ?? 'wait';
    if ($bytes !== null) $effect->to === 'server' ? fwrite($pipes[0], "$bytes\n") : say($bytes);
    if ($bytes !== null && $effect->to === 'client' && str_contains($bytes, '"id":2,')) exit;
    if ($kind === 'show') $show = $effect;
    if ($kind === 'question') $schema = $effect->schema_text;
    if ($kind === 'problem') foreach ($effect->problems as $wrong) say("  $wrong->pointer: $wrong->code");
    if ($kind === 'show' || $kind === 'problem' && $effect->about === 'answer')
        call('elicit_step', $relay->cdata, ...answer($show, $schema));
    if ($kind === 'close') exit;
    [$in, $no] = [[$pipes[1]], null];
    if ($kind !== 'wait' || !stream_select($in, $no, $no, 0, 1000 * ($effect->wait & 0x3fff))) continue; // or early
    if ($line = fgets($pipes[1])) call('elicit_receive', $relay->cdata, 2, ...sized(rtrim($line, "\n")));
    else call('elicit_step', $relay->cdata, ...sized('{"event":"ended","end":"server"}'));
}
