import { expect, test } from 'vitest'
import { lookAt } from '../../support/looking.ts'

const polyfilled = '<script>Array.prototype.last = function () { return this.at(-1) }</script>'

test("a change event fired when the page blurs a field leaves the page's polyfills in place", async () => {
  await using page = await lookAt(`${polyfilled}<input id=a aria-label=A>`)
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  expect(await page.evaluate('a.blur(); typeof [].last')).toBe('function')
})

test("the end of a long press leaves the page's polyfills in place", async () => {
  await using page = await lookAt(`${polyfilled}<button id=b>Hold</button><script>var up = 0; b.onpointerup = () => up++</script>`)
  await page.act(await page.refOf('button'), 'longpress', { ms: 20 })
  await expect.poll(() => page.evaluate('up')).toBe(1)
  expect(await page.evaluate('typeof [].last')).toBe('function')
})

test('Space clicks nothing on keyup if keydown was prevented or moved the focus', async () => {
  await using page = await lookAt(
    `<button onkeydown="event.preventDefault()" onclick="hit.push('own')">Own</button><button onkeydown="d.focus()">Menu</button>
     <button id=d onclick="hit.push('delete')">Delete</button><script>var hit = []</script>`,
  )
  await page.act(await page.refOf('button', 'Own'), 'press', { key: 'Space' })
  await page.act(await page.refOf('button', 'Menu'), 'press', { key: 'Space' })
  expect(await page.evaluate('[hit, document.activeElement.id]')).toEqual([[], 'd'])
})

test('Enter and Space activate only buttons and links, not look-alikes', async () => {
  await using page = await lookAt(
    `<button-bar id=x tabindex=0 onclick="hit.push('x')">X</button-bar><a id=y tabindex=0 onclick="hit.push('y')">Y</a>
     <a id=z href="#z" onclick="hit.push('z')">Z</a><script>var hit = []</script>`,
  )
  for (const id of ['x', 'y', 'z'])
    for (const key of ['Enter', 'Space']) {
      await page.evaluate(`${id}.focus()`)
      await page.page('pressKey', { key })
    }
  expect(await page.evaluate('hit')).toEqual(['z'])
})

test('press on an element that cannot be focused does not send the key to the focused one', async () => {
  await using page = await lookAt(
    `<div role=button>Plain</div><form onsubmit="sent++; return false"><input aria-label=A></form><script>var sent = 0</script>`,
  )
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  const answer = await page.act(await page.refOf('button'), 'press', { key: 'Enter' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'not_committed' } })
  expect(await page.evaluate('sent')).toBe(0)
})

test('a secret does not appear in error messages, in changed text or in text queries (A4)', async () => {
  await using page = await lookAt(
    `<input type=password aria-label=P><div id=h role=group aria-label=G></div>
     <button onclick="h.innerHTML = '<textarea name=secret aria-label=S>' + 'hunter' + '2</textarea>'">Show</button>`,
  )
  const { refs } = await page.look()
  const password = Object.keys(refs)[0] as string
  const filled = await page.act(password, 'fill', { value: 'hunter2\n' })
  expect(filled).toMatchObject({ ok: false, error: { code: 'not_committed' } })
  const clicked = await page.act(await page.refOf('button'), 'click')
  const answers: unknown[] = [filled, clicked]
  for (const ref of Object.keys((await page.look({ interactiveOnly: false })).refs)) answers.push(await page.query(ref, 'text'))
  expect(JSON.stringify(answers)).not.toContain('hunter2')
  expect(JSON.stringify(answers)).toContain('[redacted]')
})

test('text typed into a number or email field is forgotten when the field is cleared', async () => {
  await using page = await lookAt(
    `<input type=email id=a aria-label=A onkeydown="if (event.key === 'Enter') this.value = ''"><input type=number id=b aria-label=B>`,
  )
  const [mail, number] = [await page.refOf('textbox'), await page.refOf('spinbutton')]
  await page.act(mail, 'type', { text: 'ab@c.d\n' })
  await page.act(mail, 'type', { text: 'x' })
  await page.act(number, 'type', { text: '1.' })
  await page.act(number, 'clear')
  await page.act(number, 'type', { text: '3' })
  expect(await page.evaluate('[a.value, b.value]')).toEqual(['x', '3'])
})

test('Control+a selects the content of a number field, and typing replaces it', async () => {
  await using page = await lookAt('<input type=number id=a aria-label=A value=12>')
  const ref = await page.refOf('spinbutton')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'type', { text: '34' })
  expect(await page.evaluate('a.value')).toBe('34')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'press', { key: 'Backspace' })
  expect(await page.evaluate('a.value')).toBe('')
})

test('a page whose fetch returns a custom thenable, or is locked, keeps working during an action', async () => {
  await using page = await lookAt(
    `<button id=b>Load</button><script>var got = 0, bad = ''; const real = fetch
     const own = url => { const answer = real(url); return { then: (done, failed) => answer.then(done, failed) } }
     Object.defineProperty(window, 'fetch', { value: own, writable: true, configurable: true })
     b.onclick = () => { try { fetch('.').then(() => got++) } catch (error) { bad = String(error) } }</script>`,
  )
  const ref = await page.refOf('button')
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
  await expect.poll(() => page.evaluate('[got, bad]')).toEqual([1, ''])
  await expect.poll(() => page.page('settled')).toMatchObject({ data: { settled: true } })
  await page.evaluate(`Object.defineProperty(window, 'fetch', { writable: false, configurable: false }), 1`)
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
  await expect.poll(() => page.evaluate('[got, bad]')).toEqual([2, ''])
})

test('a request that could not be sent is not pending', async () => {
  await using page = await lookAt('<button onclick="try { new XMLHttpRequest().send() } catch {}">Send</button>')
  await page.act(await page.refOf('button'), 'click')
  await expect.poll(() => page.page('settled')).toMatchObject({ data: { settled: true } })
})

test('a file with invalid base64 fails with invalid_input', async () => {
  await using page = await lookAt('<input type=file aria-label=F>')
  const ref = Object.keys((await page.look()).refs)[0] as string
  const answer = await page.act(ref, 'upload', { files: [{ name: 'a', base64: '%%%' }] })
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input', message: expect.stringContaining('base64') } })
})

test('a select that is inert or behind a modal dialog cannot be changed', async () => {
  await using page = await lookAt(
    '<select id=s aria-label=S><option>1<option>2</select><div id=i><select id=t aria-label=T><option>1<option>2</select></div><dialog id=d><button>x</button></dialog>',
  )
  const [one, other] = [await page.refOf('combobox', 'S'), await page.refOf('combobox', 'T')]
  await page.evaluate('i.inert = true')
  expect(await page.act(other, 'select', { values: ['2'] })).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
  await page.evaluate('d.showModal()')
  expect(await page.act(one, 'select', { values: ['2'] })).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
  expect(await page.evaluate('[s.value, t.value]')).toEqual(['1', '1'])
})

test('a horizontal scroll reports its position and fails with no_progress at the end, in ltr and rtl', async () => {
  const box = (dir: string) =>
    `<div dir=${dir} role=region tabindex=0 aria-label=${dir} style="width:200px;overflow:auto"><div style="width:900px">x</div></div>`
  await using page = await lookAt(box('ltr') + box('rtl'))
  const { refs } = await page.look({ interactiveOnly: false })
  const [ltr = '', rtl = ''] = ['ltr', 'rtl'].map(name => Object.values(refs).find(each => each.name === name)?.ref ?? '')
  const stuck = { ok: false, error: { code: 'no_progress' } }
  expect(await page.act(ltr, 'scroll', { direction: 'left' })).toMatchObject(stuck)
  expect(await page.act(ltr, 'scroll', { direction: 'right' })).toMatchObject({ ok: true, effect: { scroll: { x: 300, y: 0 } } })
  expect(await page.act(rtl, 'scroll', { direction: 'right' })).toMatchObject(stuck)
  expect(await page.act(rtl, 'scroll', { direction: 'left' })).toMatchObject({ ok: true, effect: { scroll: { x: -300, y: 0 } } })
})

test('a combobox marked as closed is opened instead of using another listbox of the page', async () => {
  await using page = await lookAt(
    `<div role=combobox tabindex=0 aria-label=A aria-expanded=false onclick="opened++">A</div>
     <div role=listbox aria-label=B><div role=option onclick="wrong++">Red</div></div><script>var opened = 0, wrong = 0</script>`,
  )
  const answer = await page.act(await page.refOf('combobox'), 'select', { values: ['Red'] })
  expect(answer).toMatchObject({ ok: false, error: { code: 'option_not_found', opened: true } })
  expect(await page.evaluate('[opened, wrong]')).toEqual([1, 0])
})

test('a maxlength that browsers ignore is ignored', async () => {
  await using page = await lookAt('<input aria-label=A maxlength=-1><input aria-label=B type=number maxlength=2>')
  expect(await page.act(await page.refOf('textbox'), 'fill', { value: 'abc' })).toMatchObject({ ok: true, effect: { value: 'abc' } })
  expect(await page.act(await page.refOf('spinbutton'), 'fill', { value: '123' })).toMatchObject({ ok: true, effect: { value: '123' } })
})

test('an indeterminate checkbox is checked and unchecked from either state', async () => {
  await using page = await lookAt('<input type=checkbox id=c checked aria-label=C>')
  const ref = await page.refOf('checkbox')
  for (const checked of [true, false])
    for (const [kind, want] of [
      ['check', true],
      ['uncheck', false],
    ] as const) {
      await page.evaluate(`c.checked = ${checked}, c.indeterminate = true`)
      expect(await page.act(ref, kind)).toMatchObject({ ok: true, effect: { checked: want } })
    }
})

test('an unknown button or modifier fails with invalid_input, and nothing is clicked', async () => {
  await using page = await lookAt('<button onclick="hit++">B</button><script>var hit = 0</script>')
  const ref = await page.refOf('button')
  for (const payload of [{ button: 'Left' }, { modifiers: ['Ctrl'] }])
    expect(await page.act(ref, 'click', payload as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(await page.evaluate('hit')).toBe(0)
})

test('arrow keys step number and range inputs as in a browser, and letters leave range and date inputs unchanged', async () => {
  await using page = await lookAt(
    '<input type=number readonly value=5 id=a><input type=number step=any value=5 id=b><input type=range value=50 id=c><input type=date value=2024-01-01 id=d>',
  )
  const press = async (id: string, key: string) => {
    await page.evaluate(`${id}.focus()`)
    expect(await page.page('pressKey', { key })).toMatchObject({ ok: true })
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
  await using page = await lookAt('<body style="height:5000px"><select multiple id=a><option selected>1<option>2<option>3</select>')
  await page.evaluate('a.focus()')
  await page.page('pressKey', { key: 'ArrowDown' })
  await page.page('pressKey', { key: 'Space' })
  expect(await page.evaluate('[[...a.selectedOptions].map(each => each.text).join(), scrollY]')).toEqual(['2', 0])
})

test.each(['getSelection', 'defaultView', 'styleSheets', 'adoptedStyleSheets'])(
  'a page with an element named %s can be hovered and edited (A5)',
  async name => {
    await using page = await lookAt(`<img name=${name}><button>B</button><div contenteditable role=textbox aria-label=E>x</div>`)
    expect(await page.act(await page.refOf('button'), 'hover')).toMatchObject({ ok: true })
    const ref = await page.refOf('textbox')
    expect(await page.act(ref, 'fill', { value: 'yy' })).toMatchObject({ ok: true, effect: { value: 'yy' } })
    expect(await page.act(ref, 'type', { text: 'z' })).toMatchObject({ ok: true, effect: { value: 'yyz' } })
  },
)

test('the pointer can leave a form with a field named removeAttribute (A5)', async () => {
  await using page = await lookAt('<form><input name=removeAttribute><button type=button>B</button></form><button>C</button>')
  await page.act(await page.refOf('button', 'B'), 'hover')
  expect(await page.act(await page.refOf('button', 'C'), 'hover')).toMatchObject({ ok: true })
})

test('pressKey goes to the focused field inside a frame', async () => {
  await using page = await lookAt(
    `<iframe id=f srcdoc="<form onsubmit='top.sent++; return false'><input id=a aria-label=A></form>"></iframe><script>var sent = 0</script>`,
  )
  await expect.poll(() => page.text()).toContain('textbox')
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  await page.page('pressKey', { key: 'y' })
  await page.page('pressKey', { key: 'Enter' })
  expect(await page.evaluate('[f.contentDocument.getElementById("a").value, sent]')).toEqual(['xy', 1])
})

test('Tab skips inert elements and continues from the focused element, even one with tabindex=-1', async () => {
  await using page = await lookAt(
    '<button id=a>A</button><div inert><button>B</button></div><div id=d tabindex=-1><button id=c>C</button></div>',
  )
  await page.evaluate('a.focus()')
  await page.page('pressKey', { key: 'Tab' })
  expect(await page.evaluate('document.activeElement.id')).toBe('c')
  await page.evaluate('d.focus()')
  await page.page('pressKey', { key: 'Tab' })
  expect(await page.evaluate('document.activeElement.id')).toBe('c')
})

test('Escape closes only the topmost modal dialog', async () => {
  await using page = await lookAt(
    '<dialog id=n><button>y</button></dialog><dialog id=m><button>x</button></dialog><dialog open id=t>toast</dialog>',
  )
  await page.evaluate('m.showModal(), n.showModal()')
  await page.page('pressKey', { key: 'Escape' })
  expect(await page.evaluate('[n.open, m.open, t.open]')).toEqual([false, true, true])
  await page.page('pressKey', { key: 'Escape' })
  expect(await page.evaluate('[m.open, t.open]')).toEqual([false, true])
})

test('markup of an element with 200,000 children is cut instead of refused', async () => {
  await using page = await lookAt(
    '<button id=b>B</button><script>for (let i = 0; i < 200000; i++) b.append(document.createElement("i"))</script>',
  )
  const ref = await page.refOf('button')
  for (const kind of ['html', 'outerHTML'] as const)
    expect(await page.query(ref, kind, { limitChars: 50 })).toMatchObject({ ok: true, truncated: true })
})

test('back works on a page that has a variable named navigation', async () => {
  await using page = await lookAt('<nav id=n>x</nav>', {
    files: { 'b.html': '<nav>x</nav><script>var navigation = document.body</script>' },
  })
  await page.navigate('b.html')
  expect(await page.page('back')).toMatchObject({ ok: true })
})

test('Enter clicks a default button with an unknown type', async () => {
  await using page = await lookAt(
    '<form onsubmit="by = event.submitter.id; return false"><input aria-label=A><input aria-label=B><button id=s type=send>Send</button></form><script>var by</script>',
  )
  await page.act(await page.refOf('textbox', 'A'), 'press', { key: 'Enter' })
  expect(await page.evaluate('by')).toBe('s')
})

test('a handle that captures the pointer follows it across other elements', async () => {
  await using page = await lookAt(
    `<div id=h role=slider tabindex=0 aria-label=Size style="position:absolute;left:50px;top:50px;width:20px;height:20px;background:blue"></div>
     <script>h.onpointerdown = e => { h.setPointerCapture(e.pointerId); const from = e.clientX; h.onpointermove = m => h.style.left = 50 + m.clientX - from + 'px'; h.onpointerup = () => h.onpointermove = null }</script>`,
  )
  expect(await page.act(await page.refOf('slider'), 'drag', { dx: 120, dy: 90 })).toMatchObject({ ok: true })
  expect(await page.evaluate('h.style.left')).toBe('170px')
})

test('characters without a key are typed into the next field when the focus moves', async () => {
  await using page = await lookAt(
    '<input id=a aria-label=1 maxlength=1><input id=b aria-label=2 maxlength=1><script>a.oninput = () => b.focus()</script>',
  )
  await page.act(await page.refOf('textbox', '1'), 'type', { text: '文字' })
  expect(await page.evaluate('[a.value, b.value]')).toEqual(['文', '字'])
})

test('Escape closes an auto popover before the dialog, and leaves a manual popover open', async () => {
  await using page = await lookAt(
    '<dialog id=d><button>In</button><div id=p popover>Menu</div><div id=m popover=manual>Help</div></dialog><script>d.showModal(); m.showPopover(); p.showPopover()</script>',
  )
  const open = () => page.evaluate('[p.matches(":popover-open"), m.matches(":popover-open"), d.open]')
  await page.page('pressKey', { key: 'Escape' })
  expect(await open()).toEqual([false, true, true])
  await page.page('pressKey', { key: 'Escape' })
  expect(await page.evaluate('d.open')).toBe(false)
})

test('a long text is filled into a contenteditable element completely', async () => {
  await using page = await lookAt('<div id=a contenteditable aria-label=Note role=textbox></div>')
  const value = 'word '.repeat(12_000).trim()
  expect(await page.act(await page.refOf('textbox'), 'fill', { value })).toMatchObject({ ok: true })
  expect(await page.evaluate('a.textContent.length')).toBe(value.length)
})
