import type { Question } from "../../src/form/question.ts";

const choices = (...titles: string[]) =>
  titles.map((title) => ({ value: title.toLowerCase().replaceAll(" ", "-"), title }));

/** One field of every kind and widget. */
export const everything: Question = {
  id: "q1",
  server: "release-bot",
  tool: "deploy",
  mode: "form",
  kind: "form",
  message: "Version 4.2.0 is built and tested. Where and how should it go out?",
  form: {
    title: "Release 4.2.0",
    fields: [
      { name: "region", label: "Region", kind: "choice", widget: "radio", required: true, choices: [
        { value: "eu", title: "Europe", description: "Frankfurt and Dublin" },
        { value: "us", title: "United States", description: "Virginia" },
        { value: "ap", title: "Asia Pacific", description: "Singapore" },
      ] },
      { name: "replicas", label: "Replicas", help: "How many copies run at once.",
        kind: "integer", widget: "number", required: true, constraints: { minimum: 1, maximum: 20 },
        initial: 3, provenance: "default"
      },
      { name: "share", label: "Share of traffic", kind: "number", widget: "number",
        required: false, constraints: { minimum: 0, maximum: 1 },
        suggestions: [0.25, { value: 0.5 }]
      },
      { name: "notify", label: "Tell the team", kind: "boolean", widget: "checkbox", required: false,
        initial: false, provenance: "default"
      },
      { name: "backup", label: "Back up first", kind: "boolean", widget: "yes-no", required: false },
      { name: "checks", label: "Checks afterwards", kind: "choices", widget: "checkbox", required: false,
        choices: choices("Smoke test", "Load test", "Accessibility"),
        constraints: { maxItems: 2 }
      },
      { name: "owner", label: "Who to call", kind: "text", widget: "email", required: false,
        constraints: { format: "email" }
      },
      { name: "at", label: "Not before", kind: "text", widget: "date-time", required: false,
        constraints: { format: "date-time" }
      },
      { name: "notes", label: "Release notes", help: "A few sentences for the people who use it.",
        kind: "text", widget: "multiline", required: false,
        constraints: { maxLength: 500 }
      },
      { name: "zone", label: "Time zone", kind: "choice", widget: "search", required: false,
        choices: choices("Africa/Cairo", "America/Lima", "America/New York", "Asia/Dubai",
          "Asia/Singapore", "Asia/Tokyo", "Europe/Berlin", "Europe/Dublin", "Europe/Paris",
          "Pacific/Auckland", "UTC", "Asia/Kolkata", "America/Bogota")
      },
      { name: "plan", label: "Plan", kind: "choice", widget: "select", required: false,
        choices: choices("One", "Two", "Three", "Four", "Five", "Six")
      },
      { name: "labels", label: "Labels", kind: "choices", widget: "search", required: false,
        initial: ["l2", "l5"], provenance: "default",
        choices: Array.from({ length: 30 }, (_, i) => ({ value: `l${i}`, title: `Label ${i}` }))
      },
      { name: "day", label: "Day", kind: "text", widget: "date", required: false, constraints: { format: "date" } },
      { name: "page", label: "Page", kind: "text", widget: "url", required: false, constraints: { format: "uri" } },
    ],
  },
  findings: [],
  waiting: 2,
};

/** The everyday question, as the README shows it. */
export const everyday: Question = {
  ...everything,
  form: {
    ...everything.form!,
    fields: everything.form!.fields
      .filter(({ name }) => ["region", "replicas", "share", "backup", "checks"].includes(name)),
  },
};

export const confirmation: Question = {
  id: "q2", server: "backup", mode: "form", kind: "confirm", message: "Go on?",
  form: { fields: [] }, findings: []
};

export const secret: Question = {
  id: "q3", server: "mailer", mode: "form", kind: "form", message: "The mail server wants to know who you are.",
  form: { fields: [
    { name: "user", label: "User", kind: "text", widget: "text", required: true },
    { name: "password", label: "Password", kind: "text", widget: "text", required: true, sensitive: true }] },
  findings: [{
    code: "secret_in_form", severity: "high", pointer: "/requestedSchema/properties/password", evidence: "password",
    args: { word: "password" }
  }],
};

export const link: Question = {
  id: "q4", server: "payments", mode: "url", kind: "url",
  message: "Confirm the payment on the bank's own page.",
  url: "https://xn--bcher-kva.example:8443/pay/7f3a?order=1182&return=app",
  findings: [
    { code: "url_punycode", severity: "medium", pointer: "/url",
      evidence: "xn--bcher-kva.example", args: { unicode: "bücher.example" }
    },
    { code: "url_port", severity: "low", pointer: "/url", evidence: "8443", args: { port: "8443" } }],
};

export const arabic: Question = {
  id: "q5", server: "release-bot", tool: "deploy", mode: "form", kind: "form",
  message: "الإصدار 4.2.0 جاهز. أين تريد نشره؟",
  form: { title: "الإصدار 4.2.0", fields: [
    { name: "region", label: "المنطقة", kind: "choice", widget: "radio", required: true,
      choices: [
        { value: "eu", title: "أوروبا", description: "فرانكفورت ودبلن" },
        { value: "me", title: "الشرق الأوسط", description: "دبي" },
      ],
    },
    { name: "replicas", label: "عدد النسخ", help: "كم نسخة تعمل في الوقت نفسه.",
      kind: "integer", widget: "number", required: true, constraints: { minimum: 1, maximum: 20 },
      initial: 3, provenance: "default"
    },
    { name: "backup", label: "نسخة احتياطية أولًا", kind: "boolean", widget: "yes-no", required: false },
    { name: "owner", label: "بمن نتصل", kind: "text", widget: "email", required: false }] },
  findings: [{ code: "text_destructive", severity: "medium", pointer: "/message", args: { count: 1 } }], waiting: 2,
};
