/**
 * The WASI imports that the module needs: a clock, random bytes, an empty list of arguments, and an output. There are
 * no files and no sockets. `print` gets what the module writes, such as the message of a panic. `random` fills its
 * argument.
 */
export function wasi(
  memory: () => ArrayBuffer,
  print: (text: string) => void,
  random: (bytes: Uint8Array) => void,
): WebAssembly.ModuleImports {
  let bytes = new Uint8Array(0);
  let data = new DataView(bytes.buffer);
  const view = () => {
    // When the memory grows, the old view has length 0.
    if (bytes.length === 0) data = new DataView((bytes = new Uint8Array(memory())).buffer);
    return data;
  };
  return {
    args_get: () => 0,
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    clock_time_get(id: number, _precision: bigint, out: number) {
      const ms = id === 0 ? Date.now() : performance.now() + 1; // 0 would mean to the runtime that there is no clock
      const ns = Math.floor(ms) * 1e6 + Math.round((ms % 1) * 1e6);
      const v = view();
      v.setUint32(out, ns % 2 ** 32, true);
      v.setUint32(out + 4, ns / 2 ** 32, true);
      return 0;
    },
    random_get(out: number, size: number) {
      view();
      random(bytes.subarray(out, out + size));
      return 0;
    },
    fd_write(_fd: number, list: number, count: number, written: number) {
      const v = view();
      let size = 0;
      for (let i = 0; i < count; i++, list += 8) {
        const from = v.getUint32(list, true);
        const part = bytes.subarray(from, from + v.getUint32(list + 4, true));
        print(new TextDecoder().decode(part));
        size += part.length;
      }
      v.setUint32(written, size, true);
      return 0;
    },
  };
}
