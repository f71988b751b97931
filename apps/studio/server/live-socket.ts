import { type LiveClientMessage, type LiveServerMessage, type StudioProblem, studioProblem } from 'pagehand/wire'
import * as z from 'zod'
import { type ChatBrowser, type SharedSession, toProblem } from './chats/chat-browser.ts'

/** The part of a WebSocket that is used, so that other connections can take its place. */
export interface LivePort {
  readonly readyState: number
  readonly OPEN: number
  send(json: string): void
  close(code: number, reason: string): void
  on(event: 'message' | 'close' | 'error', listener: (data?: unknown) => void): unknown
}

const point = { x: z.number().min(-10_000).max(100_000), y: z.number().min(-10_000).max(100_000) }
const modifiers = z.int().min(0).max(15)

/** What a window may send. */
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ack'), seq: z.int() }),
  z.strictObject({ type: z.literal('take') }),
  z.strictObject({ type: z.literal('give') }),
  z.strictObject({
    type: z.literal('mouse'),
    kind: z.enum(['move', 'down', 'up', 'wheel']),
    ...point,
    button: z.enum(['left', 'middle', 'right']).exactOptional(),
    clickCount: z.int().min(0).max(3).exactOptional(),
    deltaX: z.number().exactOptional(),
    deltaY: z.number().exactOptional(),
    modifiers,
  }),
  z.strictObject({ type: z.literal('key'), kind: z.enum(['down', 'up']), key: z.string().max(30), code: z.string().max(30), modifiers }),
  z.strictObject({ type: z.literal('text'), text: z.string().max(100_000) }),
  z.strictObject({ type: z.literal('open'), url: z.string().max(10_000) }),
  z.strictObject({ type: z.literal('history'), direction: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ type: z.literal('tab'), operation: z.enum(['new', 'select', 'close']), id: z.string().max(20).exactOptional() }),
  z.strictObject({ type: z.literal('refs') }),
  z.strictObject({ type: z.literal('pick'), requestId: z.string().max(100), ...point }),
])

/** Connects one window to the browser of a chat: pictures out, a person's input in. */
export class LiveSocket {
  readonly #socket: LivePort
  readonly #browser: ChatBrowser<SharedSession>
  readonly #watcher: { ready(): void; stop(): void }
  #seq = 0
  /** why no picture can be made */
  #failure: StudioProblem | undefined

  constructor(socket: LivePort, browser: ChatBrowser<SharedSession>) {
    this.#socket = socket
    this.#browser = browser
    browser.addViewer(this.#send)
    const live = browser.session.live()
    this.#watcher = browser.watch(frame => {
      this.#send({ type: 'frame', seq: ++this.#seq, ...frame })
      this.#setFailure(undefined)
    })
    const stopListening = [
      live.onFailure(() => this.#setFailure(studioProblem('no_picture'))),
      live.onTabs(() => this.#announcePage()),
      live.onChange(at => this.#send({ type: 'changed', at })),
    ]
    socket.on('message', data => this.#onMessage(String(data)))
    socket.on('close', () => {
      for (const stop of stopListening) stop()
      this.#watcher.stop()
      browser.removeViewer(this.#send)
    })
    // a broken connection is closed next
    socket.on('error', () => {})
    this.#announcePage()
  }

  readonly #send = (message: LiveServerMessage): void => {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** The picture on display is old: nobody may think that it is live. */
  #setFailure(problem: StudioProblem | undefined): void {
    if (problem?.code === this.#failure?.code) return
    this.#failure = problem
    this.#announcePage()
  }

  async #announcePage(): Promise<void> {
    const message = await this.#browser.pageMessage()
    this.#send(this.#failure === undefined ? message : { ...message, live: false, problem: this.#failure })
  }

  #onMessage(json: string): void {
    const parsed = clientMessage.safeParse(parseJson(json))
    if (!parsed.success) {
      this.#socket.close(1008, 'not a message of the live view')
      return
    }
    const message: LiveClientMessage = parsed.data
    this.#execute(message).catch((error: unknown) =>
      this.#send({ type: 'refused', what: message.type, problem: error instanceof Refusal ? error.problem : toProblem(error) }),
    )
  }

  async #execute(message: LiveClientMessage): Promise<void> {
    switch (message.type) {
      case 'ack':
        if (message.seq === this.#seq) this.#watcher.ready()
        return
      case 'take':
        if (!this.#browser.take(this.#send)) throw new Refusal(studioProblem('taken'))
        return
      case 'give':
        return this.#browser.give(this.#send)
      case 'refs':
        return this.#send({ type: 'refs', refs: await this.#browser.refs() })
      case 'pick':
        return this.#pick(message)
      default:
        return this.#operate(message)
    }
  }

  /** What changes the page: only for the person who has taken over, or while nobody works on it. */
  async #operate(message: Exclude<LiveClientMessage, { type: 'ack' | 'take' | 'give' | 'refs' | 'pick' }>): Promise<void> {
    const { session, controller } = this.#browser
    if (controller !== 'nobody' && !this.#browser.isTakenBy(this.#send))
      throw new Refusal(studioProblem(controller === 'agent' ? 'agent_works' : 'taken'))
    const live = session.live()
    switch (message.type) {
      case 'mouse':
        return live.mouse(message)
      case 'key':
        return live.key(message)
      case 'text':
        return live.text(message.text)
      case 'open':
        return this.#run({ name: 'open', url: message.url })
      case 'history':
        return this.#run({ name: message.direction })
      case 'tab':
        return this.#run({ name: 'tabs', operation: message.operation, ...(message.id !== undefined && { tab: message.id }) })
    }
  }

  async #run(command: Parameters<ChatBrowser['session']['run']>[0]): Promise<void> {
    const result = await this.#browser.session.run(command)
    if (!result.ok) throw new Refusal(result.error)
  }

  /** The smallest element with a ref at a point, with a picture of it. */
  async #pick({ requestId, x, y }: Extract<LiveClientMessage, { type: 'pick' }>): Promise<void> {
    const refs = await this.#browser.refs()
    const under = refs.filter(({ box }) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height)
    const picked = under.sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height)[0]
    const crop = picked && (await this.#browser.session.run({ name: 'screenshot', ref: picked.ref }))
    this.#send({
      type: 'picked',
      requestId,
      picked: picked && crop?.ok ? { ...picked, url: crop.data.page?.url ?? '', mime: crop.data.mime, base64: crop.data.base64 } : null,
    })
  }
}

/** A person asked for something that is not possible now. */
class Refusal extends Error {
  readonly problem: StudioProblem

  constructor({ code, message }: StudioProblem) {
    super(message)
    this.problem = { code, message }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
