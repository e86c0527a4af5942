/* The functions of elicit.h. They check arguments, and put outputs into memory that C owns. What is below them, call.h
 * describes. */
#include "elicit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { OP_DESCRIBE = 0, OP_OPEN = 1, OP_STEP = 2, OP_CLOSE = 3, OP_FORM = 4, OP_CHECK = 5, OP_GUEST = 6,
       OP_DATA = 9, OP_NEXT = 12, ROOM = 1024 };

/* The operation that takes a message of an end is OP_GUEST + that end: 7 for ELICIT_CLIENT, 8 for ELICIT_SERVER. */

#define TEXT_OF(number) #number
#define TOO_LARGE(code, limit) \
  "{\"problems\":[{\"code\":\"" code "\",\"pointer\":\"\",\"args\":{\"limit\":" TEXT_OF(limit) "}}]}"
#define MODULE_TOO_LARGE(limit) \
  "{\"problems\":[{\"code\":\"module_too_large\",\"pointer\":\"\",\"args\":{\"offset\":" TEXT_OF(limit) \
  ",\"detail\":\"the module has more bytes than the limit\"}}]}"
#define UNUSABLE "{\"problems\":[{\"code\":\"bad_input\",\"pointer\":\"\"}]}"

/* put copies an answer into new memory. */
static elicit_status put(elicit_bytes *out, const char *data, size_t size) {
  char *copy;
  if (out == NULL) return ELICIT_OK;
  copy = malloc(size + 1);
  if (copy == NULL) return ELICIT_NO_MEMORY;
  memcpy(copy, data, size);
  copy[size] = 0;
  out->data = copy;
  out->size = size;
  return ELICIT_OK;
}

/* refuse answers a call that does not reach the engine. */
static elicit_status refuse(elicit_status status, const char *document, elicit_bytes *out) {
  elicit_status stored;
  if (out != NULL) memset(out, 0, sizeof *out);
  stored = put(out, document, strlen(document));
  return stored == ELICIT_OK ? status : stored;
}

/* deliver moves an answer to `out`, from the near buffer or the memory of the Go side. */
static elicit_status deliver(const elicit_call *c, elicit_bytes *out) {
  if (c->length == 0) return ELICIT_NO_MEMORY;
  if (c->far == NULL) return put(out, c->near, c->length);
  if (out == NULL) {
    free(c->far);
    return ELICIT_OK;
  }
  out->data = c->far;
  out->size = c->length;
  return ELICIT_OK;
}

/* run makes one call. Members that the caller leaves out of c are zero. */
static elicit_status run(elicit_call c, elicit_handle *opened, elicit_bytes *out) {
  char near[ROOM];
  elicit_status status, delivered;
  int brief = c.op == OP_CHECK || (c.op > OP_GUEST && c.op < OP_DATA); /* see elicit_perform */
  if (out != NULL) memset(out, 0, sizeof *out);
  if (elicit_forked()) return refuse(ELICIT_FORKED, "{\"problems\":[{\"code\":\"forked\",\"pointer\":\"\"}]}", out);
  if (c.op > OP_GUEST && c.op < OP_DATA && c.size > ELICIT_MAX_MESSAGE)
    return refuse(ELICIT_TOO_LARGE, TOO_LARGE("message_too_long", ELICIT_MAX_MESSAGE), out);
  if (c.op == OP_GUEST && c.size > ELICIT_MAX_INPUT)
    return refuse(ELICIT_TOO_LARGE, MODULE_TOO_LARGE(ELICIT_MAX_INPUT), out);
  if (c.op < OP_GUEST && c.size > ELICIT_MAX_INPUT)
    return refuse(ELICIT_TOO_LARGE, TOO_LARGE("json_size", ELICIT_MAX_INPUT), out);
  if (c.input == NULL && c.size > 0) return refuse(ELICIT_INVALID, UNUSABLE, out);
  c.near = near;
  c.room = sizeof near;
  status = (elicit_status)elicit_perform(&c, brief);
  delivered = deliver(&c, out);
  if (delivered != ELICIT_OK) {
    if (c.opened != 0 && c.op != OP_NEXT) elicit_close(c.opened); /* the caller does not get its handle */
    return delivered;
  }
  if (status == ELICIT_OK && opened != NULL) *opened = c.opened;
  return status;
}

uint32_t elicit_abi(void) { return ELICIT_ABI; }

const char *elicit_status_name(elicit_status status) {
  static const char *const names[] = {"ok",       "invalid",  "unknown_handle", "too_large",
                                      "conflict", "internal", "forked",         "no_memory"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown_status";
}

elicit_status elicit_describe(elicit_bytes *out) { return run((elicit_call){.op = OP_DESCRIBE}, NULL, out); }

elicit_status elicit_open(const char *config, size_t size, elicit_handle *engine, elicit_bytes *out) {
  if (engine == NULL) return refuse(ELICIT_INVALID, UNUSABLE, out);
  return run((elicit_call){.op = OP_OPEN, .input = config, .size = size}, engine, out);
}

elicit_status elicit_step(elicit_handle engine, const char *input, size_t size, elicit_bytes *out) {
  return run((elicit_call){.op = OP_STEP, .handle = engine, .input = input, .size = size}, NULL, out);
}

elicit_status elicit_receive(elicit_handle relay, elicit_end from, const char *message, size_t size,
                             elicit_bytes *out) {
  uint32_t op = OP_GUEST + (uint32_t)from;
  if (from != ELICIT_CLIENT && from != ELICIT_SERVER) return refuse(ELICIT_INVALID, UNUSABLE, out);
  return run((elicit_call){.op = op, .handle = relay, .input = message, .size = size}, NULL, out);
}

/* next_input writes the input of OP_NEXT: the times that are given, and the random bytes of a host that has its own. */
static size_t next_input(char *input, size_t room, const elicit_host *host, int64_t at, int64_t elapsed, int failed) {
  unsigned char bytes[32] = {0};
  size_t size = (size_t)snprintf(input, room, "{\"failed\":%s", failed ? "true" : "false"), i;
  if (at >= 0) size += (size_t)snprintf(input + size, room - size, ",\"at\":%lld", (long long)at);
  if (elapsed >= 0) size += (size_t)snprintf(input + size, room - size, ",\"elapsed\":%lld", (long long)elapsed);
  if (host != NULL && host->random != NULL) {
    if (host->random(host->data, bytes) != 0) {
      size += (size_t)snprintf(input + size, room - size, ",\"no_random\":true");
    } else {
      size += (size_t)snprintf(input + size, room - size, ",\"random\":\"");
      for (i = 0; i < sizeof bytes; i++) size += (size_t)snprintf(input + size, room - size, "%02x", bytes[i]);
      size += (size_t)snprintf(input + size, room - size, "\"");
    }
  }
  return size + (size_t)snprintf(input + size, room - size, "}");
}

static int begins(const elicit_bytes *document, const char *with) {
  size_t size = strlen(with);
  return document->size >= size && memcmp(document->data, with, size) == 0;
}

/* called lets the host perform an effect of its callbacks. It returns 0 for any other effect. */
static int called(const elicit_host *host, const elicit_bytes *effect, int *failed) {
  static const char record[] = "{\"effect\":\"append\",\"record\":";
  int keeps = host != NULL && host->append != NULL, asks = host != NULL && host->consult != NULL;
  if (begins(effect, record))
    *failed = keeps && host->append(host->data, effect->data + sizeof record - 1, effect->size - sizeof record) != 0;
  else if (begins(effect, "{\"effect\":\"new_journal\""))
    *failed = keeps && host->append(host->data, NULL, 0) != 0;
  else if (begins(effect, "{\"effect\":\"consult\""))
    *failed = !asks || host->consult(host->data, effect->data, effect->size) != 0;
  else
    return 0;
  return 1;
}

elicit_status elicit_next(elicit_handle relay, const elicit_host *host, int64_t at, int64_t elapsed, elicit_bytes *out,
                          elicit_bytes *message) {
  int failed = 0, answers = 0; /* whether the call tells what a callback returned */
  if (message != NULL) memset(message, 0, sizeof *message);
  if (out == NULL) return ELICIT_INVALID;
  for (;;) {
    char input[256];
    elicit_handle size = 0; /* of the JSON, before the message */
    elicit_status status = run((elicit_call){.op = OP_NEXT, .handle = relay, .input = input,
                                   .size = next_input(input, sizeof input, host, at, elapsed, failed)}, &size, out);
    if (status == ELICIT_CONFLICT && answers) { /* without it, the record that was not kept would count as kept */
      elicit_release(out);
      elicit_yield();
      continue;
    }
    if (status != ELICIT_OK) return status;
    if (message != NULL && out->size > size) {
      message->data = out->data + size + 1;
      message->size = out->size - (size_t)size - 1;
    }
    out->size = (size_t)size;
    if (!called(host, out, &failed)) return ELICIT_OK;
    elicit_release(out);
    answers = 1;
  }
}

elicit_status elicit_eval(const char *op, const char *input, size_t size, elicit_bytes *out) {
  if (op == NULL) return refuse(ELICIT_INVALID, UNUSABLE, out);
  return run((elicit_call){.name = op, .input = input, .size = size}, NULL, out);
}

elicit_status elicit_form(const char *input, size_t size, elicit_handle *form, elicit_bytes *out) {
  if (form == NULL) return refuse(ELICIT_INVALID, UNUSABLE, out);
  return run((elicit_call){.op = OP_FORM, .input = input, .size = size}, form, out);
}

elicit_status elicit_check(elicit_handle form, const char *content, size_t size, elicit_bytes *out) {
  return run((elicit_call){.op = OP_CHECK, .handle = form, .input = content, .size = size}, NULL, out);
}

elicit_status elicit_guest(const uint8_t *module, size_t size, elicit_bytes *out) {
  return run((elicit_call){.op = OP_GUEST, .input = (const char *)module, .size = size}, NULL, out);
}

elicit_status elicit_data(const uint8_t *document, size_t size, elicit_bytes *out) {
  return run((elicit_call){.op = OP_DATA, .input = (const char *)document, .size = size}, NULL, out);
}

elicit_status elicit_close(elicit_handle handle) {
  return run((elicit_call){.op = OP_CLOSE, .handle = handle}, NULL, NULL);
}

elicit_status elicit_selfcheck(elicit_bytes *out) {
  char *report = elicit_examine();
  elicit_status status;
  if (out != NULL) memset(out, 0, sizeof *out);
  if (report == NULL) return ELICIT_NO_MEMORY;
  status = put(out, report, strlen(report));
  free(report);
  return status;
}

void elicit_release(elicit_bytes *out) {
  if (out == NULL) return;
  free((char *)out->data);
  memset(out, 0, sizeof *out);
}
