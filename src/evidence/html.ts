/** Markup that was built with `html`, so that it can be inserted without escaping. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** Builds markup: values are escaped unless they are `Html`; arrays are concatenated, undefined is nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(strings.map((text, index) => text + markupOf(values[index])).join(''))

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(markupOf).join('')
  return value === undefined ? '' : escapeHtml(String(value))
}

/** Escapes text for content and attribute values. Control characters and bidirectional overrides could fake what a reader sees. */
const escapeHtml = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replace(/[&<>"'\ufffd]/g, unit => `&#${unit.charCodeAt(0)};`)

/** A self-contained page: scripts and requests are blocked, whatever the recorded texts contain. */
export const htmlPage = ({ title, body }: { title: string; body: readonly HtmlValue[] }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${generator}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${markupOf(title)}</title>
<style>${style}</style>
</head>
<body>
${body.map(markupOf).join('\n')}
</body>
</html>
`

const generator = '<meta name="generator" content="pagehand evidence">'
/** Whether a page was written by `htmlPage`. */
export const isGenerated = (page: string): boolean => page.includes(generator)

const style = `
:root { color-scheme: light dark; --ink: #1c2426; --soft: #5f6b6e; --line: #dde2e3; --paper: #f7f8f8; --card: #fff; --good: #1f7a4d; --good-soft: #e4f4ea; --bad: #b3261e; --bad-soft: #fbe9e7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaeb; --soft: #9aa5a8; --line: #333b3d; --paper: #15191a; --card: #1d2223; --good: #6fd19c; --good-soft: #16321f; --bad: #ff8a80; --bad-soft: #3b1a17; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 32px 24px 80px; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 4px; } h2 { font-size: 16px; margin: 36px 0 12px; }
p { margin: 0 0 8px; } a { color: inherit; } .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
code, pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: 8px 0 0; padding: 12px 14px; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; max-height: 480px; overflow: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
th, td { text-align: left; padding: 8px 14px; border-top: 1px solid var(--line); vertical-align: top; } thead th { border-top: 0; font-weight: 600; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 16px 0 0; padding: 0; } .facts div { min-width: 90px; } .facts dt { color: var(--soft); font-size: 13px; } .facts dd { margin: 0; font-weight: 600; }
.answer { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--good); border-radius: 8px; padding: 14px 18px; white-space: pre-wrap; }
.assertions { list-style: none; margin: 0; padding: 0; } .assertions li { padding: 10px 14px; margin: 0 0 8px; border-radius: 8px; font-weight: 600; }
.held { background: var(--good-soft); color: var(--good); } .failed { background: var(--bad-soft); color: var(--bad); }
.steps { list-style: none; margin: 0; padding: 0; } .steps > li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; margin: 0 0 12px; } .steps > li.bad-step { border-color: var(--bad); }
.steps h3 { display: flex; gap: 10px; align-items: baseline; margin: 0; font-size: 15px; } .steps h3 .soft { font-weight: 400; margin-left: auto; white-space: nowrap; }
.frames { display: flex; flex-wrap: wrap; gap: 10px; margin: 12px 0 0; } .frames img { display: block; max-width: 320px; max-height: 220px; border: 1px solid var(--line); border-radius: 6px; }
summary { cursor: pointer; margin-top: 8px; color: var(--soft); }
`
