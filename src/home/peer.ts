import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/**
 * Whether a connection to this process comes from a process of the same user. Chromium cannot be given a password for its proxy, and the
 * port is open to every user of the machine. Only Linux reports the user of a connection; elsewhere this is always true.
 */
export async function isFromSameUser({ remotePort, localPort }: Socket): Promise<boolean> {
  const uid = process.getuid?.()
  if (process.platform !== 'linux' || uid === undefined) return true
  const table = await readFile('/proc/net/tcp', 'latin1').catch(() => undefined) // some sandboxes hide it
  if (table === undefined) return true
  const [from, to] = [hex(remotePort), hex(localPort)]
  // proc_net_tcp(5): the number of the line, local and remote address, state (1: established), queues, timer, retransmits, uid
  return table.split('\n').some(line => {
    const [, local, remote, state, , , , owner] = line.trim().split(/\s+/)
    return local?.endsWith(from) && remote?.endsWith(to) && state === '01' && Number(owner) === uid
  })
}

const hex = (port = 0): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
