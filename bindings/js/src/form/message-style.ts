import { css } from "lit";

/** The parts of a message, and its words that changed. */
export const messageStyle = css`
:host{--add:light-dark(#0b6b3a,#7fdca0)}
.end{display:block;block-size:1px;margin-block-start:-1px}
.message.parts{display:grid;gap:1rem;white-space:normal;border:0;padding:0}
.piece{display:grid;gap:.375rem;min-inline-size:0}
.prose{white-space:pre-wrap;border-inline-start:3px solid var(--line);padding-inline-start:.75rem}
.prose>bdi{display:block;unicode-bidi:plaintext}
.caption{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .75rem}
.caption .kind,.access caption{font-size:.875rem;font-weight:600}
.caption .quiet{margin-inline-start:auto}
.directory{font-size:.875rem;color:var(--muted)}
.directory code{color:var(--ink)}
code{font-family:var(--mono)}
.well{padding:.625rem .875rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--well);
  font:.875rem/1.55 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;text-align:left}
.well.long,.prose.long{max-block-size:min(28rem,55vh);overflow:auto}
.prose.long{padding:.875rem 1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--well);
  font-size:.9375rem}
:is(.well,.prose):focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.fold>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .5rem;padding:.25rem .375rem;
  border-radius:var(--radius);color:var(--ink)}
.fold>summary:hover{background:var(--well)}
.fold>summary code{overflow-wrap:anywhere;min-inline-size:0}
.fold>summary::before{inline-size:.75rem}
.counts{color:var(--muted);font-size:.8125rem;white-space:nowrap}
.fold>.well{padding-inline:0;padding-block:.25rem;font-size:.8125rem}
.run{display:block;padding-inline:.75rem;border-left:3px solid transparent;text-decoration:none}
.run.added{border-color:var(--add);background:color-mix(in srgb,var(--add) 12%,var(--paper))}
.run.removed{border-color:var(--danger);background:color-mix(in srgb,var(--danger) 11%,var(--paper))}
.run:is(.place,.head){color:var(--muted)}
.access{border-collapse:collapse;inline-size:100%;font-size:.9375rem}
.access caption{text-align:start;margin-block-end:.375rem}
.access :is(th,td){padding:.375rem .625rem;border:1px solid var(--line);text-align:start;vertical-align:top;
  overflow-wrap:anywhere}
.access thead th:first-child{inline-size:1%}
.access thead th{font-size:.8125rem;font-weight:600;color:var(--muted);background:var(--well)}
.access tbody th{font-weight:600;white-space:nowrap}
.access code{font-size:.875rem;white-space:pre-wrap}
.since{margin:0 0 .5rem;padding:.375rem .75rem;border:1px solid var(--warn);border-radius:var(--radius);
  font-size:.875rem}
.since strong{color:var(--warn)}
.new{text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.2em;
  background:color-mix(in srgb,var(--add) 16%,var(--paper))}
.gone{text-decoration:line-through;background:color-mix(in srgb,var(--danger) 13%,var(--paper))}
:is(.new,.gone)[data-says]::before{content:attr(data-says) " ";position:absolute;inline-size:1px;block-size:1px;
  overflow:hidden;clip-path:inset(50%)}
.gone+.new{margin-inline-start:.25em}
.unseen{margin:.75rem 0 0;font-size:.875rem}
@media (forced-colors:active){.run:is(.added,.removed){border-color:CanvasText}}
`;
