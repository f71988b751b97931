import { SessionState } from './session-state.ts'

interface TargetInfo {
  readonly targetId: string
  readonly type: string
}

/** The session of a frame or worker of a tab that runs in another process. */
export class ChildSession {
  /** the id that the client knows; it stays the same when the tab is attached again */
  readonly id: string
  readonly targetId: string
  readonly type: string
  /** undefined: the tab itself */
  readonly parent: ChildSession | undefined
  readonly state = new SessionState()
  #realId: string | undefined
  #ready: Promise<void> = Promise.resolve()
  #setReady = () => {}

  constructor(id: string, { targetId, type }: TargetInfo, parent: ChildSession | undefined) {
    this.id = id
    this.#realId = id
    this.targetId = targetId
    this.type = type
    this.parent = parent
  }

  /** The id of Chrome; undefined while the tab is not attached. */
  realId(): string | undefined {
    return this.#realId
  }

  /** Resolves when the state is restored, or the tab is detached again. */
  ready(): Promise<void> {
    return this.#ready
  }

  onDetached(): void {
    if (this.#realId === undefined) return
    this.#realId = undefined
    this.#setReady()
    this.#ready = new Promise(resolve => {
      this.#setReady = resolve
    })
  }

  onAttached(realId: string): void {
    this.#realId = realId
  }

  /** Call it when the state is restored, or the frame or worker is gone. */
  setReady(): void {
    this.#setReady()
  }
}
