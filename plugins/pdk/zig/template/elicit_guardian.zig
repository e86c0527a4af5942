//! elicit_guardian.h as Zig sees it: what is declared there, with slices where C has pointers and lengths.

pub const Text = extern struct {
    at: ?[*]const u8 = null,
    len: u32 = 0,

    pub fn of(bytes: []const u8) Text {
        return .{ .at = bytes.ptr, .len = @intCast(bytes.len) };
    }
    pub fn slice(t: Text) []const u8 {
        return if (t.at) |p| p[0..t.len] else "";
    }
};

/// JSON as the host spelled it; at is null when it is missing.
pub const Value = extern struct {
    at: ?[*]const u8 = null,
    len: u32 = 0,

    pub fn get(from: Value, pointer: [*:0]const u8) Value {
        return eg_get(from, pointer);
    }
    /// What a string means; "" unless it is one.
    pub fn text(v: Value) []const u8 {
        return eg_string(v).slice();
    }
    pub fn begins(v: Value, c: u8) bool {
        return v.len > 0 and v.at.?[0] == c;
    }
};

/// var i = Item{}; while (i.next(list)) { i.name … i.value }
pub const Item = extern struct {
    name: Value = .{},
    value: Value = .{},
    behind: ?[*]const u8 = null,

    pub fn next(i: *Item, list: Value) bool {
        return eg_next(list, i);
    }
};

pub const Decision = enum(c_int) { pass, allow, ask, deny };
pub const Severity = enum(c_int) { info, low, medium, high, critical };

pub fn join(a: []const u8, b: []const u8) []const u8 {
    return eg_join(Text.of(a), Text.of(b)).slice();
}
/// A number for the star of a pattern, for find: at("/request/form/fields/*/label", 2)
pub fn at(pattern: [*:0]const u8, index: usize) [*:0]const u8 {
    return eg_at(pattern, @intCast(index));
}
pub fn take(n: usize) []u8 {
    return @as([*]u8, @ptrCast(eg_take(@intCast(n))))[0..n];
}
pub fn find(severity: Severity, code: [*:0]const u8, pointer: [*:0]const u8, message: []const u8) void {
    eg_find(severity, code, pointer, Text.of(message));
}
pub fn problem(pointer: []const u8, message: []const u8) void {
    eg_problem(Text.of(pointer), Text.of(message));
}
pub fn token(name: []const u8) []const u8 {
    return eg_token(Text.of(name)).slice();
}
pub fn log(level: c_int, line: []const u8) void {
    eg_log(level, Text.of(line));
}
/// The data document that the operator permits, such as a sorted list of hosts: up to 4 MiB, the same bytes at every
/// question. A guardian that reads it says in its manifest what it holds, as "data".
pub fn dataSize() usize {
    return eg_data_size();
}
/// The bytes from an offset on, as far as there is room for them and the document goes. A read costs 257 fuel, and
/// one for each 8 bytes of `into`.
pub fn dataRead(offset: usize, into: []u8) []u8 {
    return into[0..eg_data_read(@intCast(offset), into.ptr, @intCast(into.len))];
}
pub const decide = eg_decide;
pub const redact = eg_redact;
pub const secondPerson = eg_second_person;

extern fn eg_get(from: Value, pointer: [*:0]const u8) Value;
extern fn eg_next(list: Value, item: *Item) bool;
extern fn eg_string(v: Value) Text;
extern fn eg_decide(decision: Decision) void;
extern fn eg_find(severity: Severity, code: [*:0]const u8, pointer: [*:0]const u8, message: Text) void;
extern fn eg_redact(pointer: [*:0]const u8) void;
extern fn eg_second_person() void;
extern fn eg_problem(pointer: Text, message: Text) void;
extern fn eg_log(level: c_int, line: Text) void;
extern fn eg_join(a: Text, b: Text) Text;
extern fn eg_token(name: Text) Text;
extern fn eg_at(pattern: [*:0]const u8, index: u32) [*:0]const u8;
extern fn eg_data_size() u32;
extern fn eg_data_read(offset: u32, into: [*]u8, bytes: u32) u32;
extern fn eg_take(bytes: u32) *anyopaque;
