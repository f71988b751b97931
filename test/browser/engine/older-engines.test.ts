import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

const html = `<style>body{font:16px sans-serif} .gone{display:none} .hid{visibility:hidden}</style>
  <nav class=gone><a href=#>a</a></nav><div class=hid>text<button>b</button><button style="visibility:visible">c</button></div>
  <details><summary>More</summary>inside<button>d</button></details><details open><summary>Less</summary><button>e</button></details>
  <div style="display:contents"><button>f</button></div><button style="opacity:0;pointer-events:none">g</button><div style="opacity:0"><p>faint</p></div>
  <label><input type=checkbox style="display:none"> h</label><dialog><button>i</button></dialog><dialog open>Hello<button>j</button></dialog>
  <main><p>Words to read.</p><iframe srcdoc="<button>k</button>"></iframe></main>`
/** APIs newer than Chromium 80, Safari 13.1 and Firefox 74 that the engine uses only when they exist */
const younger = `delete Element.prototype.checkVisibility; delete window.WeakRef; delete Array.prototype.at; delete Object.hasOwn; delete String.prototype.replaceAll
  const matches = Element.prototype.matches
  Element.prototype.matches = function (selector) { if (/:modal|:user-invalid/.test(selector)) throw new SyntaxError(selector); return matches.call(this, selector) }`

test('an engine without checkVisibility, WeakRef, :modal and :user-invalid yields the same snapshot', async () => {
  await using young = await openScriptPage(html, { late: true })
  await using old = await openScriptPage(`<script>${younger}</script>${html}`, { late: true })
  for (const interactiveOnly of [true, false]) {
    const [a, b] = [await young.rawSnapshot({ interactiveOnly }), await old.rawSnapshot({ interactiveOnly })]
    expect(b.tree).toEqual(a.tree)
    expect(Object.keys(b.refs as object)).toEqual(Object.keys(a.refs as object))
  }
})
