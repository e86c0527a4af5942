import { css } from "lit";

export const style = css`
:host{display:block;color-scheme:light dark;container-type:inline-size;
  --accent:var(--elicit-accent,light-dark(#0a6560,#7ad3c8));
  --on-accent:var(--elicit-on-accent,light-dark(#fff,#06211f));
  --ink:var(--elicit-ink,light-dark(#17201f,#e9eeed));
  --muted:var(--elicit-muted,light-dark(#566260,#a3afad));
  --line:var(--elicit-line,light-dark(#dde3e2,#323b3a));
  --edge:var(--elicit-edge,light-dark(#7d8987,#7c8886));
  --paper:var(--elicit-paper,light-dark(#fff,#161b1b));
  --well:var(--elicit-well,light-dark(#f5f7f7,#1e2524));
  --danger:var(--elicit-danger,light-dark(#b3261e,#ff9d92));
  --warn:var(--elicit-warn,light-dark(#855300,#f0bd62));
  --radius:var(--elicit-radius,8px);
  --mono:var(--elicit-mono,ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace);
  font:var(--elicit-font,400 1rem/1.5 system-ui,-apple-system,"Segoe UI","Inter","Noto Sans",sans-serif);
  color:var(--ink)}
:host([hidden]){display:none}
*,*::before,*::after{box-sizing:border-box}
.card{background:var(--paper);border:1px solid var(--line);border-radius:calc(var(--radius)*1.75);
  padding:1.5rem 1.75rem 1.75rem;max-inline-size:var(--elicit-width,42rem);overflow-wrap:anywhere}
.card:focus{outline:none}
bdi{unicode-bidi:isolate}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem .75rem;margin-block-end:1.25rem;font-size:.875rem;
  line-height:1.35;color:var(--muted)}
.seal{flex:none;display:grid;place-items:center;inline-size:2rem;block-size:2rem;border-radius:var(--radius);
  background:color-mix(in srgb,var(--accent) 13%,var(--paper));color:var(--accent);font-weight:650}
.who{flex:1 1 9rem;display:flex;flex-direction:column;min-inline-size:0}
.server{color:var(--ink);font-weight:600}
.waiting{padding:.125rem .5rem;border-radius:99px;background:var(--well);white-space:nowrap}
.countdown{display:inline-flex;align-items:center;gap:.25rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.soon{color:var(--danger);font-weight:600}
.title{margin:0 0 .375rem;font-size:1.3125rem;line-height:1.3;font-weight:650;letter-spacing:-.012em}
.message{white-space:pre-wrap;font-size:1.0625rem;text-wrap:pretty}
.title,.message:not(.long),.help{border-inline-start:3px solid var(--line);padding-inline-start:.75rem}
.message>bdi{display:block;unicode-bidi:plaintext}
.message.long{max-block-size:min(22rem,45vh);overflow:auto;padding:.875rem 1rem;border:1px solid var(--line);
  border-radius:var(--radius);background:var(--well);font-size:.9375rem;text-wrap:initial}
.help,.hint,.about,.count{font-size:.875rem;line-height:1.45;color:var(--muted)}
.help{white-space:pre-line}
.help:empty,.hint:empty,.problem:empty,.count:empty{display:none}
.mark{font:600 .75em/1 var(--mono);color:var(--danger);border:1px solid currentColor;border-radius:3px;
  padding:0 .2em;margin:0 .1em;unicode-bidi:isolate;direction:ltr;white-space:nowrap}
.findings{list-style:none;margin:1.25rem 0 0;padding:0;display:grid;gap:.5rem}
.finding{--tone:var(--muted);display:flex;gap:.625rem;padding:.625rem .75rem;
  border-inline-start:3px solid var(--tone);border-radius:4px;background:var(--well);font-size:.875rem;
  line-height:1.45}
.finding.medium{--tone:var(--warn)}
.finding.high,.finding.critical{--tone:var(--danger)}
.finding.critical{background:color-mix(in srgb,var(--danger) 9%,var(--paper))}
.finding .icon,.finding strong{color:var(--tone)}
.icon{flex:none;inline-size:1em;block-size:1em;margin-block-start:.2em}
.evidence{font:600 .875rem/1.4 var(--mono)}
.fields{display:grid;gap:1.5rem;margin-block-start:1.5rem}
.field{display:grid;gap:.375rem;grid-template-columns:minmax(0,1fr) auto;align-items:baseline;margin:0;padding:0;
  border:0;min-inline-size:0}
.field>*{grid-column:1/-1}
.field>label,.field>legend{grid-column:1}
.field>.restore{grid-column:2;justify-self:end;margin-block:-.25rem}
.field.boxed{grid-template-columns:auto minmax(0,1fr) auto;column-gap:.625rem}
.boxed>*{grid-column:2/-1}
.boxed>.box{grid-column:1;grid-row:1}
.boxed>label{grid-column:2}
.boxed>.restore{grid-column:3}
fieldset.field{display:block}
fieldset.field>*+*{margin-block-start:.375rem}
legend{padding:0}
fieldset:focus-visible{outline:2px solid var(--accent);outline-offset:6px;border-radius:4px}
.name{font-weight:600;font-size:.9375rem;margin:0}
.required,.provenance{display:inline-block;margin-inline-start:.5rem;font-size:.8125rem;color:var(--muted);
  font-weight:400}
.provenance{padding:.0625rem .4375rem;border-radius:99px;background:var(--well);border:1px solid var(--line)}
input:not([type=checkbox],[type=radio]),textarea,select{font:inherit;color:inherit;inline-size:100%;
  min-block-size:2.75rem;padding:.5625rem .75rem;background:var(--paper);border:1px solid var(--edge);
  border-radius:var(--radius);margin:0}
textarea{resize:vertical;field-sizing:content;min-block-size:6.5rem;max-block-size:24rem}
select{padding-inline-end:.5rem}
input::placeholder{color:var(--muted);opacity:1}
:is(input,textarea,select):read-only:not([type=checkbox],[type=radio],select),:disabled{background:var(--well)}
:is(input,textarea,select,button,a,.url,.message):focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[dir=ltr]{text-align:start}
:host(:dir(rtl)) input[dir=ltr],[dir=rtl] input[dir=ltr]{text-align:right}
.wrong :is(input,textarea,select):not([type=checkbox],[type=radio]){border-color:var(--danger);
  box-shadow:0 0 0 1px var(--danger)}
.problem{display:flex;gap:.375rem;color:var(--danger);font-size:.875rem;line-height:1.45}
.secret,.unknown{font-size:.875rem;line-height:1.45;color:var(--warn)}
.options{display:grid;gap:.125rem}
.options.row{display:flex;flex-wrap:wrap;gap:.5rem}
.option{display:flex;gap:.625rem;align-items:flex-start;padding:.375rem .5rem;margin-inline:-.5rem;
  border-radius:var(--radius);cursor:pointer;min-block-size:2.25rem}
.row .option{margin:0;padding:.5rem .875rem;border:1px solid var(--edge);min-block-size:2.75rem;align-items:center}
.option:hover{background:var(--well)}
.row .option:has(:checked){border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.what{display:flex;flex-direction:column;min-inline-size:0}
input[type=checkbox],input[type=radio]{flex:none;inline-size:1.125rem;block-size:1.125rem;margin:.1875rem 0 0;
  accent-color:var(--accent)}
.row input[type=radio]{margin:0}
input.box{margin:0;align-self:start}
.masked{position:relative;display:flex;gap:.375rem;align-items:center}
.search{position:relative;display:grid;gap:.375rem}
.list{list-style:none;margin:0;padding:.25rem;position:absolute;z-index:2;inset-inline:0;inset-block-start:100%;
  max-block-size:17rem;overflow:auto;background:var(--paper);border:1px solid var(--edge);
  border-radius:var(--radius);box-shadow:0 12px 32px rgb(0 0 0/.18)}
.list[hidden]{display:none}
.list li{display:flex;gap:.5rem;padding:.375rem .5rem;border-radius:5px;min-block-size:2.25rem;cursor:pointer;
  content-visibility:auto;contain-intrinsic-size:auto 2.25rem}
.list li:hover{background:var(--well)}
.list li.active{background:color-mix(in srgb,var(--accent) 14%,var(--paper));outline:2px solid var(--accent);
  outline-offset:-2px}
.tick{flex:none;inline-size:1rem;color:var(--accent);font-weight:700}
.chips,.suggestions{display:flex;flex-wrap:wrap;gap:.375rem;align-items:center;font-size:.875rem;color:var(--muted)}
button{font:inherit;font-weight:550;color:var(--ink);background:var(--paper);border:1px solid var(--edge);
  border-radius:var(--radius);min-block-size:2.75rem;padding:.5rem 1.125rem;cursor:pointer;max-inline-size:100%}
button:hover:not(:disabled){background:var(--well)}
button:disabled{cursor:default;opacity:.6}
.loud{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.loud:hover:not(:disabled){background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
.cancel{margin-inline-start:auto;border-color:transparent;background:none;color:var(--muted)}
.quiet{min-block-size:1.75rem;padding:.125rem .5rem;border-color:transparent;background:none;color:var(--accent);
  font-size:.875rem}
.masked>.quiet{position:absolute;inset-inline-end:.5rem}
.masked:has(>.quiet)>input{padding-inline-end:5rem}
.chip{display:inline-flex;gap:.375rem;align-items:center;min-block-size:1.75rem;padding:.125rem .625rem;
  border-color:var(--line);border-radius:99px;background:var(--well);font-size:.875rem;font-weight:450}
.chip bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-inline-size:16rem}
.chip .icon{margin:0;inline-size:.75em;block-size:.75em}
.address{margin-block-start:1.25rem;display:grid;gap:.5rem}
.url{display:block;font:.9375rem/1.6 var(--mono);padding:.875rem 1rem;background:var(--well);
  border:1px solid var(--line);border-radius:var(--radius);color:var(--muted);max-block-size:14rem;overflow:auto;
  white-space:pre-wrap;overflow-wrap:anywhere}
.url strong{color:var(--ink);font-weight:700;text-decoration:underline;text-decoration-color:var(--accent);
  text-decoration-thickness:2px;text-underline-offset:.25em}
.hint code{font-family:var(--mono);color:var(--ink)}
.beside{display:grid;gap:.25rem;margin-block-start:1.25rem}
details>summary{display:inline-block;padding:.25rem 0;font-size:.875rem;color:var(--accent);cursor:pointer}
details>summary::before{content:"+ "}
details[open]>summary::before{content:"– "}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
details>.field{margin-block:.25rem .75rem}
.code{font:.875rem/1.5 var(--mono);tab-size:2}
.summary{margin-block-start:1.5rem;padding:.875rem 1rem;border:1px solid var(--danger);border-radius:var(--radius);
  font-size:.9375rem}
.summary>strong{display:flex;gap:.5rem;color:var(--danger)}
.summary ul{margin:.375rem 0 0;padding-inline-start:1.5rem}
.summary a{display:inline-block;padding-block:.125rem;color:inherit;text-underline-offset:.15em}
.trust{margin:1.5rem 0 .75rem;font-size:.8125rem;color:var(--muted)}
.again{margin:0 0 .75rem;font-size:.875rem}
.keys{margin:.75rem 0 0;font-size:.8125rem;color:var(--muted)}
@media (hover:none){.keys{display:none}}
.controls{display:flex;flex-wrap:wrap;gap:.625rem}
.closed{display:grid;gap:.125rem;margin-block-end:1.25rem;padding:.75rem 1rem;border-radius:var(--radius);
  background:var(--well);border:1px solid var(--line);font-size:.9375rem}
.kept{margin:.5rem 0 0;display:grid;gap:.5rem;font-size:.9375rem}
.kept dt{color:var(--muted);font-size:.875rem}
.kept dd{margin:0;white-space:pre-wrap}
h2.name{margin-block-start:1.25rem}
.aloud{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@container (max-width:30rem){
  .card{padding:1.125rem 1rem 1.25rem;border-radius:calc(var(--radius)*1.25)}
  .controls button{flex:1 1 8rem}
  .controls .submit{flex-basis:100%}
  .cancel{margin:0;border-color:var(--edge)}
}
@media (prefers-reduced-motion:no-preference){button,.option,.list li{transition:background-color .12s}}
@media (forced-colors:active){.loud,.row .option:has(:checked){border-width:3px}
  .list li.active{outline-color:Highlight}}
`;
