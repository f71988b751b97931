import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'

export interface Site {
  /** content by path; '' is the folder itself */
  add(contents: Readonly<Record<string, string>>): { readonly url: string; remove(): void }
}

/** One loopback server with a folder per page. It never keeps a process alive. */
export async function openSite(): Promise<Site> {
  const contents = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname)
    const content = contents.get(path)
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': typeOf(path), 'cache-control': 'no-store' })
    response.end(content ?? 'not found')
  })
  // 127.0.0.1 also serves localhost, which Chromium resolves to it if nothing listens at ::1
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  let folders = 0
  return {
    add(files) {
      const folder = `/${++folders}/`
      const pathOf = (name: string) => folder + name.replace(/^\//, '')
      const remove = () => {
        for (const name of Object.keys(files)) contents.delete(pathOf(name))
      }
      for (const [name, content] of Object.entries(files)) contents.set(pathOf(name), content)
      return { url: `http://127.0.0.1:${port}${folder}`, remove }
    },
  }
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.xhtml': 'application/xhtml+xml',
}
const typeOf = (path: string) => `${types[extname(path)] ?? 'text/html'}; charset=utf-8`
