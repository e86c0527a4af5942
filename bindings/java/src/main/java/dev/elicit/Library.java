package dev.elicit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** The native library. It is that of the property {@code elicit.library}, or the one in the jar. */
final class Library {
    static final int DESCRIBE = 0, OPEN = 1, STEP = 2, CLOSE = 3, FORM = 4, CHECK = 5, GUEST = 6, CLIENT = 7,
            SERVER = 8, DATA = 9, EVAL = 10;
    private static final int CONFLICT = 4;
    private static final List<String> STATUSES = List.of("ok", "invalid", "unknown_handle", "too_large", "conflict",
            "internal", "forked", "no_memory");
    private static final byte[] NOTHING = {};

    static final SecureRandom RANDOM = new SecureRandom();
    static final Cleaner CLEANER = Cleaner.create();

    static {
        load();
    }

    private Library() {}

    /** The callbacks of {@link #next}. */
    interface Calls {
        boolean append(byte[] record);

        boolean consult(byte[] effect);

        byte[] random();
    }

    private static native byte[] call(int op, long[] state, byte[] name, byte[] input);

    private static native int next(long handle, Calls calls, long at, long elapsed, byte[][] to);

    /** Runs an operation. It waits for another thread that uses the handle. */
    private static byte[] called(int op, long[] state, byte[] name, byte[] input) {
        long handle = state[0];
        Objects.requireNonNull(input);
        for (int tries = 0; ; tries++) {
            byte[] answer = call(op, state, name, input);
            if (state[1] == 0) {
                return answer;
            } else if (state[1] != CONFLICT) {
                throw failure((int) state[1], answer);
            }
            state[0] = handle;
            pause(tries);
        }
    }

    static byte[] call(int op, long handle, byte[] input) {
        return called(op, new long[] {handle, 0}, NOTHING, input);
    }

    static byte[] evaluate(String name, byte[] input) {
        byte[] bytes = Json.bytes(name);
        return called(EVAL, new long[2], name.indexOf(0) < 0 ? bytes : NOTHING, input);
    }

    /** Opens something, and puts its handle into {@code to}. */
    static byte[] open(int op, byte[] input, long[] to) {
        long[] state = new long[2];
        byte[] answer = called(op, state, NOTHING, input);
        to[0] = state[0];
        return answer;
    }

    /** Puts the next effect and its message into {@code to}. */
    static void next(long handle, Calls calls, byte[][] to, long at, long elapsed) {
        for (int tries = 0; ; tries++) {
            int status = next(handle, calls, at, elapsed, to);
            if (status == 0) {
                return;
            } else if (status != CONFLICT) {
                byte[] said = to[0];
                to[0] = null;
                throw failure(status, said);
            }
            to[0] = null;
            pause(tries);
        }
    }

    /** Closes a handle. One that is closed stays closed. */
    static void close(long handle) {
        long[] state = {handle, 0};
        for (int tries = 0; ; tries++) {
            call(CLOSE, state, NOTHING, NOTHING);
            if (state[1] != CONFLICT) {
                return;
            }
            pause(tries);
        }
    }

    private static void pause(int tries) {
        if (tries < 20) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(200_000);
        }
    }

    static ElicitException failure(int status, byte[] answer) {
        String name = status < STATUSES.size() ? STATUSES.get(status) : "internal";
        List<Contract.Problem> problems = answer == null || answer.length == 0 ? List.of()
                : problems(Json.object(answer));
        return new ElicitException(problems.isEmpty() ? name : problems.get(0).code(), problems, null);
    }

    @SuppressWarnings("unchecked")
    static List<Contract.Problem> problems(Map<String, Object> answer) {
        Object list = answer.get("problems");
        return list == null ? List.of()
                : ((List<Map<String, Object>>) list).stream().map(Contract.Problem::of).toList();
    }

    private static void load() {
        String path = System.getProperty("elicit.library");
        try {
            if (path != null) {
                System.load(Path.of(path).toAbsolutePath().toString());
            } else {
                loadFromJar();
            }
        } catch (IOException | GeneralSecurityException wrong) {
            throw new UnsatisfiedLinkError("the library of the jar cannot be used; name another one with"
                    + " -Delicit.library=FILE: " + wrong);
        }
    }

    /** Copies the library into a directory that only this user can read, checks it, loads it, and deletes the copy. */
    private static void loadFromJar() throws IOException, GeneralSecurityException {
        String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        String name = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-" + machine;
        byte[] library = resource(name + "/libelicit_jni.so");
        String digest = new String(resource(name + "/libelicit_jni.so.sha256"), StandardCharsets.US_ASCII).trim();
        Path directory = Files.createTempDirectory("elicit-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = directory.resolve("libelicit_jni.so");
        try {
            Files.write(file, library);
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            if (!HexFormat.of().formatHex(sum).equals(digest)) {
                throw new GeneralSecurityException("its digest is another one");
            }
            System.load(file.toString());
        } finally {
            Files.deleteIfExists(file); // a loaded file stays usable
            Files.delete(directory);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Library.class.getResourceAsStream("/META-INF/native/" + name)) {
            if (in == null) {
                throw new IOException("the jar has no META-INF/native/" + name);
            }
            return in.readAllBytes();
        }
    }
}
