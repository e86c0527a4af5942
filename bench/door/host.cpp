// A host of libelicit that is told lines "NAME TIMES THREADS" and answers each with nanoseconds, or KiB for "resident". It reads
// its documents from the directory it is given.
#include <elicit.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
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

static std::string answer, form_input, check_input, asked[2], answered[2];

// cut parts a document at its mark, so that putting something there costs no search.
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

// question asks and answers once: two steps. Input and output are bytes; the id is found in them.
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
    step(second, [](const char *settled) { hold(std::strstr(settled, "\"effect\":\"reply\"") != nullptr, "the answer is refused"); });
  });
}

static void c_step(elicit_handle engine, long times, long &at) {
  const auto step = [engine](const std::string &input, auto then) {
    elicit_bytes out;
    hold(elicit_step(engine, input.data(), input.size(), &out) == ELICIT_OK, "step");
    then(out.data);
    elicit_release(&out);
  };
  for (long i = 0; i < times; i++) question(step, at);
}

static void cpp_step(elicit::Engine &engine, long times, long &at) {
  const auto step = [&engine](const std::string &input, auto then) {
    const elicit::Output out = engine.step(input);
    hold(bool(out), "step");
    then(out.text().data());
  };
  for (long i = 0; i < times; i++) question(step, at);
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
  cut(text(dir + "asked"), "\"at\":0", asked);
  cut(text(dir + "answered"), "$1", answered);
  answered[1].resize(answered[1].find("\"at\":0"));
  auto form = elicit::Form::open(form_input);
  auto engine = elicit::Engine::open(text(dir + "config"));
  hold(form && engine && engine->step(text(dir + "opened")), "opening");
  // The engine's clock began with the library's, and does not go back: the questions come in the year 2100.
  long at = 4102444800000, times = 0, threads = 0;
  std::string name;
  while (std::cin >> name >> times >> threads) {
    const auto start = std::chrono::steady_clock::now();
    if (name == "c-check" && threads > 1) {
      std::vector<std::thread> all;
      for (long t = 0; t < threads; t++) all.emplace_back(c_check, form->handle(), times / threads);
      for (auto &t : all) t.join();
    } else if (name == "c-check") c_check(form->handle(), times);
    else if (name == "cpp-check") cpp_check(*form, times);
    else if (name == "c-eval") c_eval(times);
    else if (name == "c-step") c_step(engine->handle(), times, at);
    else if (name == "cpp-step") cpp_step(*engine, times, at);
    else if (name != "resident") return 3;
    const auto took = std::chrono::steady_clock::now() - start;
    const long long nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
    std::cout << (name == "resident" ? resident() : nanoseconds) << std::endl;
  }
  return 0;
}
