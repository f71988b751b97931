import { createRemoteDriver, type RemoteDriver, type RemotePlace } from 'pagehand/wire'
import type { Broadcast } from './broadcast.ts'

/** Commands go out with the message that is being written, and again to a window that reconnects before their results are known. */
export function remoteDriver(place: RemotePlace, broadcast: Broadcast): RemoteDriver {
  const releases = new Map<string, () => void>()
  return createRemoteDriver({
    place,
    send: data => releases.set(data.commandId, broadcast.hold({ type: 'data-browser-command', data, transient: true })),
    settled({ commandId }) {
      releases.get(commandId)?.()
      releases.delete(commandId)
    },
  })
}
