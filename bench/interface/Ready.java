import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasi.WasiOptions;
import com.dylibso.chicory.wasi.WasiPreview1;
import com.dylibso.chicory.wasm.Parser;
import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Does what ready.py does, with the interpreter of Chicory. */
final class Ready {
    private static Instance instance;

    private static long resident() throws Exception {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4;
    }

    private static long busy() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long call(int op, long handle, String text) {
        byte[] given = text.getBytes(StandardCharsets.UTF_8);
        var memory = instance.memory();
        memory.write((int) instance.export("elicit_input").apply(given.length)[0], given);
        int at = (int) (instance.export("elicit_call").apply(op, handle, 0, given.length)[0] >>> 32);
        if (memory.readLong(at) != 0) throw new AssertionError(text);
        return memory.readLong(at + 8);
    }

    public static void main(String[] args) throws Exception {
        long before = resident();
        long start = busy();
        var wasi = WasiPreview1.builder().withOptions(WasiOptions.builder().build()).build();
        var imports = ImportValues.builder().addFunction(wasi.toHostFunctions()).build();
        var module = Parser.parse(new File(args[0]));
        instance = Instance.builder(module).withImportValues(imports).withStart(false).build();
        instance.export("_initialize").apply();
        call(Integer.parseInt(args[1]), 0, args[2]);
        long ready = busy();
        call(8, call(1, 0, args[3]), args[4]);
        long first = busy();
        for (int i = 1; i < 100; i++) call(8, call(1, 0, args[3]), args[4]);
        System.out.println((ready - start) + " " + (first - ready) + " " + (resident() - before));
    }
}
