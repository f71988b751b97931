import { cut } from '../../../render/text/quote.ts'
import { createEmitter } from '../emitter.ts'
import { drawingPixels, startScreencast, stopScreencast } from '../page/capture.ts'
import type { Page } from '../page/page.ts'
import { LiveCovers } from '../page/secret-covers.ts'
import { withTimeout } from '../timeout.ts'
import type { CommandActivity } from './command-activity.ts'
import { jpegWidth } from './jpeg-width.ts'

/**
 * A picture of the selected tab's viewport.
 *
 * @example
 * const show = ({ mime, base64 }: LiveFrame) => (image.src = `data:${mime};base64,${base64}`)
 */
export interface LiveFrame {
  readonly mime: 'image/jpeg'
  readonly base64: string
  /** the viewport in CSS pixels */
  readonly width: number
  readonly height: number
  /** when the browser painted it, in ISO 8601 */
  readonly at: string
  /** the tab that it shows, and the URL that it was at */
  readonly tab: string
  readonly url: string
}

export interface ScreencastOptions {
  /** the selected tab */
  page(): Page | undefined
  /** actions do not share the processor with pictures */
  readonly activity: Pick<CommandActivity, 'isBusy' | 'onChange'>
}

/** a picture takes the browser about as long as a frame: at most so many per second */
const maxFramesPerSecond = 15

/** how often the selected tab is compared with the one that is shown; its pictures come when they change */
const followMs = 200
/** how long to wait for the first picture of a document, or for the next one after a picture that may not be shown */
const stillMs = 400
/** how long to wait for the first picture after an action, which may have changed a page that is still again */
const changedMs = 50
const captureMs = 2_000
/** a screencast that could not start is started again after this time, so many times */
const restartMs = 100
const maxFailedStarts = 5
/** as in a list of tabs */
const maxUrlChars = 500
const format = { format: 'jpeg', quality: 60 } as const

/**
 * Pictures of the selected tab as it changes, whichever tab that is. Runs while there is a watcher. The browser sends the next picture only
 * after a watcher was ready for the last one, so a slow watcher costs no memory and little time of the page.
 */
export class Screencast {
  readonly #options: ScreencastOptions
  readonly #watchers = new Set<Watcher>()
  readonly #failure = createEmitter<string>()
  readonly #changes = createEmitter<string>()
  #changedAt = new Date(0).toISOString()
  #shown: Shown | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: ScreencastOptions) {
    this.#options = options
  }

  /**
   * Calls `onFrame` with the newest picture, and again after `ready`. Returns the functions of the watcher.
   */
  watch(onFrame: (frame: LiveFrame) => void): { ready(): void; stop(): void } {
    const watcher = new Watcher(onFrame)
    this.#watchers.add(watcher)
    if (this.#shown?.last) watcher.offer(this.#shown.last)
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#follow(), followMs)
      this.#timer.unref()
      this.#follow()
    }
    return {
      ready: () => {
        watcher.ready()
        this.#shown?.acknowledge()
      },
      stop: () => {
        this.#watchers.delete(watcher)
        if (this.#watchers.size === 0) this.#end()
      },
    }
  }

  /** Calls the listener with the reason when no picture can be made. */
  onFailure(listener: (reason: string) => void): () => void {
    return this.#failure.on(listener)
  }

  /** Calls the listener with the time of everything that an older picture cannot show, and at once with the last one. */
  onChange(listener: (at: string) => void): () => void {
    listener(this.#changedAt)
    return this.#changes.on(listener)
  }

  /** A person has operated the page. */
  noteInput(): void {
    this.#noteChange()
    this.#shown?.expectPicture()
  }

  #noteChange(): void {
    this.#changedAt = new Date().toISOString()
    this.#changes.emit(this.#changedAt)
  }

  #follow(): void {
    const page = this.#options.page()
    if (this.#shown?.page === page) return
    this.#shown?.stop()
    this.#noteChange()
    this.#shown =
      page &&
      new Shown(page, {
        offer: frame => this.#offer(frame),
        fail: reason => this.#failure.emit(reason),
        noteChange: () => this.#noteChange(),
        changedAt: () => this.#changedAt,
        activity: this.#options.activity,
      })
  }

  #offer(frame: LiveFrame): boolean {
    let wasTaken = false
    for (const watcher of this.#watchers) wasTaken = watcher.offer(frame) || wasTaken
    return wasTaken
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#shown?.stop()
    this.#shown = undefined
  }
}

/** Gets one picture at a time; of those that arrive before `ready`, only the newest is kept. */
class Watcher {
  readonly #onFrame: (frame: LiveFrame) => void
  #isReady = true
  #newest: LiveFrame | undefined

  constructor(onFrame: (frame: LiveFrame) => void) {
    this.#onFrame = onFrame
  }

  /** Returns whether the watcher was ready for it. */
  offer(frame: LiveFrame): boolean {
    if (!this.#isReady) {
      this.#newest = frame
      return false
    }
    this.#isReady = false
    this.#onFrame(frame)
    return true
  }

  ready(): void {
    this.#isReady = true
    const frame = this.#newest
    this.#newest = undefined
    if (frame) this.offer(frame)
  }
}

interface ShownOptions {
  /** Returns whether somebody took it. */
  offer(frame: LiveFrame): boolean
  fail(reason: string): void
  noteChange(): void
  changedAt(): string
  readonly activity: ScreencastOptions['activity']
}

/** The screencast of one tab. */
class Shown {
  readonly page: Page
  last: LiveFrame | undefined
  readonly #options: ShownOptions
  readonly #unsubscribe: (() => void)[]
  #stillTimer: NodeJS.Timeout | undefined
  #inputTimer: NodeJS.Timeout | undefined
  #restartTimer: NodeJS.Timeout | undefined
  #failedStarts = 0
  /** the picture that the browser waits to have acknowledged */
  #pending: number | undefined
  #ackTimer: NodeJS.Timeout | undefined
  #ackedAt = Number.NEGATIVE_INFINITY
  /** the number of refused documents in frames when the last picture came */
  #refusals: number
  #isStopped = false
  readonly #covers: LiveCovers
  /** when a document last replaced another */
  #documentAt = ''
  /** how often the screencast was to start */
  #starts = 0

  constructor(page: Page, options: ShownOptions) {
    this.page = page
    this.#options = options
    this.#covers = new LiveCovers(page)
    this.#refusals = page.frameGuard.refusals('painted')
    this.#unsubscribe = [
      page.target.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
        // it was on its way when the action began
        if (options.activity.isBusy) return
        // it keeps the tab drawn, for an action or a screenshot that has ended just now
        if ((jpegWidth(data) ?? Number.POSITIVE_INFINITY) <= drawingPixels) return this.#captureLater(changedMs)
        this.#pending = sessionId
        const { deviceWidth: width, deviceHeight: height, timestamp } = metadata
        this.#present({ base64: data, width, height, at: paintTime(timestamp) }).then(wasTaken => wasTaken && this.acknowledge())
      }),
      // a document in another process ends the screencast of the one before it
      page.target.on('Page.frameNavigated', ({ frame }) => {
        this.#documentAt = new Date().toISOString()
        if (frame.parentId) return
        options.noteChange()
        if (!options.activity.isBusy) this.#start(stillMs)
      }),
      options.activity.onChange(isBusy => {
        options.noteChange()
        if (isBusy) this.#pause()
        else this.#start(changedMs)
      }),
      // a picture of the new URL, if the page does not paint
      page.target.on('Page.navigatedWithinDocument', ({ frameId }) => {
        if (frameId !== page.target.targetId) return
        options.noteChange()
        this.#captureLater()
      }),
    ]
    if (!options.activity.isBusy) this.#start(stillMs)
  }

  /** Lets the browser send the next picture, when it is time for it. */
  acknowledge(): void {
    if (this.#pending === undefined) return
    clearTimeout(this.#ackTimer)
    const due = this.#ackedAt + 1_000 / maxFramesPerSecond - performance.now()
    if (due <= 0) this.#acknowledgeNow()
    else this.#ackTimer = setTimeout(() => this.acknowledge(), due).unref()
  }

  #acknowledgeNow(): void {
    const sessionId = this.#pending
    this.#pending = undefined
    this.#ackedAt = performance.now()
    if (sessionId !== undefined) this.page.target.send('Page.screencastFrameAck', { sessionId }).catch(() => {}) // the tab is gone
  }

  /** A page that paints after input sends a picture by itself. If none has come in time, the screencast starts again. */
  expectPicture(): void {
    this.#inputTimer ??= setTimeout(() => {
      this.#inputTimer = undefined
      if (!this.#options.activity.isBusy) this.#start(changedMs)
    }, stillMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#ackTimer)
    clearTimeout(this.#stillTimer)
    clearTimeout(this.#restartTimer)
    this.#clearInputTimer()
    for (const each of this.#unsubscribe) each()
    this.#covers.end()
    stopScreencast(this.page.target)
  }

  #clearInputTimer(): void {
    clearTimeout(this.#inputTimer)
    this.#inputTimer = undefined
  }

  /** @param patienceMs how long to wait for a picture until one is captured */
  #start(patienceMs: number): void {
    this.#failedStarts = 0
    const start = ++this.#starts
    // no picture before its secrets are painted over
    this.#covers.update().then(() => {
      if (start !== this.#starts || this.#isStopped || this.#options.activity.isBusy) return
      this.#startCast()
      this.#captureLater(patienceMs)
    })
  }

  /** While one document replaces another, the tab has no active one and the browser refuses to start. */
  #startCast(): void {
    this.#pending = undefined
    clearTimeout(this.#restartTimer)
    startScreencast(this.page.target, format).catch(error => {
      if (this.#isStopped || this.#options.activity.isBusy) return
      if (++this.#failedStarts === maxFailedStarts) this.#options.fail(String(error))
      else this.#restartTimer = setTimeout(() => this.#startCast(), restartMs).unref()
    })
  }

  /** The browser reads back every frame of a screencast, also if the last picture was not acknowledged. */
  #pause(): void {
    this.#starts++
    clearTimeout(this.#ackTimer)
    clearTimeout(this.#stillTimer)
    clearTimeout(this.#restartTimer)
    this.#pending = undefined
    stopScreencast(this.page.target)
  }

  /** An idle page paints nothing, and so sends no picture. */
  #captureLater(ms = stillMs): void {
    clearTimeout(this.#stillTimer)
    this.#stillTimer = setTimeout(() => this.#capture(), ms).unref()
  }

  /** What the policy refuses is not shown to people either, neither as a page nor in a frame of one. */
  #isPresentable(): boolean {
    return !this.page.guard.isRefused() && this.page.frameGuard.isPresentable()
  }

  /** Shows a picture that shows no secret. Returns whether the browser may send the next one. */
  async #present(picture: Picture): Promise<boolean> {
    const start = this.#starts
    // it may show what was not painted over yet, or a document that cannot be checked any more
    const isOutdated = () => picture.at < this.#documentAt || picture.at <= this.#covers.changedAt
    if (this.#covers.isNeeded) {
      const hasAnswered = await this.#covers.update()
      if (start !== this.#starts || this.#isStopped || this.#options.activity.isBusy) return false
      if (!hasAnswered) this.#options.fail('The page does not answer, so the secrets in it cannot be painted over.')
      if (!hasAnswered || isOutdated()) {
        this.#captureLater(hasAnswered ? changedMs : stillMs)
        return true
      }
    }
    return this.#show(picture)
  }

  /** Returns whether a watcher took it. */
  #show({ base64, width, height, at }: Picture): boolean {
    clearTimeout(this.#stillTimer)
    if (at >= this.#options.changedAt()) this.#clearInputTimer()
    const refusals = this.page.frameGuard.refusals('painted')
    // a picture takes a while to arrive, and may show a document that has been replaced since
    const isLate = refusals !== this.#refusals
    this.#refusals = refusals
    if (isLate || !this.#isPresentable()) {
      this.#captureLater()
      return true
    }
    this.last = {
      mime: 'image/jpeg',
      base64,
      width,
      height,
      at,
      tab: this.page.id,
      url: cut(this.page.url(), maxUrlChars),
    }
    return this.#options.offer(this.last)
  }

  async #capture(): Promise<void> {
    if (this.#isStopped || this.#options.activity.isBusy) return
    if (!this.#isPresentable()) return this.#captureLater()
    const { target } = this.page
    const captured = await withTimeout(
      captureMs,
      captureViewport(target).catch(() => undefined),
    )
    if (this.#isStopped || this.#options.activity.isBusy) return
    if (captured) await this.#present(captured)
    else {
      this.#options.fail('The page does not paint.')
      this.#captureLater()
    }
  }
}

type Picture = Pick<LiveFrame, 'base64' | 'width' | 'height' | 'at'>

/** a browser on another machine has another clock */
const maxClockDifferenceMs = 5_000

/** A frame may have been painted before what happened while it was on its way. */
function paintTime(timestamp: number | undefined): string {
  const now = Date.now()
  const painted = (timestamp ?? 0) * 1_000
  return new Date(Math.abs(now - painted) < maxClockDifferenceMs ? Math.min(now, painted) : now).toISOString()
}

async function captureViewport(target: Page['target']): Promise<Picture> {
  const at = new Date().toISOString()
  const [{ cssVisualViewport }, { data }] = await Promise.all([
    target.send('Page.getLayoutMetrics'),
    target.send('Page.captureScreenshot', { ...format, optimizeForSpeed: true }),
  ])
  return { base64: data, width: cssVisualViewport.clientWidth, height: cssVisualViewport.clientHeight, at }
}
