import { expect, test } from 'vitest'
import { type CdpPage, openCdpPage } from '../../support/cdp-page.ts'
import { clobberedNames } from '../../support/clobbered-names.ts'

// B1: a click reaches the ref or fails with the reason. Each page repeats its trick; no attempt may be reported as a click that did not happen.
const runs = Number(process.env.RUNS ?? 5)

async function tricked(html: string, ready = ''): Promise<{ page: CdpPage; ref: string }> {
  const page = await openCdpPage(`${html}<script>clicked = []; addEventListener('click', e => clicked.push(e.target.id), true)</script>`)
  const ref = await page.ref('Target')
  if (ready) await page.evaluate(ready)
  return { page, ref }
}

test('a cover that appears under the pointer is reported as click_intercepted and is not clicked (B1 X4-6)', async () => {
  for (let run = 0; run < runs; run++) {
    const { page, ref } = await tricked(`
      <button id=t style="width:200px;height:60px" onpointerover="c.style.display='block'">Target</button>
      <button id=c aria-label="Buy now" style="display:none;position:fixed;inset:0" onclick="document.title='bought'">Buy now</button>`)
    await using _ = page
    const failed = await page.fails('click', { ref })
    expect(failed).toMatchObject({ code: 'click_intercepted', page: { coveredBy: 'button Buy now' } })
    expect(await page.evaluate('[document.title, clicked]')).toEqual(['test', []])
  }
})

test('an element swapped for another one on hover is reported as target_moved (B1)', async () => {
  for (let run = 0; run < runs; run++) {
    const { page, ref } = await tricked(
      `<div id=d><button id=t style="width:200px;height:60px" onmouseover="d.innerHTML='<button id=other style=width:200px;height:60px>Target</button>'">Target</button></div>`,
    )
    await using _ = page
    expect((await page.fails('click', { ref })).code).toMatch(/^(target_moved|ref_not_found)$/)
    expect(await page.evaluate('clicked')).toEqual([])
  }
})

test('an element that flees the pointer is never reported as clicked (B1)', async () => {
  for (let run = 0; run < runs; run++) {
    const { page, ref } = await tricked(`
      <button id=t style="position:absolute;left:20px;top:20px;width:100px;height:40px" onpointerover="t.style.left = t.offsetLeft + 200 + 'px'">Target</button>
      <div id=behind style="position:absolute;inset:0;z-index:-1"></div>`)
    await using _ = page
    expect((await page.fails('click', { ref })).code).toBe('target_moved')
    expect(await page.evaluate('clicked')).toEqual([])
  }
})

test('for an element in constant motion, the answer matches whether it was hit (B1)', async () => {
  const { page, ref } = await tricked(`
    <button id=t style="position:absolute;left:0;top:20px;width:30px;height:30px">Target</button>
    <script>(function step(now) { t.style.left = (now * 2 % 900) + 'px'; requestAnimationFrame(step) })(0)</script>`)
  await using _ = page
  for (let run = 0; run < runs; run++) {
    await page.evaluate('clicked.length = 0')
    const outcome = await page.do('click', { ref }).then(
      () => 'ok',
      (error: Error) => (/target_moved|not_visible|element_blocked|moved away before/.test(error.message) ? 'moved' : error.message),
    )
    expect(outcome).toBe((await page.evaluate<string[]>('clicked')).includes('t') ? 'ok' : 'moved')
  }
})

test('an element that slides in is clicked after its animation has ended', async () => {
  const { page, ref } = await tricked(
    `<style>@keyframes in { from { transform: translateX(600px) } } .in { animation: in .5s }</style><button id=t>Target</button>`,
    't.classList.add("in")',
  )
  await using _ = page
  await page.do('click', { ref })
  expect(await page.evaluate('[clicked, t.getAnimations().length]')).toEqual([['t'], 0])
})

test('an element that a script or a transition moves is clicked when it has stopped', async () => {
  const moves = {
    transition: 't.style.transition = "margin .3s"; t.offsetTop; t.style.marginLeft = "500px"; moved = () => t.offsetLeft >= 500',
    frames: 'move = () => { left += 25; t.style.marginLeft = left + "px"; if (left < 500) requestAnimationFrame(move) }; move()',
  }
  for (const [kind, script] of Object.entries(moves)) {
    const { page, ref } = await tricked('<script>left = 0; moved = () => left >= 500</script><button id=t>Target</button>', script)
    await using _ = page
    await page.do('click', { ref })
    expect([kind, await page.evaluate('[clicked, moved()]')]).toEqual([kind, [['t'], true]])
  }
})

test('an element without a size, or removed during the approach, is refused (B1)', async () => {
  for (let run = 0; run < runs; run++) {
    const { page, ref } = await tricked('<button id=t>Target</button>')
    await using _ = page
    await page.evaluate('t.style.cssText = "width:0;height:0;padding:0;border:0;overflow:hidden;position:absolute"')
    expect((await page.fails('click', { ref })).code).toBe('not_visible')
    await page.evaluate('(t.style.cssText = "", requestAnimationFrame(() => t.remove()))')
    expect((await page.fails('click', { ref })).code).toMatch(/^(ref_not_found|target_moved)$/)
    expect(await page.evaluate('clicked')).toEqual([])
  }
})

test('an element removed on hover is reported as target_moved (B1)', async () => {
  for (let run = 0; run < runs; run++) {
    const { page, ref } = await tricked(`<button id=t style="width:200px;height:60px" onmouseover="t.remove()">Target</button>`)
    await using _ = page
    expect((await page.fails('click', { ref })).code).toMatch(/^(target_moved|ref_not_found)$/)
    expect(await page.evaluate('clicked')).toEqual([])
  }
})

test('synthetic clicks of the page are not mistaken for the trusted one (B1)', async () => {
  const { page, ref } = await tricked(`
    <button id=t style="width:200px;height:60px" onpointerover="c.style.display='block'; for (const type of ['pointerdown','mousedown','click']) t.dispatchEvent(new MouseEvent(type, {bubbles:true}))">Target</button>
    <div id=c style="display:none;position:fixed;inset:0"></div>`)
  await using _ = page
  expect((await page.fails('click', { ref })).code).toBe('click_intercepted')
})

test('a click whose pointerdown opens an overlay succeeds with a note', async () => {
  const { page, ref } = await tricked(`
    <button id=t style="width:200px;height:60px" onpointerdown="c.style.display='block'">Target</button>
    <div id=c role=menu style="display:none;position:fixed;inset:0;background:#fff"><button>Item</button></div>`)
  await using _ = page
  const acted = await page.do('click', { ref })
  expect(acted).toMatchObject({ trusted: true })
  expect(acted.notes?.join()).toContain('before the click did')
})

test('a click works on a page with patched built-ins and clobbered names (A5)', async () => {
  const { page, ref } =
    await tricked(`<form id=f><input name=addEventListener><input name=nodeType><button id=t type=button>Target</button></form>
    <script>Event.prototype.composedPath = () => []; Array.prototype.includes = () => false; EventTarget.prototype.addEventListener = () => {}; document.elementFromPoint = () => null</script>`)
  await using _ = page
  await page.evaluate('t.onclick = () => { document.title = "hit" }')
  expect(await page.do('click', { ref })).toMatchObject({ trusted: true, settled: true })
  expect(await page.evaluate('document.title')).toBe('hit')
})

test.each(clobberedNames)('a form with a field named %s can be filled, clicked and queried with trusted input (A5)', async name => {
  await using page = await openCdpPage(
    `<form id=f onsubmit="event.preventDefault(); window.sent = (window.sent ?? 0) + 1"><input name=${name} aria-label=Field><button>Go</button></form>`,
  )
  const ref = await page.ref('Field')
  expect(await page.do('fill', { ref, value: 'x' })).toMatchObject({ effect: { value: 'x' } })
  expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({ trusted: true, settled: true })
  expect(await page.do('query', { ref, kind: 'value' })).toMatchObject({ value: 'x' })
  expect(await page.evaluate('sent')).toBe(1)
})

/** what a clock shows after so many looks at it */
const clocks: { readonly [name: string]: string } = {
  'jumps an hour back and forth': '(n % 2 ? 1 : -1) * 3.6e6',
  'jumps an hour ahead': 'n > 2 ? 3.6e6 : 0',
  'jumps an hour back': 'n > 2 ? -3.6e6 : 0',
  'jumps a year ahead': 'n > 2 ? 3.15e10 : 0',
}

for (const [name, offset] of Object.entries(clocks))
  test(`a clock that ${name}, here and in the page, does not affect waiting and settling (F6)`, async () => {
    await using page =
      await openCdpPage(`<button id=b onclick="setTimeout(() => p.textContent = 'Ready', 100)">Go</button><p id=p>Wait</p><script>
      const date = Date.now, clock = performance.now; let n = 0
      const offset = () => (n++, ${offset})
      Date.now = () => date() + offset()
      performance.now = () => clock.call(performance) + offset()</script>`)
    const here = Date.now
    const offsetHere = new Function('n', `return ${offset}`) as (n: number) => number
    let looks = 0
    Date.now = () => here() + offsetHere(looks++)
    try {
      expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({ settled: true })
      expect(await page.text({ interactiveOnly: false })).toContain('Ready')
      expect(await page.do('wait', { text: 'Ready' })).toMatchObject({ met: true })
      expect(await page.fails('wait', { text: 'Never', timeoutMs: 50 })).toMatchObject({ code: 'timeout' })
    } finally {
      Date.now = here
    }
  })

/** each page replaces the pressed button in another way; a click on the replacement is counted in the title */
const replacements = [
  ['by a copy of itself', 'this.outerHTML = this.outerHTML'],
  [
    'by a new button',
    "this.replaceWith(Object.assign(document.createElement('button'), { textContent: 'Target', style: 'width:200px;height:60px' }))",
  ],
  ['with all of its container', "d.innerHTML = '<button style=width:200px;height:60px>Target</button>'"],
] as const

test.each(replacements)('a button that mousedown replaces %s is not reported as clicked (B1)', async (_, script) => {
  const { page, ref } = await tricked(
    `<div id=d><button id=t style="width:200px;height:60px" onclick="document.title = 'clicked'" onmousedown="presses = (window.presses || 0) + 1; ${script.replace(/"/g, '&quot;')}">Target</button></div>`,
  )
  await using _page = page
  expect(await page.fails('click', { ref })).toMatchObject({ code: 'outcome_unknown', message: expect.stringContaining('replaced') })
  expect(await page.evaluate('[document.title, presses]')).toEqual(['test', 1])
})

/** each page does its work on mousedown and puts an element in the place of the pressed one */
const chosenByPress = [
  ['the page shows another text', "out.textContent = 'Cherry'; this.outerHTML = this.outerHTML"],
  ['a field has another value', "field.value = 'Cherry'; this.outerHTML = this.outerHTML"],
  ['it has another state', "this.setAttribute('aria-pressed', true); this.outerHTML = this.outerHTML"],
  ['another control is there', "d.innerHTML = '<button style=width:200px;height:60px>Other</button>'"],
  ['it is hidden in the next frame', 'this.outerHTML = this.outerHTML; requestAnimationFrame(() => { d.hidden = true })'],
] as const

test.each(chosenByPress)('a press that replaces its element is a success if %s (B1)', async (_, script) => {
  const { page, ref } = await tricked(
    `<p id=out>Apple</p><input id=field><div id=d><button id=t style="width:200px;height:60px" onmousedown="${script.replace(/"/g, '&quot;')}">Target</button></div>`,
  )
  await using _page = page
  const acted = await page.do('click', { ref })
  expect([acted.effect.gone, acted.notes?.join()]).toEqual([true, expect.stringContaining('before the click did')])
})

test('a button that moves away when it is pressed got no click, and may have acted', async () => {
  const { page, ref } = await tricked(
    '<button id=t style="width:200px;height:60px;position:relative" onmousedown="this.style.top = \'300px\'">Target</button>',
  )
  await using _ = page
  expect(await page.fails('click', { ref })).toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining('moved away before the button was released'),
    hint: expect.stringContaining('Look at the page before acting again'),
  })
})

test.each([
  ['removed', 'this.remove()'],
  ['hidden', 'this.hidden = true'],
  ['hidden with its list', 'this.parentNode.hidden = true'],
])('an element that is %s after mousedown, with nothing in its place, is a success with a note', async (_how, script) => {
  const { page, ref } = await tricked(
    `<ul><li id=t role=option tabindex=0 onmousedown="document.title = 'chosen'; ${script}">Target</li></ul>`,
  )
  await using _ = page
  const acted = await page.do('click', { ref })
  expect([acted.effect.gone, acted.notes?.join(), await page.evaluate('document.title')]).toEqual([
    script === 'this.remove()' ? true : undefined,
    expect.stringContaining('before the click did'),
    'chosen',
  ])
})

const counting = '<button id=t onclick="this.textContent = Number(this.textContent || 0) + 1" aria-label=Target></button>'

test('a click is observed, and made once, after document.open() removed all listeners (B1)', async () => {
  await using page = await openCdpPage(`<button>Old</button>`)
  await page.evaluate(`document.open(); document.write(${JSON.stringify(counting)}); document.close()`)
  const ref = await page.ref('Target')
  await page.do('click', { ref })
  expect(await page.evaluate('t.textContent')).toBe('1')
})

test('a click is observed, and made once, in a frame filled by document.write (B1)', async () => {
  await using page = await openCdpPage(`<iframe id=f title=Frame></iframe><script>
    f.contentDocument.open(); f.contentDocument.write(${JSON.stringify(counting)}); f.contentDocument.close()</script>`)
  await page.do('click', { ref: await page.ref('Target') })
  expect(await page.evaluate("f.contentDocument.getElementById('t').textContent")).toBe('1')
})

test('a click on a frame element reaches its document once, whatever its origin (B1)', async () => {
  const inner = '<!doctype html><title>inner</title><body onclick="parent.postMessage(1, \'*\')" style="height:100px">'
  await using page = await openCdpPage(
    `<iframe id=a title=Same src=inner.html></iframe><iframe id=b title=Other></iframe>
     <script>clicks = 0; onmessage = () => clicks++; b.src = location.href.replace('127.0.0.1', 'localhost') + 'inner.html'</script>`,
    { files: { 'inner.html': inner } },
  )
  await expect.poll(() => page.nodes().then(nodes => nodes.filter(({ role }) => role === 'iframe').length)).toBe(2)
  for (const [index, name] of ['Same', 'Other'].entries()) {
    const { ref } = (await page.nodes()).find(node => node.role === 'iframe' && node.name === name) ?? {}
    await page.do('click', { ref })
    await expect.poll(() => page.evaluate('clicks')).toBe(index + 1)
  }
})

test('a press that cannot be observed is reported as outcome_unknown and is not repeated (B1)', async () => {
  await using page = await openCdpPage(`<button id=t>Target</button>`)
  // the document is opened anew between the aim and the press, so no listener hears the press
  const again = counting.replace('>', ' style="position:fixed;inset:0">')
  await page.evaluate(`t.onpointerover = () => { document.open(); document.write(${JSON.stringify(again)}); document.close() }`)
  expect((await page.fails('click', { ref: await page.ref('Target') })).code).toBe('outcome_unknown')
  expect(await page.evaluate('Number(t.textContent)')).toBeLessThanOrEqual(1)
})

test('an image in a disabled button is not reported as clicked (B1)', async () => {
  await using page = await openCdpPage(`<button disabled><img alt=Picture width=60 height=60></button>
    <fieldset disabled><legend>Off</legend><button><img alt=Second width=60 height=60></button><img alt=Free width=60 height=60 onclick="document.title = 'free'"></fieldset>`)
  const images = (await page.nodes({ interactiveOnly: false })).filter(({ role }) => role === 'img' || role === 'image')
  const refOf = (name: string) => images.find(each => each.name === name)?.ref
  for (const name of ['Picture', 'Second']) expect((await page.fails('click', { ref: refOf(name) })).code).toBe('not_enabled')
  await page.do('click', { ref: refOf('Free') })
  expect(await page.evaluate('document.title')).toBe('free')
})
