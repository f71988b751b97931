// `npm start`: opens the shop page in this folder in Chromium and prints the snapshot that a model would read.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { styleText } from 'node:util'
import { openSession } from '../../dist/browser.js'

try {
  await main()
} catch (error) {
  console.error(error instanceof Error && 'code' in error ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}

async function main() {
  const html = await readFile(new URL('index.html', import.meta.url), 'utf8')
  const server = await serve(html)
  const session = await openSession({ viewport: { width: 1280, height: 800 } })
  try {
    await session.open(server.url)
    const snapshot = await session.snapshot()
    console.log(snapshot.text)
    console.log(`\n${dim(figures(html, snapshot, session.status()))}`)
  } finally {
    await session.close()
    server.close()
  }
}

function figures(html, { text, truncated, data: { stats } }, { executable, sandbox }) {
  const ratio = (html.length / text.length).toFixed(1)
  return [
    `${count(text)} chars of text from ${count(html)} chars of HTML, ${ratio} times less${truncated ? ', truncated' : ''}`,
    `${stats.elapsedMs} ms in the page for ${stats.nodesVisited} elements, of which ${stats.nodesEmitted} are in the snapshot`,
    `${executable}${sandbox ? '' : ', without a sandbox because the user is root'}`,
  ].join('\n')
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
