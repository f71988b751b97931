import { expect, test } from 'vitest'
import type { ActionKind } from '../../../src/index.ts'
import { eventLog } from '../../support/event-log.ts'
import { openScriptPage } from '../../support/script-page.ts'

const pointing: ActionKind[] = ['click', 'dblclick', 'longpress', 'hover', 'check', 'drag']
const payloads: { [kind in ActionKind]?: object } = {
  fill: { value: 'x' },
  type: { text: 'x' },
  select: { values: ['x'] },
  press: { key: 'a' },
  scroll: { direction: 'down' },
  drag: { dx: 1, dy: 1 },
  upload: { files: [{ name: 'a', base64: '' }] },
}
const kinds: ActionKind[] =
  'click dblclick longpress hover focus blur fill type clear select check uncheck press scroll_into_view scroll drag upload'.split(
    ' ',
  ) as ActionKind[]

test('every action on a removed, unknown or invalid ref fails and does nothing (S0-48 S0-74 S0-99 X0-1)', async () => {
  await using page = await openScriptPage('<button id=b>Old</button>')
  const ref = await page.ref('button')
  await page.evaluate('b.remove(), document.body.insertAdjacentHTML("beforeend", "<button onclick=window.deleted=1>Delete</button>"), 1')
  await page.snapshot()
  for (const kind of kinds) {
    expect(await page.act(ref, kind, payloads[kind] as never), kind).toMatchObject({
      ok: false,
      action: kind,
      ref,
      error: { code: 'ref_not_found', hint: expect.stringContaining('snapshot') },
    })
    expect(await page.act('e404', kind, payloads[kind] as never), kind).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
    expect(await page.act('button', kind, payloads[kind] as never), kind).toMatchObject({ ok: false, error: { code: 'invalid_ref' } })
  }
  expect(await page.evaluate('window.deleted')).toBeUndefined()
})

test('a clone that copies the data-agent-ref of an element is never acted on (X0-21)', async () => {
  await using page = await openScriptPage('<button onclick="window.hit = this.dataset.who" data-who=real>B</button>')
  const ref = await page.ref('button')
  await page.evaluate(
    `(b => { const clone = b.cloneNode(true); clone.dataset.who = 'clone'; b.before(clone) })(document.querySelector('button')), 1`,
  )
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('hit')).toBe('real')
})

test('an invisible target fails with not_visible and the reason (X0-13)', async () => {
  await using page = await openScriptPage(
    '<button id=a>A</button><button id=b>B</button><div style="position:relative;overflow:hidden;width:50px;height:50px"><button id=c style="position:absolute;left:0">C</button></div>',
  )
  const [a, b, c] = [await page.ref('button "A"'), await page.ref('button "B"'), await page.ref('button "C"')]
  await page.evaluate(`a.style.display = 'none', b.style.visibility = 'hidden', c.style.left = '500px', 1`)
  for (const ref of [a, b])
    for (const kind of pointing.filter(each => each !== 'check'))
      expect(await page.act(ref, kind, payloads[kind] as never), kind).toMatchObject({ ok: false, error: { code: 'not_visible' } })
  expect(await page.act(c, 'click')).toMatchObject({
    ok: false,
    error: { code: 'not_visible', message: expect.stringContaining('clipped') },
  })
})

test('a disabled target fails with not_enabled, and no event reaches it (X0-13)', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=a disabled>A</button><fieldset disabled><button id=b>B</button><input id=i aria-label=I></fieldset><div role=button id=c tabindex=0 aria-disabled=true>C</div>`,
  )
  for (const name of ['A', 'B', 'C'])
    expect(await page.act(await page.ref(`button "${name}"`), 'click')).toMatchObject({ ok: false, error: { code: 'not_enabled' } })
  const field = await page.ref('textbox')
  for (const kind of ['fill', 'type', 'clear', 'press', 'click'] as const)
    expect(await page.act(field, kind, payloads[kind] as never), kind).toMatchObject({ ok: false, error: { code: 'not_enabled' } })
  expect(await page.evaluate('heard("pointerdown mousedown click keydown input")')).toBe('')
})

test('a read-only or non-text target fails with not_editable and keeps its value (X0-13)', async () => {
  await using page = await openScriptPage(
    '<input id=a aria-label=A value=old readonly><div role=textbox tabindex=0 aria-label=B>text</div><button>C</button><input type=checkbox aria-label=D><div contenteditable role=textbox aria-label=E aria-readonly=true>x</div>',
  )
  for (const [role, name] of [
    ['textbox', 'A'],
    ['textbox', 'B'],
    ['button', 'C'],
    ['checkbox', 'D'],
    ['textbox', 'E'],
  ] as const)
    for (const kind of ['fill', 'type'] as const)
      expect(await page.act(await page.ref(`${role} "${name}"`), kind, payloads[kind] as never), `${kind} ${name}`).toMatchObject({
        ok: false,
        error: { code: 'not_editable' },
      })
  expect(await page.evaluate('a.value')).toBe('old')
})

test('a covered target fails with the covering element, its ref, and a hint that it is a consent banner', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=b>Buy</button><div id=cookie-bar role=dialog aria-label="We value your privacy" style="position:fixed;inset:0;background:#fff"><button>Accept</button></div>`,
  )
  const dialog = await page.ref('dialog')
  const { refs } = await page.snapshot({ includeHidden: true })
  const ref = Object.values(refs).find(each => each.name === 'Buy')?.ref ?? ''
  const answer = await page.act(ref, 'click')
  expect(answer).toMatchObject({
    ok: false,
    error: {
      code: 'element_blocked',
      by: dialog,
      message: `${ref} is covered by ${dialog}; it looks like a consent banner: answer it first`,
      page: { coveredBy: 'dialog We value your privacy' },
    },
  })
  expect(await page.evaluate('heard("pointerdown mousedown click")')).toBe('')
})

test('a field behind a modal dialog cannot be focused and is not filled', async () => {
  await using page = await openScriptPage('<input id=a aria-label=A><dialog id=d><button>Close</button></dialog>')
  const ref = await page.ref('textbox')
  await page.evaluate('d.showModal(), 1')
  expect(await page.act(ref, 'fill', { value: 'x' })).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
  expect(await page.act(ref, 'click')).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
  expect(await page.evaluate('a.value')).toBe('')
})

test('a click that would pass through the element to its parent is refused', async () => {
  await using page = await openScriptPage('<div id=o style="padding:20px" onclick="window.outer = 1"><button id=b>B</button></div>')
  const ref = await page.ref('button')
  await page.evaluate(`b.style.pointerEvents = 'none', 1`)
  expect(await page.act(ref, 'click')).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
  expect(await page.evaluate('window.outer')).toBeUndefined()
})

test('a scroll that cannot move fails with no_progress', async () => {
  await using page = await openScriptPage(
    '<div id=s role=region tabindex=0 aria-label=S style="height:100px;overflow:auto"><div style="height:250px">tall</div></div>',
  )
  const { refs } = await page.snapshot({ interactiveOnly: false })
  const ref = Object.values(refs).find(each => each.role === 'region')?.ref ?? ''
  expect(await page.act(ref, 'scroll', { direction: 'down', amount: 100 })).toMatchObject({ ok: true })
  expect(await page.evaluate('s.scrollTop')).toBe(100)
  await page.act(ref, 'scroll', { direction: 'down', amount: 500 })
  expect(await page.act(ref, 'scroll', { direction: 'down' })).toMatchObject({ ok: false, error: { code: 'no_progress' } })
  expect(await page.act(ref, 'scroll', { direction: 'sideways' } as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(await page.call('scroll', { direction: 'down' })).toMatchObject({ ok: false, error: { code: 'no_progress' } })
})

test('unknown actions, queries and page calls return an error instead of throwing (S0-19 X0-26)', async () => {
  await using page = await openScriptPage('<button>B</button>')
  const ref = await page.ref('button')
  expect(await page.act(ref, 'fly' as never)).toMatchObject({
    ok: false,
    action: 'fly',
    error: { code: 'unsupported_action', message: expect.stringContaining('dblclick') },
  })
  expect(await page.act(ref, 'constructor' as never)).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(await page.query(ref, 'soul' as never)).toMatchObject({
    ok: false,
    error: { code: 'unsupported_query', message: expect.stringContaining('outerHTML') },
  })
  expect(await page.call('dance' as never)).toMatchObject({
    ok: false,
    error: { code: 'unsupported_page', message: expect.stringContaining('waitCheck') },
  })
  expect(await page.act(ref, 'fill', 'x' as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(await page.evaluate('__agentBrowser.action().error.code')).toBe('unsupported_action')
})
