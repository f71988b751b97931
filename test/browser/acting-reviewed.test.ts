import { expect, test } from 'vitest'
import { lookAt } from '../support/looking.ts'

const polyfilled = '<script>Array.prototype.last = function () { return this.at(-1) }</script>'

test('a change that is fired when the page itself leaves the field takes no polyfill away from it', async () => {
  await using page = await lookAt(`${polyfilled}<input id=a aria-label=A>`)
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  expect(await page.evaluate('a.blur(); typeof [].last')).toBe('function')
})

test('the end of a long press takes no polyfill away from the page', async () => {
  await using page = await lookAt(`${polyfilled}<button id=b>Hold</button><script>var up = 0; b.onpointerup = () => up++</script>`)
  await page.act(await page.refOf('button'), 'longpress', { ms: 20 })
  await expect.poll(() => page.evaluate('up')).toBe(1)
  expect(await page.evaluate('typeof [].last')).toBe('function')
})

test('Space whose keydown is prevented, or moves the focus, presses nothing when it is let go', async () => {
  await using page = await lookAt(
    `<button onkeydown="event.preventDefault()" onclick="hit.push('own')">Own</button><button onkeydown="d.focus()">Menu</button>
     <button id=d onclick="hit.push('delete')">Delete</button><script>var hit = []</script>`,
  )
  await page.act(await page.refOf('button', 'Own'), 'press', { key: 'Space' })
  await page.act(await page.refOf('button', 'Menu'), 'press', { key: 'Space' })
  expect(await page.evaluate('[hit, document.activeElement.id]')).toEqual([[], 'd'])
})

test('Enter and Space press buttons and links only, not what is called nearly so', async () => {
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

test('a key for what does not take the focus does not go to what has it', async () => {
  await using page = await lookAt(
    `<div role=button>Plain</div><form onsubmit="sent++; return false"><input aria-label=A></form><script>var sent = 0</script>`,
  )
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  const answer = await page.act(await page.refOf('button'), 'press', { key: 'Enter' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'not_committed' } })
  expect(await page.evaluate('sent')).toBe(0)
})

test('a secret is in no message about what a field would hold, and in no text that came or is asked for (A4)', async () => {
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

test('what was typed into a number or an address of mail is forgotten when the field is emptied', async () => {
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

test('Control+a selects all of a number too, and what is typed takes its place', async () => {
  await using page = await lookAt('<input type=number id=a aria-label=A value=12>')
  const ref = await page.refOf('spinbutton')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'type', { text: '34' })
  expect(await page.evaluate('a.value')).toBe('34')
  await page.act(ref, 'press', { key: 'Control+a' })
  await page.act(ref, 'press', { key: 'Backspace' })
  expect(await page.evaluate('a.value')).toBe('')
})
