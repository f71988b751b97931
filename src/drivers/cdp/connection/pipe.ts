import type { Readable, Writable } from 'node:stream'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection, receiveMessage } from './connection.ts'

/** Connects over --remote-debugging-pipe: JSON messages, each ended by a NUL byte. */
export const connectPipe = ({ input, output }: { input: Writable; output: Readable }): CdpConnection =>
  createConnection(events => {
    output.on(
      'data',
      splitMessages(text => receiveMessage(text, events)),
    )
    // a browser that is killed in the middle of a message also causes errors on both streams
    for (const stream of [input, output])
      for (const event of ['close', 'end', 'error'])
        stream.on(event, () => events.onClose(new PagehandError('browser_crashed', 'The connection to the browser is gone.')))
    return {
      send: call => void input.write(`${JSON.stringify(call)}\0`),
      close() {
        input.destroy()
        output.destroy()
      },
    }
  })

/** Keeps the parts of a message as they arrive, and joins them once. */
function splitMessages(receive: (text: string) => void): (chunk: Buffer) => void {
  const parts: Buffer[] = []
  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end))
      start = end + 1
      receive(Buffer.concat(parts.splice(0)).toString('utf8'))
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}
