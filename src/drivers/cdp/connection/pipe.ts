import type { Readable, Writable } from 'node:stream'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection, receive } from './connection.ts'

/** Speaks the protocol over --remote-debugging-pipe: JSON messages, each ended by a NUL byte. */
export const pipeTransport = ({ input, output }: { input: Writable; output: Readable }): CdpConnection =>
  createConnection(incoming => {
    output.on(
      'data',
      splitter(text => receive(text, incoming)),
    )
    // both streams also fail with an error when the browser is killed in the middle of a message; the result is the same
    for (const stream of [input, output])
      for (const event of ['close', 'end', 'error'])
        stream.on(event, () => incoming.lose(new PagehandError('browser_crashed', 'The connection to the browser is gone.')))
    return {
      post: call => void input.write(`${JSON.stringify(call)}\0`),
      close() {
        input.destroy()
        output.destroy()
      },
    }
  })

/** Parts of a message are kept as they come and joined once, when its end is seen. */
function splitter(receive: (text: string) => void): (chunk: Buffer) => void {
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
