const eg = @import("elicit_guardian.zig");

export fn guardian_evaluate(_: eg.Value) void {
    const size = eg.dataSize();
    const whole = eg.dataRead(size - 20, eg.take(16));
    const tail = eg.dataRead(size - 8, eg.take(16));
    if (eg.dataRead(size, eg.take(4)).len == 0 and size > 100) eg.decide(.ask);
    eg.find(.low, "window", "", eg.join(whole, eg.join("|", tail)));
}

export fn guardian_check_settings(_: eg.Value) void {}
