import { css } from "lit";

/** The colours of JSON, in editors and views alike. */
export const colours = css`
  .key { color: var(--ink); }
  .string { color: var(--json-string); }
  .number { color: var(--json-number); }
  .word { color: var(--json-word); }
  .mark { color: var(--ink-soft); }
`;

export const page = css`
  :host { display: flex; flex-direction: column; min-block-size: 100dvb; }
  * { box-sizing: border-box; }
  header {
    display: flex; align-items: baseline; gap: 1.4rem; padding: 0.9rem 1.5rem;
    border-block-end: 1px solid var(--line); flex-wrap: wrap;
  }
  h1 { font: 600 1.05rem/1.2 var(--sans); margin: 0; letter-spacing: -0.01em; }
  h1 small { font: 400 0.85rem/1.2 var(--sans); color: var(--ink-soft); margin-inline-start: 0.6rem; }
  header .end { margin-inline-start: auto; display: flex; gap: 0.6rem; align-items: center; flex-wrap: wrap; }
  header select { inline-size: 8rem; flex: none; }
  nav { display: flex; gap: 0.9rem; font: 0.84rem/1.3 var(--sans); }
  nav a { color: var(--ink); padding-block: 0.35rem; }
  .said { margin: 0; padding: 0.5rem 1.5rem; border-block-end: 1px solid var(--line);
    color: var(--ink-soft); font: 0.82rem/1.5 var(--sans); }
  .said:empty { display: none; }
  .verdict { display: none; }
  main { flex: 1; display: grid; grid-template-columns: minmax(20rem, 1.05fr) minmax(20rem, 1.1fr) minmax(20rem, 1fr);
    min-block-size: 0; }
  section { padding: 1.1rem 1.5rem 2.5rem; min-inline-size: 0; border-inline-end: 1px solid var(--line); }
  section:last-child { border-inline-end: 0; }
  section.person { background: var(--ground-deep); }
  h2 { font: 600 0.72rem/1.2 var(--sans); letter-spacing: 0.09em; text-transform: uppercase; color: var(--ink-soft);
    margin: 0 0 0.9rem; }
  label.name { display: block; font: 500 0.8rem/1.3 var(--sans); margin: 1rem 0 0.35rem; }
  .row { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.7rem; }
  .row.policy { align-items: end; margin-block: 1.1rem 0.4rem; }
  .row.policy label { margin: 0; }
  input, select, button {
    font: 0.84rem/1.3 var(--sans); color: var(--ink); background: var(--paper); border: 1px solid var(--line-strong);
    border-radius: 6px; padding: 0.4rem 0.55rem; inline-size: 100%; min-block-size: 2.1rem;
  }
  button { inline-size: auto; cursor: pointer; padding-inline: 0.8rem; }
  button:hover { border-color: var(--ink-soft); }
  :is(input, select, button, a, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .starters { display: flex; flex-wrap: wrap; gap: 0.35rem; margin-block-end: 0.4rem; }
  .starters button { padding: 0.25rem 0.65rem; border-radius: 99px; min-block-size: 1.75rem; background: none; }
  .starters button[aria-pressed="true"] { background: var(--ink); color: var(--ground); border-color: var(--ink); }
  .bad { color: var(--bad); font: 0.8rem/1.45 var(--sans); margin: 0.45rem 0 0; padding: 0; list-style: none; }
  .bad code { color: inherit; }
  .bad .place { color: inherit; border-color: currentColor; padding: 0 0.35rem; min-block-size: 1.5rem;
    font-size: inherit; background: none; margin-inline-end: 0.2rem; }
  .soft { color: var(--ink-soft); font: 0.82rem/1.5 var(--sans); margin: 0.4rem 0 0; }
  code, .mono { font: 0.78rem/1.5 var(--mono); }
  [role="tablist"] { display: flex; flex-wrap: wrap; gap: 0.35rem 0.7rem; margin: 0 0 1.1rem;
    border-block-end: 1px solid var(--line); }
  [role="tab"] {
    background: none; border: 0; border-block-end: 2px solid transparent; border-radius: 0; padding: 0 0 0.55rem;
    min-block-size: 0;
    font: 500 0.8rem/1.3 var(--sans); color: var(--ink-soft); white-space: nowrap; margin-block-end: -1px;
  }
  [role="tab"][aria-selected="true"] { color: var(--ink); border-color: var(--accent); }
  .outcome { font: 600 1.6rem/1.15 var(--sans); letter-spacing: -0.02em; margin: 0 0 0.2rem; }
  .outcome.accept { color: var(--good); }
  .outcome:is(.decline, .error) { color: var(--bad); }
  .outcome.cancel { color: var(--warn); }
  ol.why { list-style: none; margin: 1.1rem 0 0; padding: 0; }
  ol.why li { overflow-wrap: anywhere; padding: 0.6rem 0; border-block-start: 1px solid var(--line);
    font: 0.86rem/1.5 var(--sans); }
  ol.why code { display: block; color: var(--ink-soft); }
  .severity { display: inline-block; font: 600 0.68rem/1 var(--sans); letter-spacing: 0.06em;
    text-transform: uppercase; margin-inline-end: 0.5rem; }
  .severity:is(.critical, .high) { color: var(--bad); }
  .severity.medium { color: var(--warn); }
  .severity:is(.low, .info) { color: var(--ink-soft); }
  pre.view {
    margin: 0 0 1rem; padding: 0.8rem 0.9rem; background: var(--paper); border: 1px solid var(--line);
    border-radius: 6px;
    font: 0.76rem/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; max-block-size: 34rem;
    overflow: auto; direction: ltr; text-align: left;
  }
  details { border-block-start: 1px solid var(--line); padding: 0.5rem 0; }
  summary { cursor: pointer; font: 0.84rem/1.5 var(--sans); }
  summary .mono { color: var(--ink-soft); }
  details pre.view { margin: 0.5rem 0 0.3rem; }
  table { border-collapse: collapse; inline-size: 100%; font: 0.82rem/1.5 var(--sans); }
  th, td { text-align: start; padding: 0.4rem 0.6rem 0.4rem 0; border-block-end: 1px solid var(--line);
    vertical-align: top; }
  th { font-weight: 500; color: var(--ink-soft); }
  .past { max-block-size: 24rem; overflow: auto; margin-block: 0.6rem 1.4rem; }
  .named button { float: inline-end; }
  input[type="range"] { padding: 0; accent-color: var(--accent); }
  .same { color: var(--good); }
  .found { max-block-size: 22rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px;
    margin-block-start: 0.4rem; background: var(--paper); }
  .found button { display: block; inline-size: 100%; text-align: start; border: 0; border-radius: 0;
    border-block-end: 1px solid var(--line); background: none; }
  .found button span { display: block; color: var(--ink-soft); font-size: 0.78rem; }
  .found button:hover { background: var(--ground-deep); }
  .nobody { font: 0.9rem/1.6 var(--sans); color: var(--ink-soft); border: 1px dashed var(--line-strong);
    border-radius: 8px; padding: 1.4rem 1.5rem; }
  .nobody strong { color: var(--ink); display: block; font-weight: 600; }
  .drop { border: 1px dashed var(--line-strong); border-radius: 8px; padding: 0.7rem 0.8rem; }
  .drop.over { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, transparent); }
  .file {
    display: inline-block; position: relative; font: 0.84rem/1.3 var(--sans); border: 1px solid var(--line-strong);
    border-radius: 6px;
    padding: 0.4rem 0.8rem; background: var(--paper); cursor: pointer;
  }
  .drop { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .drop .soft { margin: 0; flex: 1 1 12rem; }
  .file:hover { border-color: var(--ink-soft); }
  .file:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
  .file input { position: absolute; inset: 0; opacity: 0; cursor: pointer; }
  .guardian { border: 1px solid var(--line); border-radius: 8px; padding: 0.8rem 0.9rem; margin-block-start: 0.7rem;
    background: var(--paper); }
  .guardian json-editor { margin-block-end: 0.6rem; }
  .named { margin: 0; font: 0.95rem/1.4 var(--sans); }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 0.9rem; margin: 0.6rem 0 0;
    font: 0.82rem/1.5 var(--sans); }
  dt { color: var(--ink-soft); }
  dd { margin: 0; min-inline-size: 0; overflow-wrap: anywhere; }
  .asking { border-block-end: 1px solid var(--line); padding-block-end: 1rem; margin-block-end: 1.1rem; }
  .asking .outcome { font-size: 1.25rem; }
  .asking ol.why { margin-block-start: 0.6rem; }
  .fault { font: 0.88rem/1.5 var(--sans); margin: 0.6rem 0; }
  .fuel { margin-block: 0.7rem; }
  .fuel meter { display: block; inline-size: 100%; block-size: 0.4rem; appearance: none; background: var(--line);
    border: 0; border-radius: 99px; overflow: hidden; }
  .fuel meter::-webkit-meter-bar { background: var(--line); border: 0; border-radius: 99px; block-size: 0.4rem; }
  .fuel meter::-webkit-meter-optimum-value { background: var(--accent); }
  .fuel meter::-webkit-meter-suboptimum-value { background: var(--warn); }
  .fuel meter::-moz-meter-bar { background: var(--accent); }
  .log { font: 0.76rem/1.5 var(--mono); margin: 0.2rem 0; overflow-wrap: anywhere; }
  @media (max-width: 72rem) {
    main { grid-template-columns: 1fr 1fr; }
    section.inspector { grid-column: 1 / -1; border-block-start: 1px solid var(--line); }
  }
  @media (max-width: 46rem) {
    .verdict { position: sticky; inset-block-start: 0; z-index: 1; display: flex; gap: 0.7rem; align-items: baseline;
      inline-size: 100%; text-align: start; border: 0; border-block-end: 1px solid var(--line); border-radius: 0;
      padding: 0.5rem 1rem; background: var(--ground); }
    .gist { font-weight: 600; font-size: 1rem; white-space: nowrap; }
    .gist.accept { color: var(--good); }
    .gist:is(.decline, .error) { color: var(--bad); }
    .gist.cancel { color: var(--warn); }
    .verdict .reason { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
      color: var(--ink-soft); }
    .said { padding-inline: 1rem; }
    json-editor { --most: 14rem; }
    section.inspector { scroll-margin-block-start: 3rem; }
    main { grid-template-columns: minmax(0, 1fr); }
    section { border-inline-end: 0; border-block-start: 1px solid var(--line); padding: 1rem 1rem 1.6rem; }
    header { padding: 0.8rem 1rem; }
    .row select { padding-inline: 0.25rem; }
    h1 small { display: none; }
  }
`;
