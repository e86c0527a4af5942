/** In a text, {server} is the name of the server. */
export const en = {
  loading: "Loading…",
  newTitle: "{server} asks you a question",
  newText: "Continue only if you expected this question. If somebody sent you the link, close this page: " +
    "your answer would help them, and not you.",
  newOnce: "The link then works in this browser only.",
  next: "Continue",
  direct: "Your answer goes straight to {server}. Your assistant does not see it.",
  // These two replace what the form says of secrets, because an answer on this page does not pass a model.
  secret: "What you type here goes straight to {server}. Your assistant does not see it.",
  secretFinding: "this form asks for a secret ({word}); the page sends it to its own server only",
  unsent: "The answer did not reach the server. Try again.",
  accept: "{server} has your answer",
  decline: "You declined",
  cancel: "You cancelled",
  close: "You can close this page.",
  signIn: "Sign in",
  again: "Try again",
  /** A title and a sentence for each reason why the server shows no question. */
  refusals: {
    sign_in: ["Sign in first", "{server} has to know who you are before it shows the question."],
    forbidden: ["This link is not for you", "It belongs to another account. Sign in with that account."],
    unknown: ["This link does not work", "Part of it may be missing, or it is too old. Ask again for a new link."],
    used: [
      "This link was opened in another browser",
      "Each link works in one browser. If that browser is not yours, ask again and use the new link.",
    ],
    expired: ["Time is up", "The question has ended without an answer. Ask again for a new link."],
    answered: ["This question has been answered", "The link no longer works. You can close this page."],
    closed: ["The question was withdrawn", "{server} needs no answer any more. You can close this page."],
    no_cookie: ["This page needs cookies", "Allow cookies for this page, and try again."],
    busy: ["The server is busy", "Try again in a moment."],
    failed: ["The server has a fault", "It shows no question now. Try again in a moment."],
    no_link: ["This link is not complete", "Open the whole link, with the part behind the # sign."],
    unreachable: ["The server cannot be reached", "Check your connection, and try again."],
  } satisfies Record<string, readonly [title: string, text: string]>,
};
