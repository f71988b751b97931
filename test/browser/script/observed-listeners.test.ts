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

test('the source of addEventListener, and of the function that shows it, is that of the browser', async () => {
  await using page = await openScriptPage(`<script>
      const show = Function.prototype.toString
      const own = function addEventListener() { return 'mine' }
      globalThis.report = {
        sources: [addEventListener.toString(), addEventListener + '', show.call(addEventListener), show.toString(), show.call(show)],
        others: [show.call(own), show.call(class A {}), show.name, show.length, Object.keys(show).length, 'prototype' in show],
        thrown: [null, {}, 1].map(each => { try { show.call(each) } catch (error) { return error.name } }),
      }
    </script>`)
  const report = await page.evaluate<{ sources: string[]; others: unknown[]; thrown: string[] }>('report')
  const native = (name: string) => expect.stringMatching(new RegExp(`^function ${name}\\(\\) \\{\\s*\\[native code\\]\\s*\\}$`))
  expect(report.sources).toEqual([...Array(3).fill(native('addEventListener')), ...Array(2).fill(native('toString'))])
  expect(report.others).toEqual(["function addEventListener() { return 'mine' }", 'class A {}', 'toString', 0, 0, false])
  expect(report.thrown).toEqual(['TypeError', 'TypeError', 'TypeError'])
})

test('a page that patches built-ins later sees no call that the observation makes', async () => {
  await using page = await openScriptPage(`<div id=a>Archive</div><script>
      globalThis.calls = 0
      for (const [owner, name] of [[WeakMap.prototype, 'get'], [WeakMap.prototype, 'set'], [Set.prototype, 'add'], [Reflect, 'apply'], [Function.prototype, 'call'], [Object, 'create']]) {
        const was = owner[name]
        owner[name] = function (...given) { calls++; return was.apply(this, given) }
      }
      a.addEventListener('click', () => {})
      globalThis.report = [calls, String(addEventListener).length > 0, calls]
    </script>`)
  expect(await page.evaluate('report')).toEqual([0, true, 0])
  expect(nodes(await page.snapshot()).filter(({ interactive }) => interactive)).toHaveLength(1)
})
