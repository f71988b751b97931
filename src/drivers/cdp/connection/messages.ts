import { messageOf } from '../../../contract/error-message.ts'
import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { CdpEvent, CdpResponse, TransportEvents } from './connection.ts'

// A page decides how long a message is: an error with a message of 100 million characters reaches us as 600 MB of JSON, more than a
// string of V8 can hold. Nothing that is used comes near these limits: a screenshot of a long page has some 20 MB, and Chromium does not
// navigate to a URL of more than 2 MB.
export const maxMessageBytes = 64 * 2 ** 20
export const maxEventBytes = 8 * 2 ** 20
/** Of console messages, exceptions and requests only the first characters are kept, and losing one does no harm. */
export const maxLogEventBytes = 2 ** 20

/** Enough of a message to see which call it answers, or which event it is. */
const headBytes = 96

/** The first part may be a single byte, and joining all parts of a large message would double it. */
const headOf = (parts: readonly Buffer[]): Buffer => Buffer.concat(parts.slice(0, headBytes)).subarray(0, headBytes)

/** How long a message may be, by its first bytes. Chromium writes the id or the method first. */
function limitOf(head: Buffer, { wants }: TransportEvents): number {
  const method = /^\{"method":"([\w.]+)"/.exec(head.subarray(0, headBytes).toString('latin1'))?.[1]
  if (method === undefined) return maxMessageBytes
  if (!wants(method)) return 0
  return /^(Runtime|Log|Network)\./.test(method) ? maxLogEventBytes : maxEventBytes
}

/** Hands a message to the connection. A message that is too large is dropped; one that is not JSON ends the connection. */
export function receiveMessage(message: Buffer, events: TransportEvents): void {
  if (message.length > limitOf(message, events)) dropMessage(message, events)
  else dispatch(message.toString('utf8'), events)
}

function dispatch(text: string, { onResponse, onEvent, onClose }: TransportEvents): void {
  try {
    const message = JSON.parse(text) as CdpResponse | CdpEvent
    if ('id' in message) onResponse(message)
    else onEvent(message)
  } catch (error) {
    // thrown from a stream's listener this would end the process with every session in it
    onClose(new PagehandError('browser_crashed', say`The connection to the browser failed.`, { page: { error: messageOf(error) } }))
  }
}

/** The call fails; an event is lost, as no caller waits for it. */
function dropMessage(head: Buffer, { onResponse }: TransportEvents): void {
  const id = /^\{"id":(\d+)/.exec(head.subarray(0, headBytes).toString('latin1'))?.[1]
  const error = { message: `the answer is larger than ${maxMessageBytes / 2 ** 20} MB` }
  if (id !== undefined) onResponse({ id: Number(id), error })
}

/** Splits a stream into messages that end with a NUL byte. The parts of a message are joined once; one that is too large is not kept. */
export function splitMessages(events: TransportEvents): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let length = 0
  let limit: number | undefined
  const add = (part: Buffer) => {
    const isDropped = limit !== undefined && length > limit
    length += part.length
    if (isDropped) return
    parts.push(part)
    if (limit === undefined && length >= headBytes) limit = limitOf(headOf(parts), events)
    // copied, because a part keeps the whole chunk in memory
    if (limit !== undefined && length > limit) parts = [Buffer.from(headOf(parts))]
  }
  const end = () => {
    const message = Buffer.concat(parts)
    if (limit !== undefined && length > limit) dropMessage(message, events)
    else receiveMessage(message, events)
    parts = []
    length = 0
    limit = undefined
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
