// Tests the promises of elicit.hpp. Each fault is a line, and the exit code is their number. With the argument
// "vectors" it reads and writes as cabi/test/vectors.c does.
#include <elicit.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <iostream>
#include <thread>
#include <type_traits>
#include <vector>

static int faults = 0;

#define WANT(condition) ((condition) ? (void)0 : (void)(++faults, std::printf("line %d: %s\n", __LINE__, #condition)))

static const char opened[] =
    R"({"event":{"event":"opened","session":"s","server":"build","side":"answering",)"
    R"("declared":["form"],"shown":["form"]}})";
static const char schema[] = R"({"schema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}})";

static_assert(!std::is_copy_constructible_v<elicit::Engine> && !std::is_copy_constructible_v<elicit::Output>);
static_assert(std::is_nothrow_move_constructible_v<elicit::Engine>);
static_assert(std::is_nothrow_move_assignable_v<elicit::Output>);

static bool has(const elicit::Output &out, std::string_view text) {
  return out.text().find(text) != std::string_view::npos;
}

static void engines() {
  elicit_handle kept = 0;
  {
    auto made = elicit::Engine::open();
    WANT(made && has(made.output(), R"({"effects":[)"));
    elicit::Engine engine = *std::move(made);
    kept = engine.handle();
    WANT(made->handle() == 0 && made->step(opened).status() == ELICIT_UNKNOWN_HANDLE);
    WANT(engine.step(opened));
    elicit::Output saved = engine.step(R"({"save":"s"})");
    WANT(saved && has(saved, R"({"state":{)"));
    saved = engine.step("{");
    WANT(!saved && saved.status() == ELICIT_INVALID && has(saved, "problems"));
    WANT(saved.text().data()[saved.text().size()] == 0);
  }
  WANT(elicit_step(kept, opened, sizeof opened - 1, nullptr) == ELICIT_UNKNOWN_HANDLE);
  auto refused = elicit::Engine::open(R"({"no":1})");
  WANT(!refused && refused.output().status() == ELICIT_INVALID);
  auto first = elicit::Engine::open(), second = elicit::Engine::open();
  *first = *std::move(second);
  WANT(first->step(opened));
  WANT(first->close() == ELICIT_OK && first->close() == ELICIT_UNKNOWN_HANDLE);
}

static const char relayed[] = R"({"relay":{"server":"backup","role":"client","modes":["form"],)"
                              R"("session":{"version":"2025-11-25","declared":["form"]}}})";
static const char create[] = R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Where?",)"
                             R"("requestedSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}})";

static_assert(!std::is_copy_constructible_v<elicit::Connection> && !std::is_copy_assignable_v<elicit::Connection>);
static_assert(std::is_nothrow_move_constructible_v<elicit::Connection>);
static_assert(std::is_nothrow_move_assignable_v<elicit::Connection>);

static void connections() {
  elicit_handle kept = 0;
  {
    auto made = elicit::Connection::open(relayed);
    WANT(made && has(made.output(), R"("event":"opened")"));
    elicit::Connection relay = *std::move(made);
    kept = relay.handle();
    WANT(made->handle() == 0 && made->receive(ELICIT_SERVER, create).status() == ELICIT_UNKNOWN_HANDLE);
    WANT(relay.receive(ELICIT_CLIENT, R"({"jsonrpc":"2.0","id":1,"method":"ping"})").text() ==
         R"({"effects":[{"effect":"forward","to":"server"}]})");
    WANT(relay.receive(ELICIT_CLIENT, {}).text() == R"({"effects":[]})");
    WANT(relay.receive(static_cast<elicit_end>(3), create).status() == ELICIT_INVALID);
    WANT(has(relay.receive(ELICIT_SERVER, create), R"("effect":"show")"));
    WANT(relay.step(R"({"list":"grants"})").text() == R"({"grants":[]})");
    const elicit::Output left = relay.leave();
    WANT(left && has(left, R"(\"action\":\"cancel\")") && has(left, R"({"effect":"close","end":"server"})"));
  }
  WANT(elicit_receive(kept, ELICIT_CLIENT, "{}", 2, nullptr) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit::Connection::open(R"({"relay":{}})").output().status() == ELICIT_INVALID);
  auto first = elicit::Connection::open(relayed), second = elicit::Connection::open(relayed);
  const elicit_handle other = second->handle();
  *first = *std::move(second);
  WANT(first->handle() == other && first->close() == ELICIT_OK && first->close() == ELICIT_UNKNOWN_HANDLE);
}

static void guests() {
  const char *const elsewhere = std::getenv("ELICIT_TEST_GUEST");
  std::ifstream file(elsewhere ? elsewhere : "../testdata/guests/no-links.wasm", std::ios::binary);
  const std::string module{std::istreambuf_iterator<char>(file), {}};
  elicit::Output is = elicit::guest(module);
  WANT(is && has(is, R"("name":"no-links")"));
  WANT(elicit::guest(std::string_view(module).substr(1)).status() == ELICIT_INVALID);
  const std::string config = R"({"guardians":[{"name":"g","digest":")" + std::string(is.text().substr(11, 64)) +
                             R"(","declared":{"phases":["before_show"],"reads":["/request/url","/request/mode"]}}]})";
  WANT(elicit::Engine::open(config));
}

static void forms() {
  auto form = elicit::Form::open(schema);
  WANT(form && has(form.output(), R"("name":"a")"));
  WANT(form->check(R"({"a":1})").text() == R"({"problems":[]})");
  WANT(has(form->check(R"({"a":"x"})"), R"("pointer":"/a")"));
  std::vector<std::thread> threads;
  int wrong[4] = {};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; i++) wrong[t] += !has(form->check(R"({"a":1.5})"), "/a");
    });
  for (auto &t : threads) t.join();
  WANT(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0);
}

static void the_rest() {
  WANT(elicit::fits());
  WANT(has(elicit::describe(), R"("statuses":["ok")"));
  WANT(has(elicit::selfcheck(), R"({"ok":true)"));
  WANT(has(elicit::eval("no such thing", "{}"), "unknown_op"));
  WANT(elicit::eval("parse", std::string_view()).status() == ELICIT_OK);
  elicit::Output none;
  WANT(none.text().empty());
#ifdef ELICIT_EXCEPTIONS
  try {
    elicit::Form::open("{}").or_throw();
    WANT(false);
  } catch (const elicit::Failure &f) {
    WANT(f.status() == ELICIT_INVALID && std::string(f.what()).find("problems") != std::string::npos);
  }
  WANT(elicit::Engine::open().or_throw().step(opened).or_throw());
#endif
}

static int vectors() {
  std::string op;
  std::size_t size = 0;
  while (std::cin >> op >> size) {
    std::string input(size, 0);
    if (std::cin.get() != '\n' || !std::cin.read(input.data(), static_cast<std::streamsize>(size))) return 2;
    const elicit::Output out = elicit::eval(op, input);
    if (!out) return 3;
    std::cout << out.text().size() << '\n' << out.text() << std::endl;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && std::string_view(argv[1]) == "vectors") return vectors();
  engines();
  connections();
  guests();
  forms();
  the_rest();
  return faults;
}
