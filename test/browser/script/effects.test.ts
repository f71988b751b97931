import { expect, test } from 'vitest'
import type { ActionSuccess } from '../../../src/contract/page-api.ts'
import { openScriptPage } from '../../support/script-page.ts'

test('an action reports the URL, focus, dialog and text that it led to (X2-10)', async () => {
  await using page = await openScriptPage(`<button id=b>Open</button><script>
    b.onclick = () => { history.pushState(0, '', '#step2'); document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label="Your data"><input id=n aria-label=Name><p>Tell us your name</p></div>'); n.focus() }
  </script>`)
  const answer = await page.act(await page.ref('button'), 'click')
  expect(answer).toMatchObject({
    ok: true,
    effect: {
      url: `${page.url}#step2`,
      focus: 'textbox Name',
      dialog: 'dialog Your data',
      changed: { added: 1, text: 'Tell us your name' },
    },
  })
  expect(JSON.stringify(answer).length).toBeLessThan(600)
})

test('changes that come later are reported by settled', async () => {
  await using page = await openScriptPage(
    `<button id=b>Load</button><p id=out></p><script>b.onclick = async () => { const r = await fetch('late.txt'); out.textContent = await r.text() }</script>`,
    { files: { 'late.txt': 'here it is' } },
  )
  const answer = await page.act(await page.ref('button'), 'click')
  expect(answer).toMatchObject({ ok: true })
  expect(answer.ok && answer.effect.changed?.text).toBeUndefined()
  await expect
    .poll(() => page.call('settled'))
    .toMatchObject({ data: { settled: true, pending: [], effect: { changed: { text: 'here it is' } } } })
})

test('a fetch is pending while it is open, and the page keeps its own fetch afterwards', async () => {
  await using page = await openScriptPage(
    `<button id=b>Load</button><button id=c>Next</button><script>
      const own = [fetch, XMLHttpRequest.prototype.send]; let go
      window.same = () => own[0] === fetch && own[1] === XMLHttpRequest.prototype.send
      window.answer = () => go(new Response('x'))
      window.fetch = (fetch => Object.assign((...a) => new Promise(r => go = r), { own: true }))(fetch); const patched = fetch
      window.samePatched = () => fetch === patched
      b.onclick = () => { fetch('never.txt').then(r => r.text()).then(t => document.title = t) }</script>`,
  )
  await page.act(await page.ref('button "Load"'), 'click')
  expect(await page.call('settled')).toMatchObject({ data: { settled: false, pending: expect.arrayContaining(['1 request']) } })
  await page.evaluate('answer(), 1')
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
  await page.act(await page.ref('button "Next"'), 'click')
  await page.evaluate('0')
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
  expect(await page.evaluate('samePatched()')).toBe(true)
})

test('a transition that will end is pending; an endless animation is not', async () => {
  await using page = await openScriptPage(
    `<style>@keyframes spin { to { rotate: 360deg } } #s { animation: spin 1s infinite } #m { transition: opacity .3s; opacity: .2 } #m.on { opacity: 1 }</style><div id=s>spinner</div><div id=m>menu</div><button id=b onclick="m.className = 'on'">B</button>`,
  )
  await page.act(await page.ref('button'), 'click')
  await page.evaluate('m.offsetWidth')
  expect(await page.call('settled')).toMatchObject({ data: { settled: false, pending: expect.arrayContaining(['animation']) } })
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
})

test('an element removed by the action is reported as gone', async () => {
  await using page = await openScriptPage('<button onclick="this.remove()">B</button>')
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({ ok: true, effect: { gone: true, changed: { removed: 1 } } })
})

test('the size of an answer does not grow with the page', async () => {
  await using page = await openScriptPage(
    `<button id=b>B</button><script>b.onclick = () => { for (let i = 0; i < 5000; i++) document.body.insertAdjacentHTML('beforeend', '<p>' + 'words '.repeat(50) + '</p>'); location.hash = 'x'.repeat(5000); b.ariaExpanded = 'true' }</script>`,
  )
  const answer = await page.act(await page.ref('button'), 'click')
  expect(answer).toMatchObject({ ok: true, effect: { changed: { added: 5000 } } })
  expect(JSON.stringify(answer).length).toBeLessThan(4_000)
})

test('a snapshot after filling and clicking shows the change (S0-01 S0-06 S0-77 S0-89)', async () => {
  await using page = await openScriptPage(
    `<form id=f><input name=what aria-label="What to do"><button>Add</button></form><ul id=l></ul><script>f.onsubmit = e => { e.preventDefault(); l.insertAdjacentHTML('beforeend', '<li><label><input type=checkbox> ' + f.what.value + '</label></li>'); f.reset() }</script>`,
  )
  expect(await page.act(await page.ref('textbox'), 'fill', { value: 'Buy bread' })).toMatchObject({ ok: true })
  expect(await page.act(await page.ref('button "Add"'), 'click')).toMatchObject({ ok: true, effect: { changed: { text: 'Buy bread' } } })
  const box = await page.ref('checkbox "Buy bread"')
  expect(await page.act(box, 'check')).toMatchObject({ ok: true, effect: { checked: true } })
  expect(await page.text()).toContain(`- checkbox "Buy bread" [checked]`)
})

test('a request that could not be sent is not pending', async () => {
  await using page = await openScriptPage('<button onclick="try { new XMLHttpRequest().send() } catch {}">Send</button>')
  await page.act(await page.ref('button'), 'click')
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
})

test('a click reports only states that it changed; check, select and fill report the state they were asked for', async () => {
  await using page = await openScriptPage(`<input type=checkbox aria-label=Kept checked onclick="return false">
    <input type=radio aria-label=Chosen checked><input aria-label=Name value=Ada><button aria-expanded=true>Open</button>`)
  for (const name of ['checkbox', 'radio', 'textbox', 'button']) {
    const { effect } = (await page.act(await page.ref(name), 'click')) as ActionSuccess
    expect([name, effect.checked, effect.value, effect.expanded]).toEqual([name, undefined, undefined, undefined])
  }
  expect(await page.act(await page.ref('checkbox'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
  expect(await page.act(await page.ref('textbox'), 'fill', { value: 'Ada' })).toMatchObject({ ok: true, effect: { value: 'Ada' } })
})

test('a form is reported as sent only if the page lets the browser send it', async () => {
  await using page = await openScriptPage(
    `<iframe name=there></iframe><form target=there action=about:blank><button>Send</button></form>
     <form onsubmit="event.preventDefault()"><button>Own</button></form>
     <form id=late><button>Late</button></form><dialog open><form method=dialog><button>Close</button></form></dialog>
     <form action="javascript:void 0"><button>Run</button></form>
     <script>addEventListener('submit', e => e.target.id === 'late' && e.preventDefault())</script>`,
  )
  const submitted: unknown[] = []
  for (const name of ['Send', 'Own', 'Late', 'Close', 'Run'])
    submitted.push(((await page.act(await page.ref(`button "${name}"`), 'click')) as ActionSuccess).effect.submitted)
  // a form that closes a dialog or runs a script has nothing to send, so the page prevents nothing
  expect(submitted).toEqual([true, false, false, undefined, undefined])
})
