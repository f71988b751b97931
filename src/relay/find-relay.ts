import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { type RelayAddress, readRelayAddress } from '../home/relay-address.ts'
import type { RelayServerStatus } from './server.ts'

/** A relay that is running. */
export interface RunningRelay {
  readonly address: RelayAddress
  readonly status: RelayServerStatus
}

/** Asks the relay of this user for its state; undefined if none is running. */
export async function findRelay(env: NodeJS.ProcessEnv = process.env): Promise<RunningRelay | undefined> {
  const address = readRelayAddress(env)
  const status = address && (await readStatus(address))
  return address && status && { address, status }
}

/** Starts the relay as a process that outlives this one. `program` is the built file of `pagehand relay`. */
export async function startRelayProcess(program: string, env: NodeJS.ProcessEnv = process.env): Promise<RunningRelay> {
  const child = spawn(process.execPath, [program, '--background'], {
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('error', reject)
    child.once('exit', code => reject(new Error(stderr.trim() || `the relay exited with code ${code}`)))
  })
  child.stdout.destroy()
  child.stderr.destroy()
  child.unref()
  const relay = await findRelay(env)
  if (!relay) throw new Error('the relay exited before it could be reached')
  return relay
}

const readStatus = ({ port, token }: RelayAddress): Promise<RelayServerStatus | undefined> =>
  new Promise(resolve => {
    const options = { host: '127.0.0.1', port, path: '/json/relay', agent: false, timeout: 2_000 }
    const request = get({ ...options, headers: { authorization: `Bearer ${token}` } }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(response.statusCode === 200 ? (JSON.parse(text) as RelayServerStatus) : undefined))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
