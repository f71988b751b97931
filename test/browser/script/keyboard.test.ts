import { expect, test } from 'vitest'
import { eventLog } from '../../support/event-log.ts'
import { openScriptPage } from '../../support/script-page.ts'

const form = (inner: string) => `${eventLog}<form id=f onsubmit="event.preventDefault()">${inner}</form>`

test('Enter submits a form once, with its events after change (X3-2 X0-17)', async () => {
  await using page = await openScriptPage(form('<input id=a aria-label=A><button id=b>Go</button>'))
  const ref = await page.ref('textbox')
  await page.act(ref, 'fill', { value: 'x' })
  await page.evaluate('heard(), 1')
  expect(await page.act(ref, 'press', { key: 'Enter' })).toMatchObject({ ok: true, effect: { submitted: false } })
  expect(await page.evaluate('heard("keydown keypress keyup change submit click")')).toBe(
    'keydown@a keypress@a change@a click@b submit@f keyup@a',
  )
})

test.each([
  ['a form without a button and with one field', '<input id=a aria-label=A>', 1],
  ['a form without a button and with two fields', '<input id=a aria-label=A><input>', 0],
  ['a disabled default button', '<input id=a aria-label=A><button disabled>Go</button>', 0],
  ['a form whose only button is type=button', '<input id=a aria-label=A><input><button type=button>Go</button>', 0],
  ['a textarea', '<textarea id=a aria-label=A></textarea><button>Go</button>', 0],
  ['a prevented keydown', '<input id=a aria-label=A onkeydown="return false"><button>Go</button>', 0],
  ['a prevented keypress', '<input id=a aria-label=A onkeypress="return false"><button>Go</button>', 0],
  ['an invalid field', '<input id=a aria-label=A required><button>Go</button>', 0],
  ['a checkbox', '<input id=a aria-label=A type=checkbox><button>Go</button>', 1],
])('Enter submits, or does not, as in a browser: %s', async (_, inner, times) => {
  await using page = await openScriptPage(form(inner))
  const { refs } = await page.snapshot()
  const ref = Object.values(refs).find(each => /input|textarea/.test(each.tag) && each.name === 'A')?.ref ?? ''
  await page.act(ref, 'press', { key: 'Enter' })
  expect((await page.evaluate<string>('heard("submit")')).split('submit@f').length - 1).toBe(times)
})

test('key events carry key, code, keyCode and which; keypress carries the character', async () => {
  await using page = await openScriptPage(
    `<input id=a aria-label=A><script>var seen = []; for (const t of ['keydown', 'keypress', 'keyup']) a.addEventListener(t, e => seen.push([t, e.key, e.code, e.keyCode, e.which, e.charCode, e.shiftKey].join()))</script>`,
  )
  const ref = await page.ref('textbox')
  await page.act(ref, 'press', { key: 'b' })
  await page.act(ref, 'press', { key: 'Backspace' })
  await page.act(ref, 'press', { key: '?' })
  await page.act(ref, 'press', { key: 'Shift' })
  expect(await page.evaluate('seen')).toEqual([
    'keydown,b,KeyB,66,66,0,false',
    'keypress,b,KeyB,98,98,98,false',
    'keyup,b,KeyB,66,66,0,false',
    'keydown,Backspace,Backspace,8,8,0,false',
    'keyup,Backspace,Backspace,8,8,0,false',
    'keydown,Shift,ShiftLeft,16,16,0,true',
    'keydown,?,Slash,191,191,0,true',
    'keypress,?,Slash,63,63,63,true',
    'keyup,?,Slash,191,191,0,true',
    'keyup,Shift,ShiftLeft,16,16,0,false',
    'keydown,Shift,ShiftLeft,16,16,0,true',
    'keyup,Shift,ShiftLeft,16,16,0,false',
  ])
})

test('Tab moves the focus in tab order, and Shift+Tab moves it back', async () => {
  await using page = await openScriptPage(
    '<input id=a aria-label=A><input id=x type=hidden><button id=y disabled>Y</button><a id=b href=#>B</a><div id=n tabindex=-1>N</div><button id=c>C</button><input id=first aria-label=F tabindex=1>',
  )
  const ref = await page.ref('textbox "F"')
  const pressing = async (key: string) => {
    await page.call('pressKey', { key })
    return page.evaluate('document.activeElement.id')
  }
  await page.act(ref, 'focus')
  expect([await pressing('Tab'), await pressing('Tab'), await pressing('Tab'), await pressing('Shift+Tab')]).toEqual(['a', 'b', 'c', 'b'])
})

test('Space clicks a button on keyup and toggles a checkbox; Enter follows a link', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=b>B</button><input id=c type=checkbox aria-label=C><a id=l href="#there">L</a>`,
  )
  await page.act(await page.ref('button'), 'press', { key: 'Space' })
  expect(await page.evaluate('heard("keydown keyup click")')).toBe('keydown@b keyup@b click@b')
  expect(await page.act(await page.ref('checkbox'), 'press', { key: ' ' })).toMatchObject({ effect: { checked: true } })
  expect(await page.act(await page.ref('link'), 'press', { key: 'Enter' })).toMatchObject({
    effect: { url: expect.stringContaining('#there') },
  })
})

test('Backspace, Delete, arrows, Home, End and Control+a edit the text (X3-4)', async () => {
  await using page = await openScriptPage('<input id=a aria-label=A value="ab😀d">')
  const ref = await page.ref('textbox')
  await page.evaluate('a.focus(), a.setSelectionRange(5, 5), 1')
  for (const key of ['ArrowLeft', 'Backspace', 'Home', 'Delete', 'End', 'x']) await page.act(ref, 'press', { key })
  expect(await page.evaluate('a.value')).toBe('bdx')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'press', { key: 'y' })
  expect(await page.evaluate('a.value')).toBe('y')
})

test('arrow keys step numbers and choose radios and options, each with input and change', async () => {
  await using page = await openScriptPage(
    `${eventLog}<input id=n type=number aria-label=N value=1><input id=r type=radio name=g aria-label=R checked><input id=s type=radio name=g aria-label=S><select id=o aria-label=O><option>a<option>b</select>`,
  )
  expect(await page.act(await page.ref('spinbutton'), 'press', { key: 'ArrowUp' })).toMatchObject({ effect: { value: '2' } })
  await page.act(await page.ref('radio "R"'), 'press', { key: 'ArrowDown' })
  expect(await page.evaluate('[s.checked, document.activeElement.id]')).toEqual([true, 's'])
  expect(await page.act(await page.ref('combobox'), 'press', { key: 'ArrowDown' })).toMatchObject({ effect: { selected: ['b'] } })
  expect(await page.evaluate('heard("input change")')).toBe('input@n change@n input@s change@s input@o change@o')
})

test('Escape closes a modal dialog unless the page cancels it', async () => {
  await using page = await openScriptPage('<dialog id=d><button>In</button></dialog><script>d.showModal()</script>')
  expect(await page.call('pressKey', { key: 'Escape' })).toMatchObject({ ok: true })
  expect(await page.evaluate('d.open')).toBe(false)
  await page.evaluate('d.oncancel = e => e.preventDefault(), d.showModal(), 1')
  await page.call('pressKey', { key: 'Esc' })
  expect(await page.evaluate('d.open')).toBe(true)
})

test('PageDown and End scroll the page when no field is focused', async () => {
  await using page = await openScriptPage('<div style="height:5000px">tall</div>')
  expect(await page.call('pressKey', { key: 'PageDown' })).toMatchObject({ data: { effect: { scroll: { x: 0, y: 720 } } } })
  expect(await page.call('pressKey', { key: 'End' })).toMatchObject({ ok: true })
  expect(await page.evaluate('scrollY > 4000')).toBe(true)
})

test('keys can be held down and released one by one', async () => {
  await using page = await openScriptPage(`${eventLog}<input id=a aria-label=A>`)
  await page.act(await page.ref('textbox'), 'focus')
  await page.evaluate('heard(), 1')
  await page.call('keyDown', { key: 'Shift' })
  await page.call('keyDown', { key: 'a' })
  await page.call('keyUp', { key: 'a' })
  expect(await page.evaluate('heard("keydown keypress input keyup")')).toBe('keydown@a keydown@a keypress@a input@a keyup@a')
})

test('an unknown key fails with invalid_key', async () => {
  await using page = await openScriptPage('<input aria-label=A>')
  const ref = await page.ref('textbox')
  for (const key of ['Entre', '', 'Control+', 'Foo+a', 'ab'])
    expect(await page.act(ref, 'press', { key })).toMatchObject({ ok: false, error: { code: 'invalid_key' } })
})

test('Space clicks nothing on keyup if keydown was prevented or moved the focus', async () => {
  await using page = await openScriptPage(
    `<button onkeydown="event.preventDefault()" onclick="hit.push('own')">Own</button><button onkeydown="d.focus()">Menu</button>
     <button id=d onclick="hit.push('delete')">Delete</button><script>var hit = []</script>`,
  )
  await page.act(await page.ref('button "Own"'), 'press', { key: 'Space' })
  await page.act(await page.ref('button "Menu"'), 'press', { key: 'Space' })
  expect(await page.evaluate('[hit, document.activeElement.id]')).toEqual([[], 'd'])
})

test('Enter and Space activate only buttons and links, not look-alikes', async () => {
  await using page = await openScriptPage(
    `<button-bar id=x tabindex=0 onclick="hit.push('x')">X</button-bar><a id=y tabindex=0 onclick="hit.push('y')">Y</a>
     <a id=z href="#z" onclick="hit.push('z')">Z</a><script>var hit = []</script>`,
  )
  for (const id of ['x', 'y', 'z'])
    for (const key of ['Enter', 'Space']) {
      await page.evaluate(`${id}.focus()`)
      await page.call('pressKey', { key })
    }
  expect(await page.evaluate('hit')).toEqual(['z'])
})

test('press on an element that cannot be focused does not send the key to the focused one', async () => {
  await using page = await openScriptPage(
    `<div role=button>Plain</div><form onsubmit="sent++; return false"><input aria-label=A></form><script>var sent = 0</script>`,
  )
  await page.act(await page.ref('textbox'), 'fill', { value: 'x' })
  const answer = await page.act(await page.ref('button'), 'press', { key: 'Enter' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'not_committed' } })
  expect(await page.evaluate('sent')).toBe(0)
})

test('Control+a selects the content of a number field, and typing replaces it', async () => {
  await using page = await openScriptPage('<input type=number id=a aria-label=A value=12>')
  const ref = await page.ref('spinbutton')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'type', { text: '34' })
  expect(await page.evaluate('a.value')).toBe('34')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'press', { key: 'Backspace' })
  expect(await page.evaluate('a.value')).toBe('')
})

test('arrow keys step number and range inputs as in a browser, and letters leave range and date inputs unchanged', async () => {
  await using page = await openScriptPage(
    '<input type=number readonly value=5 id=a><input type=number step=any value=5 id=b><input type=range value=50 id=c><input type=date value=2024-01-01 id=d>',
  )
  const press = async (id: string, key: string) => {
    await page.evaluate(`${id}.focus()`)
    expect(await page.call('pressKey', { key })).toMatchObject({ ok: true })
  }
  await press('a', 'ArrowUp')
  await press('b', 'ArrowUp')
  await press('c', 'ArrowRight')
  await press('c', 'ArrowRight')
  await press('c', 'ArrowLeft')
  await press('c', '5')
  await press('d', '2')
  expect(await page.evaluate('[a.value, b.value, c.value, d.value]')).toEqual(['5', '6', '51', '2024-01-01'])
})

test('an arrow key selects one option of a multiple select, and Space on it does not scroll the page', async () => {
  await using page = await openScriptPage('<body style="height:5000px"><select multiple id=a><option selected>1<option>2<option>3</select>')
  await page.evaluate('a.focus()')
  await page.call('pressKey', { key: 'ArrowDown' })
  await page.call('pressKey', { key: 'Space' })
  expect(await page.evaluate('[[...a.selectedOptions].map(each => each.text).join(), scrollY]')).toEqual(['2', 0])
})

test('pressKey goes to the focused field inside a frame', async () => {
  await using page = await openScriptPage(
    `<iframe id=f srcdoc="<form onsubmit='top.sent++; return false'><input id=a aria-label=A></form>"></iframe><script>var sent = 0</script>`,
  )
  await expect.poll(() => page.text()).toContain('textbox')
  await page.act(await page.ref('textbox'), 'fill', { value: 'x' })
  await page.call('pressKey', { key: 'y' })
  await page.call('pressKey', { key: 'Enter' })
  expect(await page.evaluate('[f.contentDocument.getElementById("a").value, sent]')).toEqual(['xy', 1])
})

test('Tab skips inert elements and continues from the focused element, even one with tabindex=-1', async () => {
  await using page = await openScriptPage(
    '<button id=a>A</button><div inert><button>B</button></div><div id=d tabindex=-1><button id=c>C</button></div>',
  )
  await page.evaluate('a.focus()')
  await page.call('pressKey', { key: 'Tab' })
  expect(await page.evaluate('document.activeElement.id')).toBe('c')
  await page.evaluate('d.focus()')
  await page.call('pressKey', { key: 'Tab' })
  expect(await page.evaluate('document.activeElement.id')).toBe('c')
})

test('Escape closes only the topmost modal dialog', async () => {
  await using page = await openScriptPage(
    '<dialog id=n><button>y</button></dialog><dialog id=m><button>x</button></dialog><dialog open id=t>toast</dialog>',
  )
  await page.evaluate('m.showModal(), n.showModal()')
  await page.call('pressKey', { key: 'Escape' })
  expect(await page.evaluate('[n.open, m.open, t.open]')).toEqual([false, true, true])
  await page.call('pressKey', { key: 'Escape' })
  expect(await page.evaluate('[m.open, t.open]')).toEqual([false, true])
})

test('Enter clicks a default button with an unknown type', async () => {
  await using page = await openScriptPage(
    '<form onsubmit="by = event.submitter.id; return false"><input aria-label=A><input aria-label=B><button id=s type=send>Send</button></form><script>var by</script>',
  )
  await page.act(await page.ref('textbox "A"'), 'press', { key: 'Enter' })
  expect(await page.evaluate('by')).toBe('s')
})

test('Escape closes an auto popover before the dialog, and leaves a manual popover open', async () => {
  await using page = await openScriptPage(
    '<dialog id=d><button>In</button><div id=p popover>Menu</div><div id=m popover=manual>Help</div></dialog><script>d.showModal(); m.showPopover(); p.showPopover()</script>',
  )
  const open = () => page.evaluate('[p.matches(":popover-open"), m.matches(":popover-open"), d.open]')
  await page.call('pressKey', { key: 'Escape' })
  expect(await open()).toEqual([false, true, true])
  await page.call('pressKey', { key: 'Escape' })
  expect(await page.evaluate('d.open')).toBe(false)
})
