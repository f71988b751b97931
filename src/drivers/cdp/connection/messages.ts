import { messageOf } from '../../../contract/error-message.ts'
import { PagehandError } from '../errors.ts'
import type { CdpEvent, CdpResponse, TransportEvents } from './connection.ts'

// A page decides how long a message is: an error with a message of 100 million characters reaches us as 600 MB of JSON, more than a
// string of V8 can hold. Nothing that is used comes near this limit: a screenshot of a long page has some 20 MB.
export const maxMessageBytes = 64 * 2 ** 20

/** Enough of a message to see which call it answers. */
const headBytes = 64

/** Hands a message to the connection. A message that is too large is dropped; one that is not JSON ends the connection. */
export function receiveMessage(message: Buffer, events: TransportEvents): void {
  if (message.length > maxMessageBytes) dropMessage(message, events)
  else dispatch(message.toString('utf8'), events)
}

function dispatch(text: string, { onResponse, onEvent, onClose }: TransportEvents): void {
  try {
    const message = JSON.parse(text) as CdpResponse | CdpEvent
    if ('id' in message) onResponse(message)
    else onEvent(message)
  } catch (error) {
    // thrown from a stream's listener this would end the process with every session in it
    onClose(new PagehandError('browser_crashed', `The connection to the browser failed: ${messageOf(error).slice(0, 200)}`))
  }
}

/** Chromium writes the id of a response first. The call fails; an event is lost, as no caller waits for it. */
function dropMessage(head: Buffer, { onResponse }: TransportEvents): void {
  const id = /^\{"id":(\d+)/.exec(head.subarray(0, headBytes).toString('latin1'))?.[1]
  const error = { message: `the answer is larger than ${maxMessageBytes / 2 ** 20} MB` }
  if (id !== undefined) onResponse({ id: Number(id), error })
}

/** Splits a stream into messages that end with a NUL byte. The parts of a message are joined once; one that is too large is not kept. */
export function splitMessages(events: TransportEvents): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length <= maxMessageBytes) parts.push(part)
    else parts = parts.slice(0, 1).map(first => Buffer.from(first.subarray(0, headBytes)))
  }
  const end = () => {
    const [head = Buffer.alloc(0)] = parts
    if (length > maxMessageBytes) dropMessage(head, events)
    else receiveMessage(Buffer.concat(parts), events)
    parts = []
    length = 0
  }
  return chunk => {
    let start = 0
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, start)) {
      add(chunk.subarray(start, at))
      end()
      start = at + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
}
