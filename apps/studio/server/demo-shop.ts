import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DemoShop {
  readonly url: string
  /** the orders that the shop has got */
  readonly orders: readonly DemoOrder[]
  close(): void
}

export interface DemoOrder {
  readonly name: string
  readonly email: string
  readonly items: string
}

const pages = ['index.html', 'checkout.html'] as const
const maxBodyBytes = 10_000

/** The shop of the demo, on this machine. @param folder holds the pages */
export async function serveDemoShop(folder: URL): Promise<DemoShop> {
  const html = new Map<string, string>()
  for (const page of pages) html.set(page, await readFile(new URL(page, folder), 'utf8'))
  const orders: DemoOrder[] = []
  const server = createServer((request, response) => {
    // not new URL(): it throws for a path such as //[, which any page can send
    const path = request.url?.split('?', 1)[0]?.slice(1) || 'index.html'
    const page = html.get(path)
    if (request.method === 'POST' && path === 'order') takeOrder(request, response, orders).catch(() => response.destroy())
    else send(response, page === undefined ? 404 : 200, page ?? '<title>Not found</title><h1>There is no such page</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    orders,
    close() {
      server.close()
      server.closeAllConnections() // the browser keeps connections open
    },
  }
}

async function takeOrder(request: IncomingMessage, response: ServerResponse, orders: DemoOrder[]): Promise<void> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > maxBodyBytes) return void request.destroy()
  }
  const given = new URLSearchParams(body)
  const order = { name: given.get('name') ?? '', email: given.get('email') ?? '', items: given.get('items') ?? '' }
  orders.push(order)
  const number = `HP-${1000 + orders.length}`
  send(
    response,
    200,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Thank you – Harbour &amp; Pine</title>
<style>body{font:16px/1.6 "Helvetica Neue",Arial,"DejaVu Sans",sans-serif;max-width:560px;margin:80px auto;padding:0 24px;color:#1f2a28}h1{font-family:Georgia,"DejaVu Serif",serif}</style>
<main><h1>Thank you, ${escapeHtml(order.name)}</h1>
<p role="status">Order ${number} is placed: ${escapeHtml(order.items || 'no items')}.</p>
<p>We wrote to ${escapeHtml(order.email)}.</p>
<p><a href="./">Back to the shop</a></p></main></html>`,
  )
}

const send = (response: ServerResponse, status: number, html: string): void =>
  void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)
