// `npm start`: opens the shop page in this folder in Chromium and prints the snapshot that a model would read.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { styleText } from 'node:util'
import { launch, openTarget } from '../../dist/browser.js'
import { AgentBrowser } from '../../dist/index.js'

try {
  await main()
} catch (error) {
  console.error(error instanceof Error && 'code' in error ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}

async function main() {
  const html = await readFile(new URL('index.html', import.meta.url), 'utf8')
  const chromium = await launch()
  const server = await serve(html)
  try {
    const tab = await openTarget(chromium.connection)
    await tab.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false })
    await tab.addScript(AgentBrowser.getScript())
    await tab.navigate(server.url)
    const json = await tab.evaluate(AgentBrowser.snapshotJs())
    const rendered = AgentBrowser.renderSnapshot(json)
    console.log(rendered.text)
    console.log(`\n${dim(figures({ html, json, rendered, chromium }))}`)
  } finally {
    server.close()
    await chromium.close()
  }
}

function figures({ html, json, rendered: { text, truncated }, chromium: { found, sandbox } }) {
  const { stats } = JSON.parse(json)
  const ratio = (html.length / text.length).toFixed(1)
  return [
    `${count(text)} chars of text from ${count(html)} chars of HTML, ${ratio} times less${truncated ? ', truncated' : ''}; ${count(json)} chars of JSON`,
    `${stats.elapsedMs} ms in the page for ${stats.nodesVisited} elements, of which ${stats.nodesEmitted} are in the JSON`,
    `${found.executablePath}, ${why(found)}${sandbox ? '' : ', without a sandbox because the user is root'}`,
  ].join('\n')
}

function why({ from }) {
  if (from === 'PAGEHAND_CHROME') return 'set by PAGEHAND_CHROME'
  if (from === 'installed') return 'an installed browser'
  return 'from @sparticuz/chromium, because no other browser was found'
}

function count(text) {
  return text.length.toLocaleString('en')
}

function dim(text) {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText('dim', text) : text
}

async function serve(html) {
  const server = createServer((request, response) => {
    const isPage = new URL(request.url ?? '/', 'http://127.0.0.1').pathname === '/'
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(isPage ? html : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections() // the browser keeps connections open
  }
  return { url: `http://127.0.0.1:${server.address().port}/`, close }
}
