package dev.elicit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs scripts of {@code elicit hostkit} (internal/hostscript/host.go says what it reads), and vectors with the
 * argument "vectors", as cabi/test/vectors.c does.
 */
public final class Scripts implements Host {
    private static final InputStream IN = new BufferedInputStream(System.in, 1 << 16);
    private static final OutputStream OUT = new BufferedOutputStream(System.out, 1 << 16);

    private long keeps;
    private boolean alone;

    private static String word() throws IOException {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        for (int c = IN.read(); c > ' '; c = IN.read()) {
            word.write(c);
        }
        return word.toString(StandardCharsets.UTF_8);
    }

    private static long number() throws IOException {
        return Long.parseLong(word());
    }

    private static void item(String head, byte[] bytes) {
        try {
            byte[] first = head.getBytes(StandardCharsets.UTF_8);
            OUT.write((first.length + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
            OUT.write(first);
            OUT.write(bytes);
            OUT.write('\n');
        } catch (IOException ended) {
            throw new java.io.UncheckedIOException(ended);
        }
    }

    @Override
    public void append(byte[] record) throws IOException {
        if (keeps == 0) {
            throw new IOException("no space left on device");
        }
        keeps--;
        item(record == null ? "new_journal" : "append ", record == null ? new byte[0] : record);
    }

    @Override
    public boolean consult(Contract.Consult effect, String json) {
        if (!alone) {
            item(json, new byte[0]);
        }
        return !alone;
    }

    @Override
    public byte[] random() {
        return new byte[32];
    }

    private static void performAll(Elicit relay, long at, long elapsed) throws IOException {
        while (true) {
            Elicit.Step step;
            try {
                step = relay.next(at, elapsed);
            } catch (ElicitException failed) {
                if (!failed.code().equals("append_failed")) {
                    throw failed;
                }
                continue; // what follows is performed
            }
            if (step.effect() == null) {
                OUT.write(("wait " + step.delay() + "\n").getBytes(StandardCharsets.UTF_8));
                OUT.flush();
                return;
            } else if (step.message() != null) {
                item(step.to() == Elicit.End.CLIENT ? "client " : "server ", step.message());
            } else {
                item(step.json(), new byte[0]);
            }
        }
    }

    private static void vectors() throws IOException {
        for (String operation = word(); !operation.isEmpty(); operation = word()) {
            byte[] input = IN.readNBytes((int) number());
            IN.read();
            item("", Core.evaluate(operation, input));
            OUT.flush();
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            vectors();
            return;
        }
        Elicit relay = null;
        Scripts host = new Scripts();
        for (String kind = word(); !kind.isEmpty(); kind = word()) {
            boolean opens = kind.equals("open") || kind.equals("alone");
            host.alone = opens ? kind.equals("alone") : host.alone;
            host.keeps = opens ? number() : host.keeps;
            long at = number();
            long elapsed = number();
            byte[] input = IN.readNBytes((int) number());
            switch (kind) {
                case "open", "alone" -> relay = Elicit.open(input, host);
                case "client" -> relay.receive(Elicit.End.CLIENT, input);
                case "server" -> relay.receive(Elicit.End.SERVER, input);
                case "event" -> relay.step(input);
                case "close" -> relay.close();
                default -> { }
            }
            if (!kind.equals("close")) {
                performAll(relay, at, elapsed);
            }
        }
    }
}
