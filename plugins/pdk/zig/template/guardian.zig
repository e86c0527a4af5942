//! hosts: refuses links to hosts that are not allowed, and asks when a message or the label of a field uses one of some
//! words. Begin here: change the rule in guardian_evaluate, and in guardian.json the name and what the rule reads. To
//! see a whole question, run elicit guardian question --schema FORM.
const std = @import("std");
const eg = @import("elicit_guardian.zig");

export fn guardian_evaluate(question: eg.Value) void {
    const url = question.get("/request/url");
    const settings = question.get("/settings");
    if (url.at != null) {
        const to = host(url.text());
        var allowed = false;
        const allow = settings.get("/allow");
        var i = eg.Item{};
        while (i.next(allow)) allowed = allowed or (to.len > 0 and std.mem.eql(u8, i.value.text(), to));
        if (!allowed) {
            eg.decide(.deny);
            if (to.len > 0) {
                eg.find(.high, "host_not_allowed", "/request/url", eg.join(to, " is not among the allowed hosts"));
            } else eg.find(.high, "no_https_host", "/request/url", "the link is not https or names no host");
        }
    }
    const message = lower(question.get("/request/message").text());
    const words = settings.get("/words");
    var i = eg.Item{};
    while (i.next(words)) {
        const word = i.value.text();
        if (word.len == 0 or std.mem.indexOf(u8, message, word) == null) continue;
        eg.decide(.ask);
        eg.find(.medium, "word", "/request/message", eg.join("the message says: ", word));
    }
    const fields = question.get("/request/form/fields");
    var field = eg.Item{};
    var n: usize = 0;
    while (field.next(fields)) : (n += 1) {
        const label = lower(field.value.get("/label").text());
        var w = eg.Item{};
        while (w.next(words)) {
            const word = w.value.text();
            if (word.len == 0 or std.mem.indexOf(u8, label, word) == null) continue;
            eg.decide(.ask);
            eg.find(.medium, "word", eg.at("/request/form/fields/*/label", n), eg.join("the form says: ", word));
        }
    }
}

export fn guardian_check_settings(settings: eg.Value) void {
    if (!settings.begins('{')) return eg.problem("", "must be an object");
    var i = eg.Item{};
    while (i.next(settings)) {
        const name = i.name.text();
        var fit = i.value.begins('[');
        var k = eg.Item{};
        while (k.next(i.value)) fit = fit and k.value.text().len > 0;
        if (!std.mem.eql(u8, name, "allow") and !std.mem.eql(u8, name, "words")) {
            eg.problem(eg.token(name), "is not a setting of this guardian");
        } else if (!fit) eg.problem(eg.token(name), "must be a list of texts");
    }
}

/// The host of an https URL in lower case, as a browser finds it; "" when there is none.
fn host(url: []const u8) []const u8 {
    const t = lower(url);
    if (!std.mem.startsWith(u8, t, "https://")) return "";
    var from: usize = 8;
    var end: usize = 8;
    while (end < t.len and t[end] != '/' and t[end] != '\\' and t[end] != '?' and t[end] != '#') : (end += 1) {
        if (t[end] == '@') from = end + 1;
    }
    var i = end;
    while (i > from) : (i -= 1) {
        if (t[i - 1] == ':') end = i - 1;
        if (t[i - 1] < '0' or t[i - 1] > '9') break;
    }
    return t[from..end];
}

/// ASCII in lower case; the rest as it is.
fn lower(text: []const u8) []const u8 {
    const out = eg.take(text.len);
    for (text, out) |c, *o| o.* = if (c >= 'A' and c <= 'Z') c | 32 else c;
    return out;
}
