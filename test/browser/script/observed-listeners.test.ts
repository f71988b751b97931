import { expect, test } from 'vitest'
import { nodes, openScriptPage } from '../../support/script-page.ts'

test('elements that listen to clicks have refs in a WebView without a role or a cursor', async () => {
  await using page = await openScriptPage(`
    <div id=own>Archive</div><div id=press><span>Mute</span></div><div id=row><span id=one>Edit</span> <span id=two>Delete</span></div>
    <div id=other>Only hovered</div><div id=never>Plain</div>
    <script>
      for (const id of ['own', 'one', 'two']) document.getElementById(id).addEventListener('click', () => {})
      press.addEventListener('pointerdown', { handleEvent() {} })
      other.addEventListener('mouseover', () => {})
      never.addEventListener('click', null)
    </script>`)
  const controls = nodes(await page.snapshot()).filter(({ interactive }) => interactive)
  expect(controls.map(({ text }) => text)).toEqual(['Archive', 'Mute', 'Edit', 'Delete'])
})

test('addEventListener works and looks as before', async () => {
  await using page = await openScriptPage(`<button id=b>b</button>
    <script>
      const seen = []
      b.addEventListener('click', event => seen.push(event.type), { once: true })
      b.click(); b.click()
      let thrown = ''
      try { addEventListener.call({}, 'click', () => {}) } catch (error) { thrown = error.name }
      const was = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'addEventListener')
      globalThis.report = { seen, thrown, name: was.value.name, length: was.value.length, keys: Object.keys(was.value),
        flags: [was.writable, was.enumerable, was.configurable], isOne: b.addEventListener === addEventListener,
        hasPrototype: 'prototype' in was.value, undefinedResult: addEventListener('x', () => {}) === undefined }
    </script>`)
  expect(await page.evaluate('report')).toEqual({
    seen: ['click'],
    thrown: 'TypeError',
    name: 'addEventListener',
    length: 2,
    keys: [],
    flags: [true, true, true],
    isOne: true,
    hasPrototype: false,
    undefinedResult: true,
  })
})
