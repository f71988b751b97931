import { expect, test } from 'vitest'
import type { Snapshot } from '../../../src/contract/snapshot.ts'
import { tries } from '../../faults/scale.ts'
import { type CdpPage, openCdpPage } from '../../support/cdp-page.ts'

const page = `<!doctype html><title>Shop</title>
<style id=sheet>.hot { color: red } .gone { display: none } .big:hover { padding: 9px } #late::before { content: "" }</style>
<h1>Shop</h1>
<form><label>Name <input id=name value=Ann required></label> <label><input type=checkbox id=box> Agree</label>
<label>Size <select id=size><option>S<option>M<option>L</select></label> <textarea id=note aria-label=Note>x</textarea>
<label>Card <input id=card type=password value=secret></label> <button id=save type=button>Save</button></form>
<div id=list>${Array.from({ length: 12 }, (_, i) => `<div class=row id=r${i}><a href="/i/${i}">Item ${i}</a> <span>${i} left</span></div>`).join('')}</div>
<div id=scroller style="height:60px;overflow:auto">${Array.from({ length: 20 }, (_, i) => `<button id=s${i}>Row ${i}</button><br>`).join('')}</div>
<dialog id=dialog><h2>Sure?</h2><button>Yes</button></dialog><details id=details><summary>More</summary><a href=/more>Hidden link</a></details>
<div id=pop popover><button>In the popover</button></div><div id=host></div><div id=plain>Plain</div><p id=edit contenteditable>Text</p>
<div style="height:2000px"></div><button id=far>Far</button>
<script>
  const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<button>In shadow</button><input>'
  const own = new CSSStyleSheet(); document.adoptedStyleSheets = [own]
</script>`

/** Each changes what a snapshot shows, or may do so. `n` is a number that differs from call to call. */
const changes: Readonly<Record<string, string>> = {
  'an attribute': `document.getElementById('save').setAttribute('aria-label', 'Save ' + n)`,
  'a text': `document.querySelector('#r3 span').firstChild.data = n + ' left'`,
  'a class': `document.getElementById('r4').classList.toggle('gone')`,
  'a new element': `list.insertAdjacentHTML('beforeend', '<div class=row><a href=#' + n + '>Item ' + n + '</a></div>')`,
  'a removed element': `list.lastElementChild.remove(); list.append(Object.assign(document.createElement('button'), { textContent: 'B' + n }))`,
  'a moved element': `list.prepend(list.lastElementChild)`,
  'a rule': `sheet.sheet.insertRule('#r5 { display: ' + (n % 2 ? 'none' : 'block') + ' !important }', sheet.sheet.cssRules.length)`,
  'a style of a rule': `sheet.sheet.cssRules[0].style.setProperty('font-size', 10 + n % 9 + 'px'); document.getElementById('r6').className = 'row hot'`,
  'a sheet without an element': `own.replaceSync('#r7 { visibility: ' + (n % 2 ? 'hidden' : 'visible') + ' }')`,
  'a sheet that is switched off': `sheet.sheet.disabled = !sheet.sheet.disabled`,
  'a custom property': `document.documentElement.style.setProperty('--x', n)`,
  'the value of a field': `document.getElementById('name').value = 'Name ' + n`,
  'the value of a text area': `note.value = 'Note ' + n`,
  'the length of a password': `card.value = n % 2 ? '' : 'secret' + n`,
  'a checkbox': `box.checked = !box.checked`,
  'an indeterminate checkbox': `box.indeterminate = !box.indeterminate`,
  'a choice': `size.selectedIndex = (size.selectedIndex + 1) % 3`,
  'the focus': `[save, far, document.getElementById('s1')].find(each => each !== document.activeElement).focus({ preventScroll: true })`,
  'a scroll position': `scrollTo(0, 100 + n % 700)`,
  'the scroll position of an element': `scroller.scrollTop = 5 + n % 300`,
  'a dialog': `dialog.open ? dialog.close() : dialog.showModal()`,
  'a disclosure': `details.open = !details.open`,
  'a popover': `pop.togglePopover()`,
  'a text in a shadow root': `root.querySelector('button').textContent = 'Shadow ' + n`,
  'an attribute in a shadow root': `root.querySelector('button').title = 'T' + n; root.querySelector('button').ariaLabel = 'L' + n`,
  'the value of a field in a shadow root': `root.querySelector('input').value = n`,
  'a new shadow root': `{ const e = document.createElement('div'); list.append(e); e.attachShadow({ mode: 'open' }).innerHTML = '<button>S' + n + '</button>' }`,
  'the title': `document.title = 'Shop ' + n`,
  'the URL': `history.replaceState(0, '', '#' + n)`,
  'a listener': `{ const e = document.getElementById('plain'); e.cloneNode(); e.addEventListener('click', () => n) }`,
  'an inert part': `list.inert = !list.inert`,
  'an edited text': `edit.firstChild.data = 'Text ' + n`,
  'a validity': `document.getElementById('name').setCustomValidity(n % 2 ? 'wrong' : ''); document.getElementById('name').value = 'v' + n`,
  'an editable document': `document.designMode = document.designMode === 'on' ? 'off' : 'on'`,
  'the size of an image': `{ const e = new Image(10 + n % 90, 50); e.alt = 'I' + n; list.prepend(e) }`,
  'a part that covers others': `{ let e = document.getElementById('cover'); if (e) e.remove(); else { e = document.createElement('div'); e.id = 'cover'; e.style = 'position:fixed;inset:0;background:#fff'; document.body.append(e) } }`,
}

let calls = 0
const change = (opened: CdpPage, name: string) => opened.evaluate(`(n => { ${changes[name]} })(${++calls}), 0`)
// one change may remove what the next one needs
const tryChange = (opened: CdpPage, name: string) => opened.evaluate(`(n => { try { ${changes[name]} } catch {} })(${++calls}), 0`)
const look = async (opened: CdpPage, args: object = {}) => (await opened.do('snapshot', args)) as Snapshot
/** with other options in between, the next snapshot reads the whole page */
async function wholeLook(opened: CdpPage): Promise<Snapshot> {
  await look(opened, { cursorInteractive: false })
  return look(opened)
}

function contentOf({ meta, stats, ...rest }: Snapshot): unknown {
  const { ts: _, ...info } = meta
  const { elapsedMs: __, unchanged: ___, ...counts } = stats
  // an element is new in the first of two snapshots
  return JSON.parse(JSON.stringify({ ...rest, info, counts }, (key, value) => (key === 'new' ? undefined : value)))
}

test('a page that has not changed is not read again, and any change is noticed (S0-36)', async () => {
  await using opened = await openCdpPage(page)
  const isUnchanged = async () => (await look(opened)).stats.unchanged
  // a listener in a shadow root counts as a change once
  await isUnchanged()
  const missed: string[] = []
  for (const name of Object.keys(changes)) {
    // the browser may count once more after a change, when an animation frame follows
    while (!(await isUnchanged()));
    await change(opened, name)
    if (await isUnchanged()) missed.push(name)
  }
  expect(missed).toEqual([])
  while (!(await isUnchanged()));
  const [again, whole] = [await look(opened), await wholeLook(opened)]
  expect(again.stats.unchanged).toBe(true)
  expect(contentOf(again)).toEqual(contentOf(whole))
})

test('a snapshot after random changes is the one that a whole reading gives (S0-36)', { timeout: 3_600_000 }, async ({ task }) => {
  await using opened = await openCdpPage(page)
  const names = Object.keys(changes)
  let seed = Number(process.env.SEED ?? 1)
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  let reused = 0
  const total = tries(2_000, 40)
  for (let round = 0; round < total; round++) {
    const picked = Array.from({ length: random(4) }, () => names[random(names.length)] as string)
    for (const name of picked) await tryChange(opened, name)
    const now = await look(opened)
    if (now.stats.unchanged) reused++
    expect(contentOf(now), `round ${round}: ${picked.join(', ')}`).toEqual(contentOf(await wholeLook(opened)))
    // otherwise the page grows without end
    if (round % 50 === 49) await opened.do('reload')
  }
  Object.assign(task.meta, { tries: total })
  expect(reused).toBeGreaterThan(0)
})

test('a scroll position that a script has just set is noticed in a part of the page that has only texts', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `<p>Line ${i}</p>`).join('')
  await using opened = await openCdpPage(`<div id=texts style="height:90px;overflow:auto">${lines}</div>`)
  const missed: number[] = []
  for (let round = 0; round < 20; round++) {
    while (!(await look(opened)).stats.unchanged);
    await opened.evaluate(`texts.scrollTop = ${round % 2 ? 0 : 200}, 0`)
    if ((await look(opened)).stats.unchanged) missed.push(round)
  }
  expect(missed).toEqual([])
})
