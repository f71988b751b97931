import { describe, expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

test('info returns URL, ready state, viewport and scroll position', async () => {
  await using page = await openScriptPage('<title>T</title><div style="height:3000px">x</div>')
  expect(await page.call('info')).toMatchObject({
    ok: true,
    type: 'page',
    kind: 'info',
    data: { url: page.url, readyState: 'complete', viewport: { width: 1280, height: 720 }, scroll: { x: 0, y: 0, height: 3016 } },
  })
})

test('scroll moves the page or its main scroll container, and reports the distance (S2-28)', async () => {
  await using page = await openScriptPage('<div style="height:3000px">x</div>')
  expect(await page.call('scroll', { direction: 'down' })).toMatchObject({ data: { effect: { scroll: { x: 0, y: 300 } } } })
  expect(await page.call('scroll', { direction: 'up', amount: 100 })).toMatchObject({ data: { effect: { scroll: { x: 0, y: 200 } } } })
  expect(await page.call('scroll', { direction: 'left' })).toMatchObject({ ok: false, error: { code: 'no_progress' } })
  await using app = await openScriptPage(
    '<style>body{margin:0;overflow:hidden}</style><div id=s style="height:100vh;overflow:auto;scroll-behavior:smooth"><div style="height:3000px">x</div></div>',
  )
  expect(await app.call('scroll', { direction: 'down', amount: 500 })).toMatchObject({ data: { effect: { scroll: { x: 0, y: 500 } } } })
})

describe('navigate', () => {
  const refused = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'view-source:http://a.example',
    'blob:http://a.example/1',
    'filesystem:http://a.example/1',
    'file:///etc/passwd',
    'about:config',
    'chrome://version',
    '/relative',
    'http://',
    '',
    null,
    7,
    {},
  ]
  test('opens http, https and about:blank, judged by the parsed URL rather than its spelling (X0-19 S2-14 B4)', async () => {
    await using page = await openScriptPage('<p>Here</p>', { files: { 'there.html': '<title>There</title>' } })
    for (const url of refused) {
      const answer = await page.call('navigate', { url: url as string })
      expect(answer, String(url)).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^(invalid_url|url_not_allowed)$/) } })
    }
    expect(await page.call('navigate', { url: `${page.url}there.html` })).toMatchObject({
      ok: true,
      data: { url: `${page.url}there.html` },
    })
    await expect.poll(() => page.evaluate('document.title')).toBe('There')
  })

  test('goes back, forward and reloads, and fails with no_history when there is no entry (X2-6)', async () => {
    await using page = await openScriptPage('<p>One</p>', { files: { 'two.html': '<title>Two</title>' } })
    await page.navigate('two.html')
    expect(await page.call('forward')).toMatchObject({ ok: false, error: { code: 'no_history' } })
    expect(await page.call('back')).toMatchObject({ ok: true })
    await expect.poll(() => page.evaluate('document.title')).toBe('test')
    expect(await page.call('forward')).toMatchObject({ ok: true })
    await expect.poll(() => page.evaluate('document.title')).toBe('Two')
    await page.evaluate('window.marked = 1')
    expect(await page.call('reload')).toMatchObject({ ok: true })
    await expect.poll(() => page.evaluate('window.marked')).toBeUndefined()
  })
})

describe('waitCheck checks once and never blocks (S0-107 X0-18)', () => {
  test('checks selector, text, textGone, url and load', async () => {
    await using page = await openScriptPage('<h1>Welcome <b>back</b></h1><p id=h hidden>secret</p>')
    const check = async (condition: object) => {
      const answer = await page.call('waitCheck', condition)
      return answer.ok ? answer.data : answer.error
    }
    expect(await check({ selector: 'h1 b' })).toMatchObject({ met: true })
    expect(await check({ selector: '#h' })).toMatchObject({ met: false, saw: expect.stringContaining('hidden') })
    expect(await check({ selector: '.none' })).toMatchObject({ met: false, saw: 'nothing that matches' })
    expect(await check({ selector: '((' })).toMatchObject({ code: 'invalid_selector' })
    expect(await check({ text: 'Welcome  back' })).toMatchObject({ met: true })
    expect(await check({ text: 'secret' })).toMatchObject({ met: false })
    expect(await check({ text: `it's "new"\nline` })).toMatchObject({ met: false })
    expect(await check({ textGone: 'Loading' })).toMatchObject({ met: true })
    expect(await check({ textGone: 'Welcome' })).toMatchObject({ met: false })
    expect(await check({ url: '127.0.0.1' })).toMatchObject({ met: true })
    expect(await check({ url: 'checkout' })).toMatchObject({ met: false, saw: page.url })
    expect(await check({ load: 'load' })).toMatchObject({ met: true })
    expect(await check({})).toMatchObject({ code: 'invalid_wait' })
    expect(await check({ text: 'a', url: 'b' })).toMatchObject({ code: 'invalid_wait' })
    expect(await check({ toString: 'a' })).toMatchObject({ code: 'invalid_wait' })
    expect(await check({ text: 5 })).toMatchObject({ code: 'invalid_wait' })
  })

  test('checks the state of a ref', async () => {
    await using page = await openScriptPage('<button id=b>B</button><input type=checkbox aria-label=C>')
    const ref = await page.ref('button')
    const is = async (state: string) => {
      const answer = await page.call('waitCheck', { ref, state: state as never })
      return answer.ok ? answer.data.met : answer.error.code
    }
    expect([await is('visible'), await is('enabled'), await is('attached'), await is('hidden'), await is('checked')]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    await page.evaluate('b.disabled = true, b.hidden = true, 1')
    expect([await is('visible'), await is('enabled'), await is('disabled'), await is('hidden'), await is('happy')]).toEqual([
      false,
      false,
      true,
      true,
      'invalid_wait',
    ])
    await page.evaluate('b.remove(), 1')
    expect([await is('detached'), await is('hidden'), await is('attached')]).toEqual([true, true, false])
  })

  test('meets domStable and networkIdle after half a second without changes', async () => {
    await using page = await openScriptPage(
      `<p id=p>0</p><script>let n = 0; const t = setInterval(() => { p.textContent = ++n; if (n === 5) clearInterval(t) }, 50)</script>`,
    )
    const met = async (condition: object) => {
      const answer = await page.call('waitCheck', condition)
      return answer.ok && answer.data.met
    }
    expect(await met({ domStable: true })).toBe(false)
    await expect.poll(() => met({ domStable: true }), { timeout: 10_000 }).toBe(true)
    expect(await page.evaluate('p.textContent')).toBe('5')
    await expect.poll(() => met({ networkIdle: true }), { timeout: 10_000 }).toBe(true)
  })
})

test('a horizontal scroll reports its position and fails with no_progress at the end, in ltr and rtl', async () => {
  const box = (dir: string) =>
    `<div dir=${dir} role=region tabindex=0 aria-label=${dir} style="width:200px;overflow:auto"><div style="width:900px">x</div></div>`
  await using page = await openScriptPage(box('ltr') + box('rtl'))
  const { refs } = await page.snapshot({ interactiveOnly: false })
  const [ltr = '', rtl = ''] = ['ltr', 'rtl'].map(name => Object.values(refs).find(each => each.name === name)?.ref ?? '')
  const stuck = { ok: false, error: { code: 'no_progress' } }
  expect(await page.act(ltr, 'scroll', { direction: 'left' })).toMatchObject(stuck)
  expect(await page.act(ltr, 'scroll', { direction: 'right' })).toMatchObject({ ok: true, effect: { scroll: { x: 300, y: 0 } } })
  expect(await page.act(rtl, 'scroll', { direction: 'right' })).toMatchObject(stuck)
  expect(await page.act(rtl, 'scroll', { direction: 'left' })).toMatchObject({ ok: true, effect: { scroll: { x: -300, y: 0 } } })
})
