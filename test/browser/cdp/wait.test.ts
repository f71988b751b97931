import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { serve } from '../../support/http-server.ts'

const later = (work: string, ms = 150) => `<script>setTimeout(() => { ${work} }, ${ms})</script>`
const other = (file: string) =>
  `<script>document.write('<iframe src="' + location.href.replace('127.0.0.1', 'localhost') + '${file}"></iframe>')</script>`

test('wait waits for a selector, a text, and the disappearance of a text (C7)', async () => {
  await using page = await openCdpPage(`<p id=old>Loading</p><p class=x hidden>hidden</p>`)
  await page.evaluate(
    `setTimeout(() => { old.remove(); document.body.insertAdjacentHTML('beforeend', '<p class=x>All  done</p>') }, 150) && 1`,
  )
  expect(await page.do('wait', { selector: '.x:not([hidden])' })).toMatchObject({ met: true, waitedMs: expect.any(Number) })
  expect(await page.do('wait', { text: 'All done' })).toMatchObject({ met: true })
  expect(await page.do('wait', { textGone: 'Loading' })).toMatchObject({ met: true })
})

test('wait for a text ignores white space, so that the words of a snapshot are found', async () => {
  await using page = await openCdpPage(
    `<p>Order<b>#101</b>&nbsp;is\n  ready</p><div class=card><div>Total</div><div>12 €</div><button>Pay</button></div>
    <table><tr><td>Ann<td><td>Rome</tr></table>`,
  )
  for (const text of [
    'Ann | | Rome',
    '| | Rome',
    'Order #101 is ready',
    'Order#101 is ready',
    'is\u00a0ready',
    'Total | 12 €',
    'Total 12\n€',
  ])
    expect(await page.do('wait', { text, timeoutMs: 2_000 })).toMatchObject({ met: true })
  expect((await page.fails('wait', { textGone: 'Total | 12 €', timeoutMs: 200 })).code).toBe('timeout')
  expect((await page.fails('wait', { text: 'Total 13 €', timeoutMs: 200 })).code).toBe('timeout')
})

test('wait for a text ignores spaces between Han characters, Traditional forms and full width', async () => {
  await using page = await openCdpPage('<button>提 交</button><p>確　認　訂單：１２</p><p>已发送</p>')
  for (const text of ['提交', '提　交', '确认订单', '確認訂單', '订单:12', '已發送'])
    expect(await page.do('wait', { text, timeoutMs: 2_000 }), text).toMatchObject({ met: true })
  for (const text of ['提交了', '取消']) expect((await page.fails('wait', { text, timeoutMs: 200 })).code, text).toBe('timeout')
  expect((await page.fails('wait', { textGone: '确认订单', timeoutMs: 200 })).code).toBe('timeout')
})

test('wait looks into all frames, and textGone requires that the text is gone from all of them', async () => {
  await using page = await openCdpPage(`<p>Top</p>${other('in.html')}`, {
    files: { 'in.html': later(`document.body.innerHTML = '<p id=p>Inside</p>'`) },
  })
  expect(await page.do('wait', { text: 'Inside' })).toMatchObject({ met: true })
  expect(await page.do('wait', { selector: '#p' })).toMatchObject({ met: true })
  expect((await page.fails('wait', { textGone: 'Inside', timeoutMs: 200 })).page?.saw).toContain('still there')
})

test('a timeout reports the condition and the last state', async () => {
  await using page = await openCdpPage(`<button id=b disabled>Go</button><p class=x hidden></p>`)
  const ref = await page.ref('Go')
  const failed = async (given: object) => {
    const { code, message, page: words } = await page.fails('wait', { ...given, timeoutMs: 120, pollMs: 20 })
    expect(code).toBe('timeout')
    return `${message} ${words?.saw}`
  }
  expect(await failed({ selector: '.x' })).toMatch(/^Nothing that matches "\.x" appeared within \d+ ms\. 1 that match, all hidden$/)
  expect(await failed({ text: 'Ready' })).toMatch(/^The text "Ready" did not appear within/)
  expect(await failed({ url: '/done' })).toContain(page.url)
  expect(await failed({ ref, state: 'enabled' })).toMatch(new RegExp(`^${ref} did not become enabled .* ${ref} is .*disabled`))
})

test('an invalid selector, several or no conditions, and an unknown ref fail at once', async () => {
  await using page = await openCdpPage('<p>x')
  expect((await page.fails('wait', { selector: 'p[', timeoutMs: 60_000 })).code).toBe('invalid_selector')
  expect((await page.fails('wait', { selector: 'p', text: 'x' })).code).toBe('invalid_wait')
  expect((await page.fails('wait', {})).code).toBe('invalid_wait')
  expect((await page.fails('wait', { ref: 'e99', timeoutMs: 60_000 })).code).toBe('ref_not_found')
})

test('wait waits for a ref to be enabled, checked, hidden or detached', async () => {
  await using page = await openCdpPage(`<button id=b disabled>Go</button><label><input type=checkbox id=c> Box</label>`)
  const [go, box] = [await page.ref('Go'), await page.ref('Box')]
  await page.evaluate(`setTimeout(() => { b.disabled = false; c.checked = true }, 100) && 1`)
  expect(await page.do('wait', { ref: go, state: 'enabled' })).toMatchObject({ met: true })
  expect(await page.do('wait', { ref: box, state: 'checked' })).toMatchObject({ met: true })
  await page.evaluate(`setTimeout(() => { b.style.display = 'none'; c.remove() }, 100) && 1`)
  expect(await page.do('wait', { ref: go, state: 'hidden' })).toMatchObject({ met: true })
  expect(await page.do('wait', { ref: box, state: 'detached' })).toMatchObject({ met: true })
  expect(await page.do('wait', { ref: box, state: 'hidden' })).toMatchObject({ met: true })
})

test('wait follows url and load across navigations', async () => {
  await using page = await openCdpPage(later(`location.href = 'two.html'`), {
    files: { 'two.html': later(`location.href = 'three.html'`), 'three.html': '<title>three</title><p>Here</p>' },
  })
  expect(await page.do('wait', { url: 'three.html' })).toMatchObject({ met: true, page: { title: 'three' } })
  expect(await page.do('wait', { load: 'load' })).toMatchObject({ met: true, page: { readyState: 'complete' } })
  await page.evaluate(`setTimeout(() => { location.href = 'four.html' }, 50) && 1`)
  expect(await page.do('wait', { text: 'not found' })).toMatchObject({ met: true })
})

test('networkIdle waits for all requests, and a timeout names the pending one', async () => {
  let end = () => {}
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' })
    response.flushHeaders()
    end = () => response.end('x')
  })
  await using page = await openCdpPage(`<p>x`)
  await page.evaluate(`fetch('${server.url}hang').then(r => r.text()).then(t => { document.title = t }) && 1`)
  expect((await page.fails('wait', { networkIdle: true, timeoutMs: 300 })).page?.saw).toContain(`${server.url}hang`)
  end()
  expect(await page.do('wait', { networkIdle: true })).toMatchObject({ met: true, page: { title: 'x' } })
})

test('domStable waits until the document has stopped changing', async () => {
  await using page = await openCdpPage(
    `<p id=p></p><script>count = 0; const t = setInterval(() => { p.textContent = ++count; if (count === 7) clearInterval(t) }, 60)</script>`,
  )
  expect(await page.do('wait', { domStable: true })).toMatchObject({ met: true })
  expect(await page.evaluate('count')).toBe(7)
})

test('a dialog ends every wait', async () => {
  await using page = await openCdpPage('<p>x')
  await page.evaluate(`setTimeout(() => alert('Hello'), 1_000) && 1`)
  expect(await page.fails('wait', { text: 'never', timeoutMs: 60_000 })).toMatchObject({
    code: 'dialog_open',
    page: { dialog: 'Hello' },
  })
  await page.do('dialog', { accept: true })
  expect(await page.do('wait', { text: 'x' })).toMatchObject({ met: true })
})

test('wait with ms takes that long, and every wait can be aborted', async () => {
  await using page = await openCdpPage('<p>x')
  expect((await page.do('wait', { ms: 120 })).waitedMs).toBeGreaterThanOrEqual(119)
  for (const given of [{ ms: 60_000 }, { text: 'never', timeoutMs: 60_000 }]) {
    const stop = new AbortController()
    const failing = page.fails('wait', given, stop.signal)
    stop.abort()
    expect((await failing).code).toBe('aborted')
  }
})
