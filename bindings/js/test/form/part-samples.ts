import type { MessagePart, Question } from "../../src/form/question.ts";

/** A message made of its parts, with a blank line between two of them. */
export function ofParts(...parts: readonly [is: string, text: string][]): { message: string; parts: MessagePart[] } {
  const texts = parts.map(([, text], i) => (i < parts.length - 1 ? `${text}\n` : text));
  return { message: texts.join("\n"), parts: parts.map(([is], i) => ({ is, lines: texts[i]!.split("\n").length })) };
}

export const approval: Question = {
  id: "a0", server: "codex", mode: "form", kind: "approval", message: "?", form: { fields: [] }, findings: [],
};

export const smallDiff = `diff --git a/src/retry.go b/src/retry.go
index 3f1c2aa..8e07d1b 100644
--- a/src/retry.go
+++ b/src/retry.go
@@ -12,7 +12,8 @@ func wait(n int) time.Duration {
 	if n == 0 {
 		return 0
 	}
-	return time.Second
--- the old comment of a query
+	base := 200 * time.Millisecond
+	return min(base<<n, 30*time.Second)
++++ counts
 }
`;

/** A diff of one place in a file, with so many added lines. */
export const fileOf = (path: string, added: number): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,${added + 1} @@\n package main\n-// old\n` +
  Array.from({ length: added }, (_, i) => `+// line ${i + 1} of ${path}`).join("\n");

export const command: Question = {
  ...approval, id: "a1",
  ...ofParts(
    ["text", "The tests fail because the lock file is stale. I want to install the packages again."],
    ["command", "rm -rf node_modules &&\n  npm ci --ignore-scripts"], ["directory", "In /home/ann/shop"]),
};

export const patch: Question = {
  ...approval, id: "a2", ...ofParts(["text", "Wait longer after each failure."], ["diff", smallDiff.trimEnd()]),
};

export const longPatch: Question = {
  ...approval, id: "a3", takes: ["decline_note"],
  ...ofParts(["text", "Rename the package."],
    ["diff", [fileOf("cmd/main.go", 12), fileOf("internal/store/store.go", 42), fileOf("README.md", 72)].join("\n")]),
};

export const permissions: Question = {
  ...approval, id: "a4",
  ...ofParts(["text", "The build needs the cache and the registry."],
    ["access", "Network: every host\nread /home/ann/.cache/go-build\nwrite /home/ann/shop/dist\n" +
      "entry {\"access\":\"none\"}"],
    ["directory", "In /home/ann/shop"]),
  form: { fields: [
    { name: "allow", label: "Allow", kind: "choices", widget: "checkbox", required: true,
      choices: ["Network: every host", "read /home/ann/.cache/go-build", "write /home/ann/shop/dist"]
        .map((value) => ({ value })) },
  ] },
};

/** The field of an interrupt whose schema no form can draw. */
export const interrupt: Question = {
  id: "a6", server: "travel-agent", mode: "form", kind: "form", message: "Which rooms, and how many seats?",
  findings: [], form: { fields: [
    { name: "json", label: "Answer as JSON", kind: "text", widget: "text", required: true },
  ] },
};

/** The command that was allowed before was for staging. */
export const changed: Question = {
  ...approval, id: "a5", ...ofParts(["text", "Roll out the release."],
    ["command", "deploy --to production --force"], ["directory", "/srv/shop"]),
  changed: [
    { is: "same", text: "Roll out the release.\n\ndeploy --to " }, { is: "gone", text: "staging" },
    { is: "new", text: "production --force" }, { is: "same", text: "\n\n/srv/shop" },
  ],
};
