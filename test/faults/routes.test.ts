import { expect, test } from 'vitest'
import { sendHtml, serve } from '../support/http-server.ts'
import { openTestSession } from '../support/test-session.ts'
import { tries } from './scale.ts'

const click = (html: string) => `${html}<script>onload = () => setTimeout(() => document.getElementById('x').click(), 50)</script>`
const script = (js: string) => `<script>onload = () => setTimeout(() => { ${js} }, 50)</script>`

/** Ways in which a page takes a tab, or a new one, to another host. */
const routes: { readonly [name: string]: (there: string) => string } = {
  link: there => click(`<a id=x href="${there}">x</a>`),
  'link to a new tab': there => click(`<a id=x target=_blank href="${there}">x</a>`),
  'link without an opener': there => click(`<a id=x target=_blank rel=noopener href="${there}">x</a>`),
  'link to a named window': there => click(`<a id=x target=other href="${there}">x</a>`),
  'area of a map': there => click(`<img usemap="#m"><map name=m><area id=x href="${there}"></map>`),
  'link in SVG': there =>
    `<svg><a id=x href="${there}"><text>x</text></a></svg>${script("x.dispatchEvent(new MouseEvent('click', { bubbles: true }))")}`,
  'base address': there => click(`<base href="${there}"><a id=x href="page">x</a>`),
  'meta refresh': there => `<meta http-equiv=refresh content="0;url=${there}">`,
  'GET form': there => click(`<form action="${there}"><button id=x>x</button></form>`),
  'POST form': there => click(`<form method=post action="${there}"><button id=x>x</button></form>`),
  'formaction of a button': there => click(`<form action=/><button id=x formaction="${there}">x</button></form>`),
  'form to a new tab': there => click(`<form target=_blank method=post action="${there}"><button id=x>x</button></form>`),
  'location.href': there => script(`location.href = '${there}'`),
  'location.replace': there => script(`location.replace('${there}')`),
  'navigation API': there => script(`navigation.navigate('${there}')`),
  'window.open': there => script(`open('${there}')`),
  'window that is led on': there => script(`const w = open('about:blank'); w.location = '${there}'`),
  'opener that is led on': there =>
    script(`const w = open('about:blank'); w.document.write('<script>opener.location = "${there}"<\\/script>')`),
  'blob page': there =>
    script(`location = URL.createObjectURL(new Blob(['<meta http-equiv=refresh content="0;url=${there}">'], { type: 'text/html' }))`),
  'frame that leads its parent': there => `<iframe srcdoc="<script>parent.location = '${there}'</script>"></iframe>`,
  frameset: there => script(`document.open(); document.write('<frameset cols="*"><frame src="${there}"></frameset>'); document.close()`),
  embed: there => `<embed src="${there}" type="text/html">`,
  'history entry': there => script(`history.pushState(0, '', '/two'); history.back(); setTimeout(() => { location = '${there}' }, 20)`),
  'Refresh header': () => '',
  '307 redirect': () => '',
}

test('25 routes from an allowed to a denied host: no request is sent, and nothing of it is shown (B4, A2)', {
  timeout: 600_000,
}, async ({ task }) => {
  const names = Object.keys(routes).slice(0, tries(25, 5))
  expect(names).toHaveLength(tries(25, 5))
  task.meta.tries = names.length
  let asked = 0
  await using denied = await serve((request, response) => {
    asked++
    sendHtml('<title>DENIED-TEXT</title><h1>DENIED-TEXT</h1><button>DENIED-TEXT</button><script>alert("DENIED-TEXT")</script>')(
      request,
      response,
    )
  })
  const there = `${denied.other}secret`
  const reached = new Set<string>()
  await using home = await serve((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1))
    reached.add(name)
    if (name === '307 redirect') return void response.writeHead(307, { location: there }).end()
    const headers = name === 'Refresh header' ? { refresh: `0;url=${there}` } : {}
    response.writeHead(200, { 'content-type': 'text/html', ...headers })
    response.end(`<!doctype html><title>Home</title><h1>Home</h1>${routes[name]?.(there) ?? ''}`)
  })
  await using session = await openTestSession({}, { hosts: { allow: ['127.0.0.1'] }, patienceMs: 2_000 })
  for (const name of names) {
    const answers: unknown[] = [await session.session.run({ name: 'open', url: home.url + encodeURIComponent(name) })]
    // the note of the refusal, the line of a refused frame, or the failure of open
    const hasRefused = () => /not allowed|url_not_allowed/.test(JSON.stringify(answers))
    await expect
      .poll(
        async () => {
          for (const verb of ['snapshot', 'tabs', 'status'] as const)
            answers.push(await session.session.run(verb === 'snapshot' ? { name: verb, interactiveOnly: false } : { name: verb }))
          return hasRefused() || ['embed', 'frameset'].includes(name) // these have no line
        },
        { timeout: 30_000, message: name },
      )
      .toBe(true)
    expect(JSON.stringify(answers), name).not.toContain('DENIED-TEXT')
    for (const { tab } of (await session.do('tabs', { operation: 'list' })).tabs.slice(1))
      await session.do('tabs', { operation: 'close', tab })
  }
  expect(names.filter(name => !reached.has(name))).toEqual([])
  expect(asked).toBe(0)
})
