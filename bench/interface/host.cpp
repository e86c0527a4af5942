// A host of libelicit that reads lines "NAME TIMES THREADS" and answers each with nanoseconds, or with KiB for
// "resident". It reads its documents from the given directory.
#include <elicit.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

static std::string text(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

static void hold(bool ok, const char *what) {
  if (ok) return;
  std::fprintf(stderr, "wrong verdict: %s\n", what);
  std::exit(1);
}

static std::string answer, form_input, check_input, tick, asked[2], answered[2];

// cut splits a document at a mark, so that inserting text there needs no search.
static void cut(const std::string &whole, const char *mark, std::string *parts) {
  const std::size_t at = whole.find(mark);
  parts[0] = whole.substr(0, at);
  parts[1] = whole.substr(at + std::strlen(mark));
}

static const char fits[] = "{\"problems\":[]}";

static void c_check(elicit_handle form, long times) {
  for (long i = 0; i < times; i++) {
    elicit_bytes out;
    const elicit_status status = elicit_check(form, answer.data(), answer.size(), &out);
    hold(status == ELICIT_OK && out.size == sizeof fits - 1, "check");
    elicit_release(&out);
  }
}

static void cpp_check(const elicit::Form &form, long times) {
  for (long i = 0; i < times; i++) hold(form.check(answer).text().size() == sizeof fits - 1, "check");
}

static void c_eval(long times) {
  for (long i = 0; i < times; i++) {
    elicit_bytes out;
    hold(elicit_eval("check", check_input.data(), check_input.size(), &out) == ELICIT_OK && out.size > 300, "eval");
    elicit_release(&out);
  }
}

static void cpp_eval(long times) {
  for (long i = 0; i < times; i++) hold(elicit::eval("check", check_input).text().size() > 300, "eval");
}

// host is an engine with an open session, and its time. The engine's clock started with the system's and never goes
// back, so the questions have times in the year 2100.
struct host {
  elicit::Engine engine;
  long at = 4102444800000;
};

static host opened(const std::string &dir) {
  auto engine = elicit::Engine::open(text(dir + "config"));
  hold(engine && engine->step(text(dir + "opened")), "opening");
  return {*std::move(engine)};
}

static void c_tick(host &h, long times) {
  const elicit_handle engine = h.engine.handle();
  for (long i = 0; i < times; i++) {
    elicit_bytes out;
    hold(elicit_step(engine, tick.data(), tick.size(), &out) == ELICIT_OK, "tick");
    elicit_release(&out);
  }
}

static void cpp_tick(host &h, long times) {
  for (long i = 0; i < times; i++) hold(bool(h.engine.step(tick)), "tick");
}

// question asks and answers once, in two steps. Input and output are bytes, and it searches the id in them.
template <class Step>
static void question(Step step, long &at) {
  at += 20;
  const std::string now = "\"at\":" + std::to_string(at);
  const std::string first = asked[0] + now + asked[1];
  step(first, [&](const char *out) {
    const char *id = std::strstr(out, "\"effect\":\"show\"");
    id = id == nullptr ? nullptr : std::strstr(id, "\"id\":\"");
    hold(id != nullptr, "the question is not shown");
    const std::string second = answered[0] + std::string(id + 6, 32) + answered[1] + now + "}";
    step(second, [](const char *settled) {
      hold(std::strstr(settled, "\"effect\":\"reply\"") != nullptr, "the answer is refused");
    });
  });
}

static void c_step(host &h, long times) {
  const elicit_handle engine = h.engine.handle();
  const auto step = [engine](const std::string &input, auto then) {
    elicit_bytes out;
    hold(elicit_step(engine, input.data(), input.size(), &out) == ELICIT_OK, "step");
    then(out.data);
    elicit_release(&out);
  };
  for (long i = 0; i < times; i++) question(step, h.at);
}

static void cpp_step(host &h, long times) {
  const auto step = [&h](const std::string &input, auto then) {
    const elicit::Output out = h.engine.step(input);
    hold(bool(out), "step");
    then(out.text().data());
  };
  for (long i = 0; i < times; i++) question(step, h.at);
}

static long resident() {
  long all = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * 4;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const std::string dir = std::string(argv[1]) + "/";
  answer = text(dir + "answer");
  form_input = text(dir + "form");
  check_input = text(dir + "check");
  tick = text(dir + "tick");
  cut(text(dir + "asked"), "\"at\":0", asked);
  cut(text(dir + "answered"), "$1", answered);
  answered[1].resize(answered[1].find("\"at\":0"));
  auto form = elicit::Form::open(form_input);
  hold(bool(form), "the form");
  std::vector<host> hosts; // one for each thread
  for (int i = 0; i < 64; i++) hosts.push_back(opened(dir));
  const std::map<std::string, std::function<void(host &, long)>> calls = {
      {"c-check", [&](host &, long n) { c_check(form->handle(), n); }},
      {"cpp-check", [&](host &, long n) { cpp_check(*form, n); }},
      {"c-eval", [](host &, long n) { c_eval(n); }},
      {"cpp-eval", [](host &, long n) { cpp_eval(n); }},
      {"c-tick", c_tick},
      {"cpp-tick", cpp_tick},
      {"c-step", c_step},
      {"cpp-step", cpp_step}};
  std::string name;
  std::size_t times = 0, threads = 0;
  while (std::cin >> name >> times >> threads) {
    if (name == "resident") {
      std::cout << resident() << std::endl;
      continue;
    }
    const auto &call = calls.at(name);
    const auto start = std::chrono::steady_clock::now();
    if (threads < 2) call(hosts[0], static_cast<long>(times));
    else {
      std::vector<std::thread> all;
      for (std::size_t t = 0; t < threads; t++)
        all.emplace_back(call, std::ref(hosts.at(t)), static_cast<long>(times / threads));
      for (auto &t : all) t.join();
    }
    const auto took = std::chrono::steady_clock::now() - start;
    std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(took).count() << std::endl;
  }
  return 0;
}
