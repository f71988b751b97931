// The live socket of the fake server: pictures with acks, one controller, refs and picks.
import type { WebSocket } from 'ws'
import type { LiveClientMessage, LiveRef, LiveServerMessage } from '../../../../src/wire/live.ts'
import { cropPicture, viewport } from './pictures.ts'

const refs: readonly LiveRef[] = [
  { ref: 'e4', role: 'link', name: 'Mugs', box: { x: 40, y: 22, width: 160, height: 20 } },
  ...[0, 1, 2].map(product => ({
    ref: `e2${product + 2}`,
    role: 'button',
    name: 'Add to cart',
    box: { x: 60 + product * 400, y: 420, width: 140, height: 40 },
  })),
]

export interface FakeLiveOptions {
  readonly url: string
  readonly title: string
  readonly pictures: () => readonly Buffer[]
  readonly mime: 'image/png' | 'image/jpeg'
  /** what the page of the studio sent, for tests */
  readonly received: LiveClientMessage[]
  readonly controller?: 'agent' | 'nobody'
  readonly refs?: readonly LiveRef[]
}

/** Serves one window: a new picture after each ack, at most five in a second. */
export const serveLive = (socket: WebSocket, options: FakeLiveOptions): void => {
  const send = (message: LiveServerMessage) => socket.send(JSON.stringify(message))
  const known = options.refs ?? refs
  let seq = 0
  let url = options.url
  const page = () =>
    send({
      type: 'page',
      url,
      title: options.title,
      loading: false,
      live: true,
      tabs: [
        { id: 't1', url, title: options.title, selected: true },
        { id: 't2', url: `${url}returns`, title: 'Returns', selected: false },
      ],
    })
  const frame = () => {
    const pictures = options.pictures()
    const picture = pictures[seq % pictures.length]
    seq++
    if (picture === undefined || socket.readyState !== socket.OPEN) return
    const at = new Date().toISOString()
    send({ type: 'frame', seq, mime: options.mime, base64: picture.toString('base64'), ...viewport, at, tab: 't1', url })
  }
  const control = (you: boolean) =>
    send({ type: 'controller', controller: you ? 'person' : (options.controller ?? 'agent'), you, viewers: 1 })
  page()
  control(false)
  frame()
  for (const [step, ref] of known.slice(0, 3).entries())
    send({ type: 'target', verb: 'click', element: { role: ref.role, name: ref.name }, box: ref.box, step: step + 1 })
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as LiveClientMessage
    options.received.push(message)
    if (message.type === 'ack') setTimeout(frame, 200)
    else if (message.type === 'take') control(true)
    else if (message.type === 'give') control(false)
    else if (message.type === 'refs') send({ type: 'refs', refs: known })
    else if (message.type === 'pick') {
      const { x, y, requestId } = message
      const ref = known.find(({ box }) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height)
      send({
        type: 'picked',
        requestId,
        picked: ref === undefined ? null : { ...ref, url, mime: 'image/png', base64: cropPicture().toString('base64') },
      })
    } else if (message.type === 'open') {
      url = message.url
      page()
      frame()
    }
  })
}
