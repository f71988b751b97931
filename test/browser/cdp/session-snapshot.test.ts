import { afterAll, describe, expect, test } from 'vitest'
import { type Chromium, launch } from '../../../src/drivers/cdp/browser/launch.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { otherOrigin } from '../../support/open-page.ts'
import { openTestSession } from '../../support/test-session.ts'

test('the engine is invisible to the page and immune to its patched built-ins (A5 S4-12 X4-3)', async () => {
  await using session = await openTestSession(
    {
      html: `<title>t</title><form><input name=nodeType><input name=tagName><button>Send</button></form><script>
        Array.prototype.push = Array.prototype.map = JSON.stringify = () => { throw new Error('tampered') }
        Object.defineProperty(window, '__agentBrowser', { value: { call: () => '{"ok":true}' } })
      </script>`,
    },
    { allowEval: true },
  )
  const snapshot = await session.do('snapshot')
  expect(snapshot.meta.integrity).toBe('verified')
  expect(await session.text()).toContain('button "Send"')
  expect(await session.do('evaluate', { js: 'document.documentElement.outerHTML.includes("data-agent-ref")' })).toMatchObject({
    value: 'false',
  })
  expect(await session.do('evaluate', { js: 'Object.keys(__agentBrowser).join()' })).toMatchObject({ value: '"call"' })
})

test('a ref is valid until its page is left (X4-4 F4)', async () => {
  await using session = await openTestSession({ html: '<button>One</button>', files: { 'two.html': '<button>Two</button>' } })
  const one = await session.ref('One')
  expect(await session.do('query', { ref: one, kind: 'text' })).toEqual({ value: 'One', truncated: false })
  await session.do('open', { url: `${session.url}two.html` })
  expect(await session.fails('query', { ref: one, kind: 'text' })).toMatchObject({ code: 'ref_not_found' })
  const two = await session.ref('Two')
  expect(two).not.toBe(one)
  expect(await session.fails('query', { ref: one, kind: 'text' })).toMatchObject({ code: 'ref_not_found' })
  expect(await session.do('query', { ref: `[${two.slice(1)}]`, kind: 'text' })).toMatchObject({ value: 'Two' })
  // also after going back: the document is a new one
  await session.do('back')
  await session.ref('One')
  expect(await session.fails('query', { ref: two, kind: 'text' })).toMatchObject({ code: 'ref_not_found' })
})

test('a ref of another session is refused even if both show the same page (S4-36, F4)', async () => {
  const pages = { html: '<button>Go</button><iframe srcdoc="<button>Inner</button>"></iframe>' }
  await using one = await openTestSession(pages)
  await using other = await openTestSession(pages)
  for (const name of ['Go', 'Inner']) {
    const [ref, same] = [await one.ref(name), await other.ref(name)]
    expect(ref).not.toBe(same)
    expect(await other.fails('click', { ref })).toMatchObject({
      code: 'ref_not_found',
      message: expect.stringContaining('another session'),
    })
    await one.do('click', { ref })
    await other.do('click', { ref: same })
  }
})

test('two clients of one session share its refs, and their commands do not interleave (S4-36)', async () => {
  await using session = await openTestSession({
    html: '<button>Shared</button>',
    files: { 'b.html': '<title>b</title><button>B</button>' },
  })
  const ref = await session.ref('Shared')
  const { run } = session.session
  const results = await Promise.all([
    run({ name: 'query', ref, kind: 'text' }),
    run({ name: 'open', url: `${session.url}b.html` }),
    run({ name: 'query', ref, kind: 'text' }),
    run({ name: 'snapshot' }),
  ])
  expect(results[0]).toMatchObject({ ok: true, data: { value: 'Shared' } })
  expect(results[2]).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
  expect(results[3]).toMatchObject({ ok: true, data: { meta: { title: 'b' } } })
})

test('viewport: visible counts covered and distant controls and adds boxes (S4-13 S4-15 S4-19 S4-20 S4-35 X4-1 X4-7)', async () => {
  await using session = await openTestSession({
    html: `<title>提交</title><button style="position:absolute;left:10px;top:20px;width:80px;height:30px">提交</button>
      <button style="position:absolute;left:200px;top:20px;width:80px;height:30px">under</button>
      <div style="position:absolute;left:190px;top:10px;width:200px;height:60px;background:#ccc"></div>
      <button style="position:absolute;top:3000px">far</button>`,
  })
  const snapshot = await session.do('snapshot', { viewport: 'visible' })
  expect(snapshot.tree.children).toMatchObject([{ name: '提交', box: [10, 20, 80, 30] }])
  expect(snapshot.stats.omitted).toMatchObject({ covered: 1, below: 1 })
})

test('scope accepts a ref or a selector and rejects anything else', async () => {
  await using session = await openTestSession({ html: '<form id=f><button>In</button></form><button>Out</button>' })
  const [form] = await session.nodes({ interactiveOnly: false })
  expect(await session.text({ scope: '#f' })).not.toContain('Out')
  expect(await session.text({ scope: form?.ref })).not.toContain('Out')
  expect(await session.fails('snapshot', { scope: 'e999' })).toMatchObject({ code: 'scope_not_found' })
  expect(await session.fails('snapshot', { scope: '#none' })).toMatchObject({ code: 'scope_not_found' })
  expect(await session.fails('snapshot', { scope: ':::' })).toMatchObject({ code: 'invalid_selector' })
})

test('closed shadow roots are included: nested, in custom elements, in elements with white space and in frames', async () => {
  await using session = await openTestSession({
    html: `<title>t</title><my-box></my-box><div id=plain>\n  </div><iframe srcdoc="<in-frame></in-frame><script>
        document.querySelector('in-frame').attachShadow({mode:'closed'}).innerHTML = '<button>framed</button>'</script>"></iframe><script>
      customElements.define('my-box', class extends HTMLElement { constructor() { super()
        const root = this.attachShadow({ mode: 'closed' }); root.innerHTML = '<button>outer</button><x-in></x-in>'
        root.querySelector('x-in').attachShadow({ mode: 'closed' }).innerHTML = '<input aria-label=deep>' } })
      plain.attachShadow({ mode: 'closed' }).innerHTML = '<a href=#>link</a>'</script>`,
  })
  const names = (await session.nodes()).filter(node => node.interactive).map(node => `${node.role} ${node.name}`)
  expect(names).toEqual(['button outer', 'textbox deep', 'link link', 'button framed'])
  expect(await session.do('query', { ref: await session.ref('outer'), kind: 'text' })).toMatchObject({ value: 'outer' })
  expect(await session.do('query', { ref: await session.ref('deep'), kind: 'isvisible' })).toMatchObject({ value: true })
})

const browsers: { [kind: string]: Promise<Chromium> } = {}
afterAll(async () => {
  for (const each of Object.values(browsers)) await (await each).close()
})
// @sparticuz/chromium keeps all frames in one process by default; desktop browsers do not
const kinds = { 'in the same process': [], 'out of process': ['--site-per-process'] }

for (const [kind, args] of Object.entries(kinds))
  describe(`cross-origin frames, ${kind}`, () => {
    const open = async (html: string, files: Record<string, string>) => {
      browsers[kind] ??= launch({ args })
      return openTestSession({ html, files }, { browser: await browsers[kind] })
    }
    /** the top page, a cross-origin frame in it, and in that one a frame of its own origin and one of the first origin */
    const nested = async () => {
      const session = await open('<title>top</title>', { 'deep.html': '<button>deep</button>', 'again.html': '<button>again</button>' })
      const { url } = session
      return { session, url }
    }

    test('are placed where they are shown, with unique refs', async () => {
      await using server = await serve((request, response) => {
        const host = request.headers.host ?? ''
        const other = host.replace('127.0.0.1', 'localhost')
        const pages: { [path: string]: string } = {
          '/': `<button>before</button><iframe title=Pay style="border:0;position:absolute;left:100px;top:200px" src="http://${other}/pay"></iframe><button>after</button>`,
          '/pay': `<body style="margin:0"><button style="position:absolute;left:5px;top:7px;width:50px;height:20px">pay</button><iframe src=/deep style="margin-top:30px;height:40px"></iframe><iframe style="height:30px" src="http://${host.replace('localhost', '127.0.0.1')}/again"></iframe>`,
          '/deep': '<button>deep</button>',
          '/again': '<button>again</button>',
        }
        sendHtml(pages[request.url ?? ''] ?? '')(request, response)
      })
      await using session = await open('', {})
      await session.do('open', { url: server.url })
      const nodes = await session.nodes()
      expect(nodes.filter(node => node.role === 'button').map(node => node.name)).toEqual(['before', 'pay', 'deep', 'again', 'after'])
      const refs = nodes.map(node => node.ref)
      expect(new Set(refs).size).toBe(refs.length)
      expect(nodes.some(node => node.states?.unreachable)).toBe(false)
      // an element keeps its ref, and the ref leads back to it
      expect((await session.nodes()).map(node => node.ref)).toEqual(refs)
      for (const name of ['pay', 'deep', 'again'])
        expect(await session.do('query', { ref: await session.ref(name), kind: 'text' })).toMatchObject({ value: name })
      const boxes = await session.nodes({ viewport: 'visible' })
      expect(boxes.find(node => node.name === 'pay')?.box).toEqual([105, 207, 50, 20])
    })

    test('support scope and after with refs inside them', async () => {
      await using server = await serve((request, response) => {
        const other = (request.headers.host ?? '').replace('127.0.0.1', 'localhost')
        const pages: { [path: string]: string } = {
          '/': `<title>top</title><button>before</button><iframe src="http://${other}/in"></iframe><button>after</button>`,
          '/in': '<form aria-label=F><button>one</button><button>two</button></form><button>three</button>',
        }
        sendHtml(pages[request.url ?? ''] ?? '')(request, response)
      })
      await using session = await open('', {})
      await session.do('open', { url: server.url })
      const names = async (args: object) => (await session.nodes(args)).map(node => node.name).filter(Boolean)
      const form = (await session.nodes()).find(node => node.role === 'form')
      expect(await names({ scope: form?.ref })).toEqual(['one', 'two'])
      expect((await session.do('snapshot', { scope: form?.ref })).meta).toMatchObject({ title: 'top', scope: form?.ref })
      expect(await names({ after: await session.ref('two') })).toEqual(['three', 'after'])
      expect(await names({ after: await session.ref('before') })).toEqual(
        ['one', 'two', 'three', 'after'].flatMap(name => (name === 'one' ? ['F', name] : name)),
      )
    })

    test('invalidate their refs when they load another document', async () => {
      const { session, url } = await nested()
      await using _ = session
      const frame = (name: string) => `<title>top</title><iframe src="${otherOrigin(url)}${name}"></iframe>`
      await using server = await serve((request, response) =>
        sendHtml(frame(request.url === '/2' ? 'again.html' : 'deep.html'))(request, response),
      )
      await session.do('open', { url: server.url })
      const deep = await session.ref('deep')
      await session.do('open', { url: `${server.url}2` })
      expect(await session.fails('query', { ref: deep, kind: 'text' })).toMatchObject({ code: 'ref_not_found' })
      expect(await session.ref('again')).not.toBe(deep)
    })
  })

test('an unresponsive out-of-process frame is reported, and the rest of the page is included', async () => {
  await using server = await serve((request, response) => {
    const other = (request.headers.host ?? '').replace('127.0.0.1', 'localhost')
    const isTop = request.url === '/'
    sendHtml(
      isTop
        ? `<button>seen</button><iframe src="http://${other}/in"></iframe>`
        : '<button>in</button><script>setTimeout(() => { while (true); })</script>',
    )(request, response)
  })
  await using session = await openTestSession({}, { launch: { args: ['--site-per-process'] }, loadMs: 500 })
  await session.do('open', { url: server.url })
  await expect.poll(() => session.text()).toContain('it does not answer')
  expect(await session.text()).toContain('button "seen"')
})

test('a screenshot covers the viewport, the page or an element, and a huge one is scaled down', async () => {
  await using session = await openTestSession({
    html: `<body style="margin:0;height:3000px"><button style="position:absolute;left:0;top:2000px;width:200px;height:100px;border:0">b</button>`,
  })
  expect(await session.do('screenshot')).toMatchObject({ mime: 'image/png', width: 1280, height: 720 })
  expect(await session.do('screenshot', { fullPage: true })).toMatchObject({ width: 1280, height: 3000 })
  expect(await session.do('screenshot', { ref: await session.ref('b') })).toMatchObject({ width: 200, height: 100 })
  await using huge = await openTestSession({ html: '<body style="margin:0;height:100000px">' })
  const { width, height } = await huge.do('screenshot', { fullPage: true })
  expect(width * height).toBeLessThanOrEqual(4_000_000)
  expect(Math.max(width, height)).toBeLessThanOrEqual(8_000)
})

test('annotate draws refs on the screenshot, not on the page', async () => {
  await using session = await openTestSession(
    {
      html: `<button style="position:absolute;left:50px;top:50px;width:100px;height:40px">b</button><script>
        changes = 0; new MutationObserver(seen => { changes += seen.length }).observe(document, { subtree: true, childList: true, attributes: true })</script>`,
    },
    { allowEval: true },
  )
  const plain = await session.do('screenshot')
  const drawn = await session.do('screenshot', { annotate: true })
  expect([drawn.width, drawn.height]).toEqual([plain.width, plain.height])
  expect(drawn.base64).not.toBe(plain.base64)
  expect(await session.do('evaluate', { js: 'changes' })).toMatchObject({ value: '0' })
  // a line of the mark's color runs along the button's edge, and nowhere on the plain screenshot
  const pixel = (base64: string) =>
    `fetch('data:image/png;base64,${base64}').then(r => r.blob()).then(createImageBitmap).then(p => {
      const pen = new OffscreenCanvas(p.width, p.height).getContext('2d'); pen.drawImage(p, 0, 0)
      return [...pen.getImageData(100, 50, 1, 1).data].join() })`
  expect(await session.do('evaluate', { js: pixel(drawn.base64) })).toMatchObject({ value: '"208,0,111,255"' })
  expect(await session.do('evaluate', { js: pixel(plain.base64) })).not.toMatchObject({ value: '"208,0,111,255"' })
})
