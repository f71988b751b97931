import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { evaluateIn } from '../../../examples/electron/evaluate.ts'
import { type Choice, type Evaluate, takeSnapshot, takeTurn } from '../../../examples/loop.ts'
import { bridge } from '../../../examples/react-native/bridge.ts'
import { openPage, type TestPage } from '../../support/open-page.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
const files = {
  'page.html': `<!doctype html><title>Todo</title><h1>Todo</h1><form id=f><input name=what aria-label="What to do"><button>Add</button></form><ul id=l></ul>
    <a href="about.html">About</a><form action="found.html"><input type=search name=q aria-label=Search><button>Find</button></form>
    <script>f.onsubmit = event => { event.preventDefault(); l.insertAdjacentHTML('beforeend', '<li><label><input type=checkbox> ' + f.what.value + '</label></li>'); f.reset() }</script>`,
  'about.html': '<!doctype html><title>About</title><h1>About</h1><a href="page.html">Back to the list</a>',
  'found.html':
    '<!doctype html><title>Found</title><h1>Found</h1><script>document.write("<button>Result for " + new URLSearchParams(location.search).get("q") + "</button>")</script>',
}

/** Stands in for the model: finds the line in the text and answers with its ref. */
const choose =
  (line: string, kind: Choice['kind'], payload?: Choice['payload']) =>
  (text: string): Choice => {
    const ref = new RegExp(`- ${line}.*\\[ref=(\\w+)\\]`).exec(text)?.[1]
    if (!ref) throw new Error(`no ${line} in\n${text}`)
    return { ref, kind, ...(payload && { payload }) }
  }

/** The loop of document 000, independent of the transport. */
async function loop(evaluate: Evaluate): Promise<void> {
  expect(await takeSnapshot(evaluate)).toContain('title="Todo"')
  const filled = await takeTurn(evaluate, choose('textbox "What to do"', 'fill', { value: 'Buy bread' }))
  expect(filled.result).toMatchObject({ ok: true, effect: { value: 'Buy bread' } })
  expect(filled.after).toContain('- textbox "What to do" [name="what"] [value="Buy bread"]')
  const added = await takeTurn(evaluate, choose('button "Add"', 'click'))
  expect(added.result).toMatchObject({ ok: true, effect: { submitted: false } })
  expect(added.before).not.toContain('checkbox')
  expect(added.after).toContain('- checkbox "Buy bread" [new]')
  const checked = await takeTurn(evaluate, choose('checkbox "Buy bread"', 'check'))
  expect(checked.after).toMatch(/- checkbox "Buy bread" \[checked\]/)

  const gone = await takeTurn(evaluate, choose('link "About"', 'click'))
  expect(gone.after).toContain('title="About"')
  expect((await takeTurn(evaluate, choose('link "Back to the list"', 'click'))).after).toContain('title="Todo"')
  await takeTurn(evaluate, choose('searchbox "Search"', 'fill', { value: 'bread' }))
  const found = await takeTurn(evaluate, choose('searchbox "Search"', 'press', { key: 'Enter' }))
  expect(found.after).toContain('- button "Result for bread"')
}

/** During a navigation nothing answers: the app gets an error or no answer, and tries again. */
const patient =
  (page: TestPage): Evaluate =>
  async expression => {
    for (let attempt = 0; ; attempt++)
      try {
        return await page.evaluate<string>(expression)
      } catch (error) {
        if (attempt > 20) throw error
      }
  }

test('an app with only evaluate(string) fills, clicks, follows links and submits (S0-01 S0-06 S0-77 S0-89 S0-92)', async () => {
  await using page = await openPage({ url: 'page.html', files })
  await loop(patient(page))
})

test('an Electron app needs only executeJavaScript (S0-77 S0-87 S0-89)', async () => {
  await using page = await openPage({ url: 'page.html', files })
  const evaluate = patient(page)
  await loop(evaluateIn({ executeJavaScript: code => evaluate(code) }))
})

test('a React Native app injects strings and receives messages (S0-53 S0-77 S0-87 S0-89)', async () => {
  await using page = await openPage({
    url: 'page.html',
    files,
    atDocumentStart: 'window.ReactNativeWebView = { postMessage: data => toReactNative(data) }',
  })
  await page.tab.send('Runtime.addBinding', { name: 'toReactNative' })
  const evaluate = patient(page)
  const webView = bridge(source => void evaluate(source))
  page.tab.on('Runtime.bindingCalled', ({ payload }) => void webView.onMessage({ nativeEvent: { data: payload } }))
  await loop(webView.evaluate)
  expect(webView.onMessage({ nativeEvent: { data: '{"id":"forged","value":"x"}' } })).toBe(false)
  expect(webView.onMessage({ nativeEvent: { data: 'hello' } })).toBe(false)
})

test('a page operates its own frame (S0-77 S0-87 S0-89)', async () => {
  const { outputFiles } = await build({
    entryPoints: [`${examples}iframe/app.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    alias: { pagehand: fileURLToPath(new URL('../../../src/index.ts', import.meta.url)) },
  })
  await using page = await openPage({
    html: readFileSync(`${examples}iframe/index.html`, 'utf8'),
    files: { ...files, 'app.js': outputFiles[0]?.text ?? '' },
  })
  const inApp = async (expression: string) => {
    const { result, exceptionDetails } = await page.tab.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description)
    return result.value as string
  }
  const ref = choose('button "Add"', 'click')(await inApp('takeSnapshot()')).ref
  const field = choose('textbox "What to do"', 'fill')(await inApp('takeSnapshot()')).ref
  await inApp(`takeTurn(() => ({ ref: '${field}', kind: 'fill', payload: { value: 'Buy bread' } }))`)
  expect(await inApp(`takeTurn(() => ({ ref: '${ref}', kind: 'click' }))`)).toContain('- checkbox "Buy bread" [new]')
  expect(await inApp('document.querySelector("pre").textContent')).toBe(`ok fill ${field}\nok click ${ref}\n`)
})

test('the expressions of the Kotlin and Swift code in the docs work (S0-13 S0-52 S0-77)', async () => {
  const document = readFileSync(new URL('../../../docs/webview-integration.md', import.meta.url), 'utf8')
  const expressions = (language: string) =>
    [...document.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
      .flatMap(([, source = '']) =>
        [...source.matchAll(/"(JSON\.stringify\(window\.__agentBrowser.*)"/g)].map(([, literal = '']) => literal),
      )
      // ${quote(ref)} in Kotlin, \(quote(ref)) in Swift
      .map(literal => literal.replace(/(?:\$\{|\\\()quote\((\w+)\)[})]/g, (_, name) => (name === 'value' ? '"Ada"' : 'e1')))
      .map(literal => literal.replace(/\$maxChars|\\\(maxChars\)/, '4000'))
  expect(expressions('kotlin')).toHaveLength(6)
  expect(expressions('swift')).toEqual(expressions('kotlin'))

  await using page = await openPage({ html: '<input aria-label=Name>', atDocumentStart: readFileSync('dist/agent-text.js', 'utf8') })
  for (const expression of expressions('kotlin')) {
    const answer = JSON.parse(await page.evaluate<string>(expression.replace(/\be1\b/, '"e1"')))
    expect(answer, expression).toMatchObject({ ok: true })
  }
  expect(await page.evaluate('document.querySelector("input").value')).toBe('Ada')
})
