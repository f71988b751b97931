import { mkdir } from 'node:fs/promises'
import { type SessionOptions, secretsFromEnvironment } from 'pagehand/browser'
import { startStudio } from '../../studio/server/index.ts'
import { isLoopback } from './tab-policy.ts'

export interface DesktopFlags {
  /** the link of a studio that runs elsewhere with `--drive remote`; without it the app starts one */
  readonly studio?: URL
}

/** Reads the words after the program. Throws if one is unknown: a flag that is ignored would be worse. */
export function parseFlags(words: readonly string[]): DesktopFlags {
  const links = words.flatMap(word => {
    const link = /^--studio=(.+)$/.exec(word)?.[1]
    if (link === undefined) throw new Error(`unknown argument ${JSON.stringify(word)}: it takes --studio=LINK`)
    if (!URL.canParse(link)) throw new Error('--studio takes the link that "pagehand studio --drive remote" prints')
    return [new URL(link)]
  })
  const studio = links.at(-1)
  if (!studio) return {}
  // the link contains the token, and whoever answers it operates the tabs
  if (studio.protocol !== 'https:' && !(studio.protocol === 'http:' && isLoopback(studio.hostname)))
    throw new Error('--studio takes an https link, or an http link of this machine')
  return { studio }
}

export interface OpenStudio {
  readonly link: URL
  /** how sessions of new tabs are opened */
  session(): Promise<SessionOptions>
  close(): Promise<void>
}

export interface OpenStudioOptions {
  readonly flags: DesktopFlags
  readonly dataFolder: string
  readonly webFolder: string
  readonly version: string
}

/** The studio that the window shows: the one that was named, or one that ends with the app. */
export async function openStudio({ flags, dataFolder, webFolder, version }: OpenStudioOptions): Promise<OpenStudio> {
  const secrets = secretsFromEnvironment()
  if (flags.studio) return { link: flags.studio, session: async () => ({ secrets }), close: async () => {} }
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const running = await startStudio({ dataFolder, webFolder, version, drive: 'remote', secretNames: Object.keys(secrets) })
  return {
    link: new URL(running.link),
    async session() {
      const { allowedHosts } = await running.studio.settings()
      return { secrets, ...(allowedHosts.length > 0 && { hosts: { allow: allowedHosts } }) }
    },
    close: () => running.close(),
  }
}
