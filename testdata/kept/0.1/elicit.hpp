// elicit.hpp - libelicit for C++17. It only adds handles that close themselves and outputs that release themselves. It
// is header-only; elicit.h is the manual. No function throws, except or_throw(), which needs ELICIT_EXCEPTIONS.
//
//   auto relay = elicit::Connection::open(R"({"relay":{"server":"backup","role":"client","modes":["form"]}})");
//   if (!relay) return report(relay.output().status(), relay.output().text());
//   perform(relay.output().text(), {});
//   perform(relay->receive(ELICIT_SERVER, line).text(), line);
#ifndef ELICIT_HPP
#define ELICIT_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "elicit.h"

#ifdef ELICIT_EXCEPTIONS
#include <stdexcept>
#endif

namespace elicit {

#ifdef ELICIT_EXCEPTIONS
/// The exception of or_throw(). It has the status, and the document with the problems as what().
class Failure : public std::runtime_error {
 public:
  Failure(elicit_status status, std::string_view problems)
      : std::runtime_error(std::string(problems)), status_(status) {}
  elicit_status status() const noexcept { return status_; }

 private:
  elicit_status status_;
};
#endif

/// The status and the document of a call. On failure the document is {"problems":[...]}.
class Output {
 public:
  Output() noexcept = default;
  Output(Output &&other) noexcept : status_(other.status_), bytes_(std::exchange(other.bytes_, elicit_bytes{})) {}
  Output &operator=(Output &&other) noexcept {
    std::swap(status_, other.status_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;
  ~Output() { elicit_release(&bytes_); }

  /// Owns the bytes that one call filled: Output(elicit_describe(&bytes), bytes).
  Output(elicit_status status, const elicit_bytes &bytes) noexcept : status_(status), bytes_(bytes) {}

  explicit operator bool() const noexcept { return status_ == ELICIT_OK; }
  elicit_status status() const noexcept { return status_; }

  /// The document. It is valid as long as this output. A zero byte follows it.
  std::string_view text() const & noexcept { return {bytes_.data == nullptr ? "" : bytes_.data, bytes_.size}; }
  std::string text() && { return std::string(std::as_const(*this).text()); }

#ifdef ELICIT_EXCEPTIONS
  const Output &or_throw() const & {
    if (status_ != ELICIT_OK) throw Failure(status_, text());
    return *this;
  }
#endif

 private:
  elicit_status status_ = ELICIT_OK;
  elicit_bytes bytes_{};
};

/// One open handle. The destructor closes it. A moved-from object has no handle, and calls with it give unknown_handle.
class Handle {
 public:
  explicit Handle(elicit_handle value) noexcept : value_(value) {}
  Handle(Handle &&other) noexcept : value_(std::exchange(other.value_, 0)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() { close(); }

  elicit_handle value() const noexcept { return value_; }
  elicit_status close() noexcept {
    return value_ == 0 ? ELICIT_UNKNOWN_HANDLE : elicit_close(std::exchange(value_, 0));
  }

 private:
  elicit_handle value_;
};

/// An engine, a form or a connection, or the reason why there is none. It works like std::expected.
template <class T>
class Opened {
 public:
  explicit Opened(Output output) noexcept : output_(std::move(output)) {}
  Opened(Output output, T value) noexcept : output_(std::move(output)), value_(std::move(value)) {}

  explicit operator bool() const noexcept { return value_.has_value(); }
  T &operator*() & noexcept { return *value_; }
  T &&operator*() && noexcept { return *std::move(value_); }
  T *operator->() noexcept { return &*value_; }

  /// The output of opening. It is {"effects":[...]} for an engine or a connection, {"form":{...}} for a form, and
  /// {"problems":[...]} on failure.
  const Output &output() const noexcept { return output_; }

#ifdef ELICIT_EXCEPTIONS
  T or_throw() && {
    output_.or_throw();
    return *std::move(value_);
  }
#endif

 private:
  Output output_;
  std::optional<T> value_;
};

namespace detail {

template <class T, class Call>
Opened<T> open(Call call, std::string_view document) {
  elicit_handle handle = 0;
  elicit_bytes bytes{};
  const elicit_status status = call(document.data(), document.size(), &handle, &bytes);
  Output output(status, bytes);
  if (!output) return Opened<T>(std::move(output));
  return Opened<T>(std::move(output), T(Handle(handle)));
}

template <class Call>
Output document(Call call) {
  elicit_bytes bytes{};
  const elicit_status status = call(&bytes);
  return Output(status, bytes);
}

}  // namespace detail

/// An engine. It takes one call at a time. A second thread gets ELICIT_CONFLICT.
class Engine {
 public:
  static Opened<Engine> open(std::string_view config = "{}") { return detail::open<Engine>(elicit_open, config); }
  explicit Engine(Handle handle) noexcept : handle_(std::move(handle)) {}

  Output step(std::string_view input) {
    return detail::document([&](elicit_bytes *out) {
      return elicit_step(handle_.value(), input.data(), input.size(), out);
    });
  }
  elicit_status close() noexcept { return handle_.close(); }
  elicit_handle handle() const noexcept { return handle_.value(); }

 private:
  Handle handle_;
};

/// The machine of one connection: see A CONNECTION'S LIFE in elicit.h. It takes one call at a time. A second thread
/// gets ELICIT_CONFLICT. Perform the effects of one output before the next call.
class Connection {
 public:
  /// Takes {"relay":{"server":"NAME",...}}, as elicit_open does.
  static Opened<Connection> open(std::string_view config) { return detail::open<Connection>(elicit_open, config); }
  explicit Connection(Handle handle) noexcept : handle_(std::move(handle)) {}

  /// Takes a message that you read from one end, without its line end. The message is not copied and not kept.
  Output receive(elicit_end from, std::string_view message) {
    return detail::document([&](elicit_bytes *out) {
      return elicit_receive(handle_.value(), from, message.data(), message.size(), out);
    });
  }
  Output step(std::string_view input) {
    return detail::document([&](elicit_bytes *out) {
      return elicit_step(handle_.value(), input.data(), input.size(), out);
    });
  }

  /// Gives the event {"event":"ended","end":"host"}, which settles the open questions. Perform the effects, then close.
  Output leave() { return step(R"({"event":{"event":"ended","end":"host"}})"); }

  /// Closes without replies, as the destructor does: open questions get no answer.
  elicit_status close() noexcept { return handle_.close(); }
  elicit_handle handle() const noexcept { return handle_.value(); }

 private:
  Handle handle_;
};

/// A compiled schema. Any number of threads may check answers with it at once.
class Form {
 public:
  static Opened<Form> open(std::string_view input) { return detail::open<Form>(elicit_form, input); }
  explicit Form(Handle handle) noexcept : handle_(std::move(handle)) {}

  Output check(std::string_view content) const {
    return detail::document([&](elicit_bytes *out) {
      return elicit_check(handle_.value(), content.data(), content.size(), out);
    });
  }
  elicit_status close() noexcept { return handle_.close(); }
  elicit_handle handle() const noexcept { return handle_.value(); }

 private:
  Handle handle_;
};

/// Runs one stateless operation by its name.
inline Output eval(const std::string &op, std::string_view input) {
  return detail::document([&](elicit_bytes *out) { return elicit_eval(op.c_str(), input.data(), input.size(), out); });
}

/// Gives the library a guardian's module, the bytes of a Wasm file.
inline Output guest(std::string_view module) {
  return detail::document([&](elicit_bytes *out) {
    return elicit_guest(reinterpret_cast<const uint8_t *>(module.data()), module.size(), out);
  });
}

/// Gives the library a guardian's data document: at most 4 MiB of any bytes. A permit names it by the digest.
inline Output data(std::string_view document) {
  return detail::document([&](elicit_bytes *out) {
    return elicit_data(reinterpret_cast<const uint8_t *>(document.data()), document.size(), out);
  });
}

inline Output describe() { return detail::document(elicit_describe); }
inline Output selfcheck() { return detail::document(elicit_selfcheck); }

/// Whether the loaded library has at least the ABI version of this header.
inline bool fits() noexcept { return elicit_abi() >= ELICIT_ABI; }

}  // namespace elicit

#endif
