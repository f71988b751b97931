import type { CommandData } from '../../contract/results.ts'
import type { BrowserConnection } from './browser/acquire.ts'
import { cut } from './cut.ts'
import type { SessionOptions } from './options.ts'
import type { Page } from './page/page.ts'
import type { Pages } from './page/pages.ts'
import type { Downloads } from './storage/downloads.ts'
import type { OriginReport } from './storage/storage-state.ts'

/** What a session has while its browser runs. */
export interface Running {
  readonly ground: BrowserConnection
  readonly tabs: Pages
  readonly downloads: Downloads
}

interface Known {
  readonly running: Running | undefined
  readonly options: SessionOptions
  readonly restored: readonly OriginReport[] | undefined
}

/** What is running and where it is, without asking the page. */
export function statusOf({ running, options, restored }: Known): CommandData['status'] {
  const front = running && frontOf(running.tabs)
  return {
    running: running !== undefined,
    ...(running && browserFacts(running, options)),
    evaluate: options.allowEval === true,
    ...(options.hosts && { hosts: options.hosts }),
    ...(restored && { storage: restored }),
    ...(front && pageFacts(front)),
  }
}

/** the tab in front, if there is one */
export function frontOf(tabs: Pages): Page | undefined {
  try {
    return tabs.current()
  } catch {
    return undefined // all tabs were closed
  }
}

const browserFacts = ({ ground, tabs, downloads }: Running, options: SessionOptions) => ({
  mode: ground.kind,
  profile: options.profile ?? (ground.kind === 'attached' ? 'chrome' : 'openclaw'),
  ...ground.facts,
  tabs: tabs.all().length,
  downloads: options.downloads ? downloads.done.map(({ name, bytes }) => ({ name, bytes })) : 'off',
})

function pageFacts(front: Page) {
  const dialog = front.dialogs.pending()
  return {
    tab: front.id,
    url: cut(front.url(), 500),
    scripts: front.scripts(),
    ...(front.isCrashed() && { crashed: true }),
    ...(dialog && { dialog: { type: dialog.type, message: dialog.message } }),
    errors: front.console.lines().filter(line => line.level === 'error').length,
  }
}
