/** Which tab opened which, by target id. Remembers also tabs that are not attached yet, or were closed at once. */
export class Openers {
  readonly #openerOf = new Map<string, string>()

  add(targetId: string, openerId: string): void {
    this.#openerOf.set(targetId, openerId)
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
