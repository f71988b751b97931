import type { CdpSession } from '../connection/cdp-session.ts'
import { cutCopy } from './ring-buffer.ts'

const maxTools = 50
const maxChars = 60

/**
 * The names of the tools that the documents of a page offer to agents (WebMCP, https://webmachinelearning.github.io/webmcp/). Descriptions
 * and schemas are not kept: they are text of the page that poses as an instruction.
 */
export class PageTools {
  readonly #byFrame = new Map<string, Set<string>>()

  watch(session: CdpSession): void {
    session.on('WebMCP.toolsAdded', ({ tools }) => {
      for (const { frameId, name } of tools) this.#add(frameId, cutCopy(name, maxChars))
    })
    session.on('WebMCP.toolsRemoved', ({ tools }) => {
      for (const { frameId, name } of tools) this.#byFrame.get(frameId)?.delete(cutCopy(name, maxChars))
    })
    session.on('Page.frameNavigated', ({ frame }) => void this.#byFrame.delete(frame.id))
    session.on('Page.frameDetached', ({ frameId }) => void this.#byFrame.delete(frameId))
    session.send('WebMCP.enable').catch(() => {}) // a browser without WebMCP, or a relay that does not pass it on
  }

  names(isAllowed: (frameId: string) => boolean): readonly string[] {
    return [...new Set([...this.#byFrame].flatMap(([frameId, names]) => (isAllowed(frameId) ? [...names] : [])))]
  }

  #add(frameId: string, name: string): void {
    const names = this.#byFrame.get(frameId) ?? new Set()
    if (names.size >= maxTools) return
    this.#byFrame.set(frameId, names.add(name))
  }
}
