import { expect, test } from 'vitest'
import { AgentBrowser, type PageSnapshotOptions } from '../../../src/index.ts'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

const shop = `
  <header><nav aria-label="Main"><a href="/">Home</a><a href="/sale">Sale</a></nav></header>
  <main>
    <h1>Lamps</h1>
    <form role="search"><label for=q>Search</label><input type=search id=q name=q placeholder="Find a lamp"><button>Go</button></form>
    <p>All lamps ship within two days, wherever you live.</p>
    <ul><li><a href="/lamp/1"><img src="data:," alt="Blue lamp"></a> 12.00 €</li></ul>
  </main>
  <footer>Imprint</footer>`

test('the script exposes version, snapshot, action, query and page as window.__agentBrowser (S0-13 S0-16 S0-17 S0-18 S0-19)', async () => {
  await using page = await openScriptPage(shop)
  expect(await page.evaluate('Object.keys(__agentBrowser)')).toEqual(['version', 'snapshot', 'action', 'query', 'page'])
  expect(await page.evaluate('typeof __agentBrowser.snapshot()')).toBe('object')
})

test('unknown actions, queries and page calls are rejected with a structured error (S0-19)', async () => {
  await using page = await openScriptPage(shop)
  const codes = await page.evaluate(
    '[__agentBrowser.action("e1","fly"), __agentBrowser.query("e1","soul"), __agentBrowser.page("explode")].map(a => [a.ok, a.type, a.error.code])',
  )
  expect(codes).toEqual([
    [false, 'action', 'unsupported_action'],
    [false, 'query', 'unsupported_query'],
    [false, 'page', 'unsupported_page'],
  ])
})

test('a snapshot has ok, type, meta, stats, refs and tree (S0-38 S0-39 S0-40 S0-41 S0-42 S0-43)', async () => {
  await using page = await openScriptPage(shop)
  const raw = await page.rawSnapshot()
  expect(raw).toMatchObject({ ok: true, type: 'snapshot', tree: { tag: 'body', role: 'document' } })
  expect(raw.meta).toMatchObject({ url: page.url, title: 'test', ts: expect.any(Number), viewport: { width: 1280, height: 720 } })
  expect(raw.stats).toMatchObject({
    nodesVisited: expect.any(Number),
    nodesEmitted: expect.any(Number),
    truncated: false,
    truncateReasons: [],
  })
  const { refs } = await page.snapshot()
  expect(refs.e1).toEqual({ ref: 'e1', tag: 'a', role: 'link', name: 'Home', attrs: { href: '/' }, path: expect.stringContaining('nav>a') })
})

test('refs are e1, e2, … in document order, parent before child (S0-20 X0-23)', async () => {
  await using page = await openScriptPage(shop)
  const snapshot = await page.snapshot()
  expect(nodes(snapshot).flatMap(node => node.ref ?? [])).toEqual(['e1', 'e2', 'e3', 'e4', 'e5'])
  expect(roleNames(snapshot)).toEqual(['link Home', 'link Sale', 'searchbox Search', 'button Go', 'link Blue lamp'])
})

test('every element with a ref has data-agent-ref and can be found by it (S0-04 S0-21)', async () => {
  await using page = await openScriptPage(shop)
  await page.snapshot()
  expect(await page.evaluate('document.querySelector("[data-agent-ref=e3]").id')).toBe('q')
})

test('a node has tag, role, name, text, value and interactive (S0-22 S0-23 S0-24 S0-26 S0-28 S0-44)', async () => {
  await using page = await openScriptPage(
    '<button aria-label="Close">x</button><div onclick="1">Tick <b>me</b></div><input value="old" id=i>',
  )
  await page.evaluate('document.getElementById("i").value = "new"')
  const snapshot = await page.snapshot()
  expect(findNode(snapshot, { role: 'button' })).toMatchObject({ tag: 'button', name: 'Close', interactive: true })
  expect(findNode(snapshot, { role: 'generic' })).toMatchObject({ tag: 'div', text: 'Tick me', interactive: true })
  expect(findNode(snapshot, { role: 'textbox' })).toMatchObject({ value: 'new' })
})

test('attributes come from a default list of seven, or from includeAttrs (S0-25 S0-95)', async () => {
  const html = '<a href="/x" data-id=7 class=c>x</a><input type=email name=mail placeholder=you aria-label=Mail>'
  await using page = await openScriptPage(html)
  const { refs } = await page.snapshot()
  expect(refs.e1?.attrs).toEqual({ href: '/x' })
  expect(refs.e2?.attrs).toEqual({ type: 'email', name: 'mail', placeholder: 'you', 'aria-label': 'Mail' })
  expect((await page.snapshot({ includeAttrs: ['data-id'] })).refs.e1?.attrs).toEqual({ 'data-id': '7' })
})

test('attribute values are cut at maxAttrValueLen and texts at maxTextPerNode, with an ellipsis (S0-25 S0-26)', async () => {
  await using page = await openScriptPage(`<a href="/${'a'.repeat(500)}">${'b'.repeat(500)}</a>`)
  const { refs, stats } = await page.snapshot()
  expect(refs.e1?.attrs.href).toHaveLength(150)
  expect(refs.e1?.name).toBe(`${'b'.repeat(199)}…`)
  expect(stats.truncateReasons).toEqual(['maxTextPerNode'])
})

test('white space in names and texts collapses to one space, and a cut never splits a character (S0-26 X0-25)', async () => {
  await using page = await openScriptPage(`<button>\n  two \t\n words\u00ad </button><button>${'😀'.repeat(200)}</button>`)
  const { refs } = await page.snapshot()
  expect(refs.e1?.name).toBe('two words')
  expect(refs.e2?.name).toBe(`${'😀'.repeat(99)}…`)
})

test('interactiveOnly: false adds headings, list items, images and text, with a ref for each element (S0-96)', async () => {
  await using page = await openScriptPage(shop)
  const snapshot = await page.snapshot({ interactiveOnly: false })
  const roles = nodes(snapshot).map(node => node.role)
  expect(roles).toEqual(expect.arrayContaining(['heading', 'listitem', 'img', 'paragraph', 'text']))
  expect(nodes(snapshot).filter(node => node.role !== 'text' && !node.ref)).toEqual([])
})

test('interactiveOnly keeps headings and the first lines of main, and counts the omitted text (S0-79)', async () => {
  await using page = await openScriptPage(
    `<main><h2>News</h2><p>${'First lines. '.repeat(30)}</p>${`<p>${'More text. '.repeat(10)}</p>`.repeat(20)}<button>Ok</button></main><footer><p>${'Fine print. '.repeat(10)}</p></footer>`,
  )
  const snapshot = await page.snapshot()
  expect(findNode(snapshot, { role: 'heading' })).toMatchObject({ name: 'News', states: { level: 2 } })
  expect(findNode(snapshot, { role: 'text' }).text).toMatch(/^First lines\./)
  expect(snapshot.stats.omitted).toEqual({ text: 21 })
  expect(await page.text()).toMatch(/21 .*interactiveOnly/)
})

test('interactiveOnly keeps the text of alerts, status messages and dialogs', async () => {
  await using page = await openScriptPage(
    '<nav>quiet</nav><div role=alert>Card declined</div><div role=status>3 results</div><dialog open>Really?<button>Yes</button></dialog>',
  )
  const text = await page.text()
  for (const said of ['Card declined', '3 results', 'Really?']) expect(text).toContain(said)
})

test('rows show their own text, so that buttons with the same name can be told apart', async () => {
  const row = (n: number) => `<tr><td>INV-${n}</td><td>${n}.00 €</td><td><button>Delete</button></td></tr>`
  await using page = await openScriptPage(`<table>${row(1)}${row(2)}</table>`)
  const rows = nodes(await page.snapshot()).filter(node => node.role === 'row')
  expect(rows.map(node => [node.text, node.children[0]?.name])).toEqual([
    ['INV-1 | 1.00 €', 'Delete'],
    ['INV-2 | 2.00 €', 'Delete'],
  ])
})

test('maxNodes counts emitted nodes, not visited ones (S0-36 S0-78 X0-4)', async () => {
  await using page = await openScriptPage(`${'<div></div>'.repeat(600)}<button>Found</button>`)
  expect(roleNames(await page.snapshot())).toEqual(['button Found'])
  await using many = await openScriptPage('<button>b</button>'.repeat(700))
  const { stats } = await many.snapshot()
  expect(stats).toMatchObject({ nodesEmitted: 500, truncated: true, truncateReasons: ['maxNodes'], omitted: { below: 200 } })
})

test('an unnamed control has a hint with its text and its source', async () => {
  await using page = await openScriptPage(`
    <button><i class="fa fa-trash"></i></button>
    <button><svg width=9 height=9><use href="#icon-cart"></use></svg></button>
    <button><img src="/i/envelope.png?v=2" style="width:9px;height:9px"></button>
    <button><i title="Archive" aria-hidden=true style="display:inline-block;width:9px;height:9px"></i></button>
    <input id=zip-code>`)
  expect(nodes(await page.snapshot()).map(node => node.hint)).toEqual([
    { text: 'trash', from: 'class' },
    { text: 'cart', from: 'svg' },
    { text: 'envelope', from: 'src' },
    { text: 'Archive', from: 'title' },
    { text: 'zip code', from: 'id' },
  ])
})

test('a placeholder is an attribute, never a name (S0-72)', async () => {
  await using page = await openScriptPage('<input type=search placeholder="搜索">')
  expect(await page.text()).toContain('- searchbox [placeholder="搜索"] [ref=e1]')
})

test('the bridge function named by the host receives the same JSON (S0-53 C21)', async () => {
  await using page = await openScriptPage('<button>b</button><script>var got=[]; var AgentBridge={onSnapshot(s){got.push(s)}}</script>')
  const raw = await page.rawSnapshot({ bridge: 'AgentBridge.onSnapshot' })
  expect(await page.evaluate('got.length')).toBe(1)
  expect(JSON.parse(await page.evaluate('got[0]'))).toEqual(raw)
})

test('text of list items without controls is shown in the first lines or counted as omitted', async () => {
  await using page = await openScriptPage(
    `<main><h1>T</h1><ul>${Array.from({ length: 60 }, (_, i) => `<li>Plain item ${i}</li>`).join('')}</ul></main>`,
  )
  const { stats } = await page.snapshot()
  const text = await page.text()
  expect(text).toContain('Plain item 0')
  expect((stats.omitted?.text ?? 0) + (text.match(/Plain item/g)?.length ?? 0)).toBe(60)
})

test('following every call suggested by the text reaches every link of two columns', async () => {
  const column = (name: string) => `<div>${Array.from({ length: 400 }, (_, i) => `<p><a href=#>${name} ${i}</a></p>`).join('')}</div>`
  await using page = await openScriptPage(`<div style="display:flex">${column('left')}${column('right')}</div>`)
  const reached = new Set<string>()
  const calls: PageSnapshotOptions[] = [{}]
  const made = new Set<string>()
  for (let call = calls.shift(); call && made.size < 60; call = calls.shift()) {
    const { text } = AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs(call)))
    for (const [, name] of text.matchAll(/link "((?:left|right) \d+)"/g)) reached.add(name ?? '')
    for (const [, kind, ref] of text.matchAll(/(after|scope)=(e\d+)/g)) {
      if (!made.has(`${kind}${ref}`)) calls.push({ [kind ?? '']: ref })
      made.add(`${kind}${ref}`)
    }
  }
  expect(reached.size).toBe(800)
})

test('format flat includes the text of list items', async () => {
  await using page = await openScriptPage('<ul><li>9 EUR <a href=/a>Lamp</a></li><li>12 EUR <a href=/b>Rug</a></li></ul>')
  expect(await page.text({}, { format: 'flat' })).toMatch(/text "9 EUR"\n {2}\[1\] link "Lamp"\ntext "12 EUR"/)
})

test('images left out by interactiveOnly are counted as omitted', async () => {
  await using page = await openScriptPage('<main><h1>Charts</h1><img alt="Sales rose" src="data:," width=9 height=9></main>')
  expect((await page.snapshot()).stats.omitted).toEqual({ text: 1 })
})
