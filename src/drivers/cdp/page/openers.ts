/** a page may ask for any number of windows */
const maxRequests = 50

/** Which tab opened which, by target id. Remembers also tabs that are not attached yet, or were closed at once. */
export class Openers {
  readonly #openerOf = new Map<string, string>()
  /** the URLs that pages asked to open since the last reset, and the tabs that came of it, by the id of the opener */
  readonly #requests = new Map<string, { readonly urls: string[]; readonly targetIds: string[] }>()

  add(targetId: string, openerId: string): void {
    this.#openerOf.set(targetId, openerId)
    this.#requestsOf(openerId).targetIds.push(targetId)
  }

  /** Call it when a page asks for a window. */
  request(openerId: string, url: string): void {
    const { urls } = this.#requestsOf(openerId)
    if (urls.length < maxRequests) urls.push(url)
  }

  /** The URL for which a page opened a tab; undefined if a blocked window makes it uncertain. */
  requestedUrl(targetId: string): string | undefined {
    const openerId = this.#openerOf.get(targetId)
    if (openerId === undefined) return undefined
    const { urls, targetIds } = this.#requestsOf(openerId)
    return urls.length === targetIds.length ? urls[targetIds.indexOf(targetId)] : undefined
  }

  resetRequests(): void {
    this.#requests.clear()
  }

  has(targetId: string): boolean {
    return this.#openerOf.has(targetId)
  }

  delete(targetId: string): void {
    this.#openerOf.delete(targetId)
  }

  /** Tabs that opened each other, over any number of steps, may share a process: a dialog of one blocks them all. */
  areRelated(one: string, other: string): boolean {
    return one !== other && this.#root(one) === this.#root(other)
  }

  #requestsOf(openerId: string) {
    const requests = this.#requests.get(openerId) ?? { urls: [], targetIds: [] }
    this.#requests.set(openerId, requests)
    return requests
  }

  #root(targetId: string): string {
    let root = targetId
    // openers cannot form a circle, but target ids come from outside
    for (let steps = 0; steps < 50; steps++) {
      const opener = this.#openerOf.get(root)
      if (!opener) break
      root = opener
    }
    return root
  }
}
