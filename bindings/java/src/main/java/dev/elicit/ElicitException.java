package dev.elicit;

import java.util.List;

/** A call failed. Wrong answers of people and wrong messages of peers are effects, and never exceptions. */
public final class ElicitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final transient List<Contract.Problem> problems;

    ElicitException(String code, List<Contract.Problem> problems, Throwable cause) {
        super(problems == null || problems.isEmpty() ? code : said(problems.get(0)), cause);
        this.code = code;
        this.problems = problems;
    }

    private static String said(Contract.Problem problem) {
        return problem.pointer().isEmpty() ? problem.code() : problem.code() + " at " + problem.pointer();
    }

    /**
     * The code of the first problem, such as {@code unknown_handle} after a close. If a callback threw the
     * {@linkplain #getCause cause}, it is {@code append_failed}, {@code consult_failed} or {@code random_failed}.
     */
    public String code() {
        return code;
    }

    /** The place of the first problem in the input, as a JSON pointer. */
    public String pointer() {
        return problems().isEmpty() ? "" : problems.get(0).pointer();
    }

    /** Every problem of the input. The call changed nothing. */
    public List<Contract.Problem> problems() {
        return problems == null ? List.of() : problems;
    }
}
