/** Light and dark by what the reader's system says; the colours are those of the app. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f6f2, #12151a);
  --surface: light-dark(#ffffff, #1b2027);
  --sunken: light-dark(#edebe3, #232a33);
  --ink: light-dark(#17201d, #eef1ee);
  --quiet: light-dark(#4f5a56, #a9b4b0);
  --line: light-dark(#7b847f, #7f8b88);
  --brand: light-dark(#0c6b58, #5fd3b6);
  --on-brand: light-dark(#ffffff, #06231c);
  --bad: light-dark(#a3201d, #ff9a92);
  --warn: light-dark(#7a4b00, #f2c063);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2, legend { font-size: 1.1rem; font-weight: 600; padding: 0; }
fieldset, section {
  border: 0; margin: 1.25rem 0; padding: 1rem; background: var(--surface); border-radius: .5rem; min-width: 0;
}
label { display: block; margin: .5rem 0; }
label.tick { display: flex; gap: .6rem; align-items: flex-start; }
label.tick input { margin-top: .3rem; width: 1.1rem; height: 1.1rem; flex: none; }
small, .quiet { color: var(--quiet); }
input[type='text'], select, textarea {
  display: block; width: 100%; padding: .6rem; margin-top: .25rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: .35rem;
}
textarea, pre, code { font-family: ui-monospace, Consolas, monospace; font-size: .9rem; }
pre {
  white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem;
  background: var(--sunken); border-radius: .35rem;
}
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--brand); }
.qr { display: block; width: 100%; max-width: 22rem; height: auto; margin: 1rem 0; border-radius: .35rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1.25rem 0; }
button, .button {
  display: inline-block; min-height: 2.75rem; padding: .55rem 1.1rem; font: inherit; font-weight: 600;
  border: 1px solid var(--brand); border-radius: .4rem; background: var(--brand); color: var(--on-brand);
  text-decoration: none; cursor: pointer;
}
button.plain, .button.plain { background: transparent; color: var(--brand); }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
.fault { border-left: 4px solid var(--bad); padding: .5rem .75rem; background: var(--surface); color: var(--bad); }
.warning { border-left: 4px solid var(--warn); padding: .5rem .75rem; background: var(--surface); color: var(--warn); }
.tongues { text-align: right; }
[hidden] { display: none !important; }
`
