/** The properties of the element that Lit observes. */
export const properties = {
  question: { attribute: false },
  form: { attribute: false },
  message: {},
  server: {},
  tool: {},
  checker: { attribute: false },
  draft: { attribute: false },
  waiting: { type: Number },
  deadline: { type: Number },
  extendable: { type: Boolean },
  closed: { attribute: false },
  strings: { attribute: false },
  readonly: { type: Boolean, reflect: true },
  name: { reflect: true },
};
