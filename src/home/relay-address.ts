// How programs of this user find the relay to their own Chrome. The file has the format of Chrome's DevToolsActivePort, so that the folder
// is an endpoint like the user data folder of a browser; its path contains the token.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFolder, homeFolder } from './private-folder.ts'
import { currentProcess, type ProcessIdentity, parseProcessIdentity, processState } from './process-identity.ts'

/** The relay that is running. */
export interface RelayAddress {
  readonly port: number
  readonly token: string
  readonly owner: ProcessIdentity
}

/** The private folder of the relay: its address, and the key of the paired extension. */
export const relayFolder = (env: NodeJS.ProcessEnv = process.env): string => join(homeFolder(env), 'relay')

const addressFile = 'DevToolsActivePort'
const ownerFile = 'owner.json'
/** the path of the WebSocket for CDP clients, before the token */
export const relayPath = '/devtools/browser/'

/** Creates the folder of the relay. */
export function createRelayFolder(env: NodeJS.ProcessEnv = process.env): string {
  createPrivateFolder(homeFolder(env))
  return createPrivateFolder(relayFolder(env))
}

/** Call it when the relay listens; returns the function that removes the files, if they are still those of this process. */
export function writeRelayAddress({ port, token }: Pick<RelayAddress, 'port' | 'token'>, env: NodeJS.ProcessEnv = process.env): () => void {
  const folder = createRelayFolder(env)
  writeFileSync(join(folder, addressFile), `${port}\n${relayPath}${token}\n`, { mode: 0o600 })
  writeFileSync(join(folder, ownerFile), JSON.stringify(currentProcess()), { mode: 0o600 })
  return () => {
    if (readRelayAddress(env)?.token !== token) return // another relay has replaced it
    for (const file of [addressFile, ownerFile]) rmSync(join(folder, file), { force: true })
  }
}

/** The relay of this user; undefined if none is running. */
export function readRelayAddress(env: NodeJS.ProcessEnv = process.env): RelayAddress | undefined {
  const folder = relayFolder(env)
  try {
    const owner = parseProcessIdentity(readFileSync(join(folder, ownerFile), 'utf8'))
    const [port = '', path = ''] = readFileSync(join(folder, addressFile), 'utf8').split('\n')
    if (!owner || processState(owner) === 'dead' || !/^\d+$/.test(port) || !path.startsWith(relayPath)) return undefined
    return { port: Number(port), token: path.slice(relayPath.length), owner }
  } catch {
    return undefined // there is no such file
  }
}

/** The URL of the relay for CDP clients. `client` is shown to the user. */
export const relayEndpoint = ({ port, token }: Pick<RelayAddress, 'port' | 'token'>, client?: string): string =>
  `ws://127.0.0.1:${port}${relayPath}${token}${client === undefined ? '' : `?client=${encodeURIComponent(client)}`}`
