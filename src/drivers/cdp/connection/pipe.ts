import type { Readable, Writable } from 'node:stream'
import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import { type CdpConnection, createConnection } from './connection.ts'
import { splitMessages } from './messages.ts'

/** Connects over --remote-debugging-pipe: JSON messages, each ended by a NUL byte. */
export const connectPipe = ({ input, output }: { input: Writable; output: Readable }): CdpConnection =>
  createConnection(events => {
    output.on('data', splitMessages(events))
    // a browser that is killed in the middle of a message also causes errors on both streams
    for (const stream of [input, output])
      for (const event of ['close', 'end', 'error'])
        stream.on(event, () => events.onClose(new PagehandError('browser_crashed', say`The connection to the browser is gone.`)))
    return {
      send: call => void input.write(`${JSON.stringify(call)}\0`),
      close() {
        input.destroy()
        output.destroy()
      },
    }
  })
