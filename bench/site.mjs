import { once } from 'node:events'
import { createServer } from 'node:http'

/** A loopback server for one page; `show` replaces its HTML. */
export async function openSite() {
  let shown = ''
  const server = createServer((request, response) => {
    const isPage = request.url === '/'
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(isPage ? shown : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    show: html => {
      shown = html
    },
    close: () => server.close(),
  }
}
