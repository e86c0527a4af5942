import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasi.WasiOptions;
import com.dylibso.chicory.wasi.WasiPreview1;
import com.dylibso.chicory.wasm.Parser;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Vectors MODULE BUNDLE runs the bundled vectors under Chicory, compiled to Java bytecode, and prints their number. */
final class Vectors {
    private final Instance instance;
    private final ExportFunction input;
    private final ExportFunction perform;

    private Vectors(File file) {
        var wasi = WasiPreview1.builder().withOptions(WasiOptions.builder().build()).build();
        var module = Parser.parse(file);
        // Chicory makes a class again from the start when it, or a function in it, is too large for a class file.
        // Small classes halve the time that this takes.
        var machine =
                MachineFactoryCompiler.builder(module)
                        .withMaxFunctionsPerClass(1024)
                        .withInterpreterFallback(InterpreterFallback.SILENT)
                        .compile();
        instance =
                Instance.builder(module)
                        .withImportValues(ImportValues.builder().addFunction(wasi.toHostFunctions()).build())
                        .withMachineFactory(machine)
                        .withStart(false)
                        .build();
        instance.export("_initialize").apply();
        input = instance.export("elicit_input");
        perform = instance.export("elicit_call");
    }

    private byte[] call(int op, byte[] given) {
        instance.memory().write((int) input.apply(given.length)[0], given);
        long packed = perform.apply(op, 0, 0, given.length)[0];
        return instance.memory().readBytes((int) (packed >>> 32), (int) packed);
    }

    private static byte[] take(ByteBuffer from, int size) {
        var part = new byte[size];
        from.get(part);
        return part;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws Exception {
        var engine = new Vectors(new File(args[0]));
        var bundle = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[1]))).order(ByteOrder.LITTLE_ENDIAN);
        int ran = 0;
        int failed = 0;
        while (bundle.hasRemaining()) {
            int op = bundle.getInt();
            int nameSize = bundle.getInt();
            int givenSize = bundle.getInt();
            int wantSize = bundle.getInt();
            var name = text(take(bundle, nameSize));
            var got = engine.call(op, take(bundle, givenSize));
            var want = take(bundle, wantSize);
            ran++;
            // Here status, zero and handle are all 0.
            if (!Arrays.equals(Arrays.copyOf(got, 16), new byte[16])
                    || !Arrays.equals(got, 16, got.length, want, 0, want.length)) {
                failed++;
                System.out.println(name + "\n got " + text(got) + "\nwant " + text(want));
            }
        }
        System.out.println("Chicory: " + ran + " vectors, " + failed + " failed");
    }
}
