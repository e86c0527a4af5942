<?php // Calls a tool, and asks its questions here.
if ($argc < 4) exit("ELICIT_LIBRARY=libelicit.so.1 php client.php JOURNAL TOOL SERVER ARGUMENT...\n");
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
$hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' .
    '"capabilities":{},"clientInfo":{"name":"client.php","version":"1"}}}';
[$begun, $gone] = ['{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"event":"ended","end":"server"}'];
$tool = ['jsonrpc' => '2.0', 'id' => 2, 'method' => 'tools/call', 'params' => ['name' => $argv[2]]];
function call(string $function, ...$input): array { // returns the document, and the bytes of a message
    global $c;
    [$out, $message] = [$c->new('elicit_bytes'), $c->new('elicit_bytes')];
    $more = $function === 'elicit_next' ? [FFI::addr($message)] : [];
    $status = $c->$function(...$input, ...[FFI::addr($out), ...$more]);
    [$text, $bytes] = array_map(fn ($one) => $one->data ? FFI::string($one->data, $one->size) : null, [$out, $message]);
    $c->elicit_release(FFI::addr($out));
    return $status === 0 ? [json_decode($text, false, 512, JSON_THROW_ON_ERROR), $bytes] : throw new Exception($text);
}
function sized($it): array {
    is_string($it) || $it = json_encode($it, JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR);
    return [$it, strlen($it)];
}
function say(string $text): void { echo preg_replace('/\p{C}/u', ' ', $text), "\n"; } // a peer's text is only text
function ask(string $text): string { say("  $text?"); return rtrim((string) fgets(STDIN), "\n"); }
function answer(object $show, string $schema): array { // asks the person
    say("$show->server asks: $show->message");
    foreach ($show->findings as $finding) say("  ! $finding->code");
    [$typed, $which] = [new stdClass, ['event' => 'answered', 'session' => $show->session, 'id' => $show->id]];
    foreach ($show->form->fields as $field) $typed->{$field->name} = ask($field->label);
    [$read] = call('elicit_eval', 'coerce', ...sized(['schema_text' => $schema, 'text' => $typed]));
    $which['action'] = ask('Send it, y or n') === 'y' ? 'accept' : 'decline';
    return sized($which + ['content' => $read->content]);
}
[$log, $host, $relay] = [fopen($argv[1], 'ab'), $c->new('elicit_host'), $c->new('uint64_t')];
$server = proc_open(array_slice($argv, 3), [['pipe', 'r'], ['pipe', 'w']], $pipes);
$keep = fn ($at, $size) => $at && fwrite($log, FFI::string($at, $size) . "\n") && fsync($log);
$host->append = fn ($_, $at, $size) => $keep($at, $size) ? 0 : 1; // 0 for what is on the disk
call('elicit_open', ...[...sized($opening), FFI::addr($relay)]);
$take = fn ($from, $one) => call('elicit_receive', $relay->cdata, $from, ...sized($one));
$take(1, $hello);
while (true) {
    [$effect, $bytes] = call('elicit_next', $relay->cdata, FFI::addr($host), -1, -1);
    [$kind, $in, $no] = [$effect->effect ?? 'wait', [$pipes[1]], null];
    if ($bytes !== null) $effect->to === 'server' ? fwrite($pipes[0], "$bytes\n") : say($bytes);
    $reply = $bytes !== null && $effect->to === 'client' ? json_decode($bytes)->id ?? 0 : 0;
    if ($reply === 1) [$take(1, $begun), $take(1, $tool)]; elseif ($kind === 'close' || $reply === 2) exit;
    if ($kind === 'show') $show = $effect; elseif ($kind === 'question') $form = $effect->schema_text;
    if ($kind === 'problem') foreach ($effect->problems as $wrong) say("  $wrong->pointer: $wrong->code");
    $asks = in_array($effect->about ?? $kind, ['show', 'answer']);
    if ($asks) call('elicit_step', $relay->cdata, ...answer($show, $form));
    if ($kind !== 'wait' || !stream_select($in, $no, $no, 0, 1000 * ($effect->wait & 0x3fff))) continue; // or early
    if ($line = fgets($pipes[1])) $take(2, rtrim($line)); else call('elicit_step', $relay->cdata, ...sized($gone));
}
