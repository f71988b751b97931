// Which sites a run is for, and which page it is on.
import type { ModelMessage } from 'ai'
import type { AnyRun } from '../contract/run.ts'

/** What an agent drives. */
export const driverOf = ({ run, session }: { readonly run?: AnyRun; readonly session?: { readonly run: AnyRun } }): AnyRun | undefined =>
  run ?? session?.run

/** The URL of the page that is open; reading it starts no browser. */
export async function currentUrl(run: AnyRun | undefined): Promise<string | undefined> {
  const status = await run?.({ name: 'status' })
  const { url } = (status?.ok && typeof status.data === 'object' ? status.data : {}) as { readonly url?: unknown }
  return typeof url === 'string' ? url : undefined
}

/** The host of a URL as a rule for sites; files have none. */
function hostsOf(url: string | undefined): readonly string[] {
  const { protocol, host } = (url && URL.canParse(url) ? new URL(url) : undefined) ?? { protocol: '', host: '' }
  return /^https?:$/.test(protocol) && host ? [host] : []
}

/** URLs that the user wrote into the goal: the run is for them. */
const urlsIn = (goal: string): readonly string[] => goal.match(/\bhttps?:\/\/[^\s"'<>]+/g) ?? []

/** The sites of the page that is open, and of the URLs in the goal. */
export async function namedSites(goal: string, url: () => Promise<string | undefined>): Promise<readonly string[]> {
  return [...new Set([await url(), ...urlsIn(goal)].flatMap(hostsOf))]
}

/** The sites of the page that is open, and those that the user has named: not those in the words of a page or of a model. */
export const sitesOfUser = (messages: readonly ModelMessage[], run: AnyRun | undefined): Promise<readonly string[]> =>
  namedSites(
    messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n'),
    () => currentUrl(run),
  )
