/** The style of the report's page: light and dark, for a phone, a screen and paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfbf9, #131519);
  --raised: light-dark(#ffffff, #1b1e24);
  --ink: light-dark(#1b1d21, #eceef1);
  --soft: light-dark(#5a5f68, #a2a8b3);
  --line: light-dark(#e2e2dc, #2d313a);
  --edge: light-dark(#85898f, #747b88);
  --human: light-dark(#1f5fa6, #7db5f5);
  --ai: light-dark(#b3500d, #f2a663);
  --up: light-dark(#17714a, #6fd3a2);
  --down: light-dark(#b3261e, #ff9d92);
  --alert: light-dark(#fdecea, #3a1a1a);
  --warning: light-dark(#fdf3d7, #33290f);
}
* { box-sizing: border-box }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
main {
  max-inline-size: 64rem;
  margin-inline: auto;
  padding: clamp(1rem, 3vw, 2.25rem) clamp(1rem, 4vw, 2.5rem) 4rem;
}
section + section { margin-block-start: clamp(2rem, 5vw, 3rem) }
h1 { margin: 0; font-size: .9375rem; font-weight: 600; color: var(--soft) }
h2 { margin: 0 0 .75rem; font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em }
h3 { margin: 1.25rem 0 .375rem; font-size: 1rem; font-weight: 600 }
p { margin: .5rem 0; max-inline-size: 50rem; text-wrap: pretty }
.soft, dt, dd, summary, details li { color: var(--soft); font-size: .875rem }
h1 + .soft { margin: 0 }
.soft strong { color: var(--ink) }
a {
  color: inherit;
  text-decoration: underline;
  text-decoration-color: var(--edge);
  text-decoration-thickness: 1px;
  text-underline-offset: .2em;
}
a:hover { color: var(--human) }
:focus-visible { outline: 2px solid var(--human); outline-offset: 2px; border-radius: 2px }
.headline {
  max-inline-size: 52rem;
  font-size: clamp(1.25rem, 1rem + 1.2vw, 1.75rem);
  font-weight: 600;
  line-height: 1.3;
  letter-spacing: -.012em;
  text-wrap: balance;
}
.alert, .warning { padding: .75rem 1rem; border: 1px solid currentcolor; border-radius: .5rem }
.alert { background: var(--alert); color: var(--down) }
.warning { background: var(--warning); font-size: .9375rem }
.figures {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
  margin: 1.25rem 0;
  border-block: 1px solid var(--line);
}
.figures > div {
  display: flex;
  flex-direction: column;
  padding: .75rem 1.25rem;
  border-inline-start: 1px solid var(--line);
}
.figures > div:first-child { padding-inline-start: 0; border: 0 }
dd { margin: 0 }
.figures dd:has(svg) { margin-block-start: auto }
.figures .now {
  color: var(--tone, var(--ink));
  font-size: clamp(1.5rem, 1.1rem + 1.6vw, 2.125rem);
  font-weight: 600;
  line-height: 1.2;
  letter-spacing: -.02em;
}
.humanVisitors { --tone: var(--human) }
.aiVisitors { --tone: var(--ai) }
.key { display: inline-block; margin-inline-end: 1rem; color: var(--tone, var(--ink)) }
.key::before { content: "● " }
.axis { display: flex; justify-content: space-between; max-inline-size: none; border-block-start: 1px solid var(--line) }
svg { display: block; inline-size: 100%; block-size: 2.5rem; margin-block-start: .5rem; overflow: visible }
/* The lines of all figures are on top of each other. */
.chart { display: grid }
.chart svg { grid-area: 1 / 1; block-size: 12rem }
svg path {
  fill: none;
  stroke: var(--tone, var(--ink));
  stroke-width: 1.75;
  stroke-linejoin: round;
  stroke-linecap: round;
  vector-effect: non-scaling-stroke;
}
svg .dot { stroke-width: 6 }
.up, .down { white-space: nowrap }
.up { color: var(--up) }
.down { color: var(--down) }
/* More AI readers are neither good nor bad. */
.aiVisitors .up, .aiVisitors .down { color: var(--ink) }
pre {
  max-inline-size: 44rem;
  margin: 0;
  padding: .625rem .75rem;
  border: 1px solid var(--edge);
  border-radius: .375rem;
  background: var(--raised);
  font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  white-space: pre-wrap;
  /* One click selects the whole command. */
  user-select: all;
}
table { inline-size: 100%; border-collapse: collapse; font-size: .9375rem }
th { font-weight: 400; text-align: start }
thead th { color: var(--soft); font-size: .875rem; overflow-wrap: normal; vertical-align: bottom }
th:first-child { min-inline-size: 14rem }
th, td { padding: .375rem 0 .375rem 1rem; border-block-end: 1px solid var(--line); vertical-align: top }
:is(th, td):first-child { padding-inline-start: 0 }
.figure { text-align: end }
details { margin-block-start: .75rem }
summary { inline-size: fit-content; padding-block: .25rem; cursor: pointer }
details ul { margin: .25rem 0; padding-inline-start: 1.25rem }
@media (max-width: 40rem) {
  .figures { grid-template-columns: 1fr }
  .figures > div, .figures > div:first-child { padding: .75rem 0; border-inline-start: 0 }
  .figures > div + div { border-block-start: 1px solid var(--line) }
  /* Each row has its page on one line, its figures on the next, and readers' words below. */
  tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding-block: .375rem; border-block-end: 1px solid var(--line) }
  th, td { flex: 1 0 0; padding: 0; border: 0 }
  .figure { text-align: start }
  th:first-child, .words { flex-basis: 100% }
  .up, .down { white-space: normal }
}
@media print {
  :root { color-scheme: light; --paper: #ffffff; --raised: #ffffff; --alert: #ffffff; --warning: #ffffff }
  main { padding: 0 }
  h2, h3, tr, pre { break-inside: avoid; break-after: avoid }
  tr { break-after: auto }
  details::details-content { content-visibility: visible; block-size: auto }
}
`
