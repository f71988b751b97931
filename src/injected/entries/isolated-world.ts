import type { Box } from '../../engine/dom.ts'
import { roleOf } from '../../engine/roles.ts'
import { statesOf } from '../../engine/states.ts'
import { dispatchChange, fieldValue } from '../actions/change-event.ts'
import { send } from '../actions/events.ts'
import { enter, type Field, fieldOf, holds, isSet, needRoom, put, shown, toEnd } from '../actions/fields.ts'
import { focusedIn, focusOn } from '../actions/focus.ts'
import { directionOf, scrollerFrom } from '../actions/scroll.ts'
import { checkables, choose, optionsFor } from '../actions/select.ts'
import { find, inTheWay, needEnabled, seenOf, type Target } from '../actions/target.ts'
import { type EngineError, engineError } from '../runtime/errors.ts'
import { guarded, install } from '../runtime/install.ts'
import { answered } from '../runtime/meta.ts'
import * as native from '../runtime/native-actions.ts'
import { type AimOptions, aim, firstPress, hitResult, intercept, interceptors } from '../trusted/hit-target.ts'
import { type Scripts, watchScripts } from '../trusted/pending-scripts.ts'
import { nextFrame, rest } from '../trusted/settle.ts'
import { query } from '../view/query.ts'
import { infoOf, refuse, resolve, type Session, sceneOf } from '../view/snapshot.ts'
import { waitCheck } from '../watch/wait-conditions.ts'
import { watch } from '../watch/watch.ts'

// The script for an isolated world: it looks, tells where to press and what came of it. The input itself comes from outside, and is trusted.
type Payload = { readonly [name: string]: unknown }
type Deed = (session: Session, payload: never) => object | Promise<object>

const here = (session: Session) => {
  const body = native.bodyOf(document)
  if (!body) throw engineError('no_root', 'no body')
  return { session, document, dom: sceneOf(session, body).dom }
}
/** what must be true when the page has come to rest */
const want = (session: Session, wanted: () => boolean): void => {
  if (session.watch) session.watch.wanted = wanted
}

const deeds: { readonly [name: string]: Deed } = {
  /** from here on, what happens is the effect of an action */
  begin: (session, { ref, scroller }: { ref?: string; scroller?: Element | null }) => {
    session.watch?.end()
    const target = ref === undefined ? { ...here(session), node: null } : find(session, ref)
    session.watch = watch(target)
    if (scroller) session.watch.scrolls(scroller)
    scripts.get(session)?.end()
    scripts.set(session, watchScripts(target.document))
    return {}
  },
  aim: (session, { ref, ...how }: { ref: string } & AimOptions) => aim(session, ref, how),
  /** what is pressed is in a frame of another process: a press that comes to this document has missed */
  guard: (session, { whose }: { whose: string }) => {
    intercept({ ...here(session), ref: whose })
    return {}
  },
  /** told as soon as it is known, so that a page that is left at once still tells it */
  landing: session => firstPress(session),
  landed: session => hitResult(session),
  rest: (session, { ms }: { ms: number }) => {
    // a document that had nothing yet when it was come to
    if (!session.watch && native.bodyOf(document)) deeds.begin?.(session, {} as never)
    return rest(session, ms, scripts.get(session))
  },
  /** what lies at a point of this viewport, where a frame should be */
  over: (session, { x, y }: { x: number; y: number }) => {
    const hit = native.elementAt(document, x, y)
    const dom = here(session).dom
    if (!hit || /^(iframe|frame|object|embed)$/.test(dom.tag(hit))) return {}
    return inTheWay({ session, dom }, hit)
  },
  view: () => infoOf().viewport,
  frame: async () => {
    await nextFrame()
    return {}
  },
  /** whether what is watched has begun to scroll */
  scrolled: async (session, { ms }: { ms: number }) => {
    for (const until = native.now() + ms; native.now() < until && !session.watch?.effect().scroll; ) await nextFrame()
    return { scrolled: !!session.watch?.effect().scroll }
  },
  typed: session => ({ typed: typing.get(session)?.() ?? true }),

  show: (session, { ref }: { ref: string }) => {
    const target = find(session, ref)
    const { scene, drawn } = seenOf(target, 'nearest')
    const why = scene.layout?.unseen(drawn, scene.layout.box(drawn) as Box)
    if (why) throw engineError('not_visible', `${target.ref} cannot be seen: ${why}`)
    return {}
  },
  focus: (session, { ref }: { ref: string }) => {
    const target = find(session, ref)
    seenOf(target)
    needEnabled(target)
    if (!focusOn(target.node)) throw engineError('not_committed', `${target.ref} does not take the focus`)
    want(session, () => focusedIn(target.document) === target.node)
    return {}
  },
  blur: (session, { ref }: { ref: string }) => {
    const { node, document } = find(session, ref)
    if (focusedIn(document) === node) native.blur(node)
    want(session, () => focusedIn(document) !== node)
    return {}
  },
  /** the focus for a key: on the element, or on what in it takes it */
  ready: (session, { ref }: { ref: string }) => {
    const target = find(session, ref)
    seenOf(target, 'nearest')
    needEnabled(target)
    if (!focusOn(target.node) && !focusedIn(target.document)) throw engineError('not_committed', `${target.ref} does not take the focus`)
    return {}
  },

  /** a field is ready to be written to; one that is set as a whole is set */
  fill: (session, { ref, value }: { ref: string; value: string }) => {
    const target = find(session, ref)
    if (target.dom.tag(target.node) === 'select') {
      want(session, choose(target, [value]))
      return { way: 'set' }
    }
    const field = fieldOf(target)
    needRoom(field, value)
    enter(field.target)
    want(session, () => holds(field, value))
    if (isSet(field)) return setWhole(field, value)
    const isField = fieldValue(field.node) !== undefined
    if (isField) (field.node as HTMLInputElement).select()
    return { way: isField ? 'field' : native.editContext(field.node) ? 'elsewhere' : 'editor', held: fieldValue(field.node) !== '' }
  },
  /** everything in an element that is edited in place is selected, without keys */
  selectAll: (session, { ref }: { ref: string }) => {
    const { node, target } = fieldOf(find(session, ref))
    target.document.getSelection()?.selectAllChildren(node)
    return {}
  },
  holds: (session, { ref, value }: { ref: string; value: string }) => {
    const target = find(session, ref)
    return { holds: target.dom.tag(target.node) === 'select' || holds(fieldOf(target), value) }
  },
  /** the caret stands where typing goes on */
  type: (session, { ref }: { ref: string }) => {
    const field = fieldOf(find(session, ref))
    if (isSet(field)) throw engineError('not_editable', `${field.target.ref} is set as a whole; use fill`)
    const isNew = focusedIn(field.target.document) !== field.node
    enter(field.target)
    if (isNew) toEnd(field)
    const before = shown(field)
    typing.set(session, () => shown(field) !== before || focusedIn(field.target.document) !== field.node)
    return {}
  },

  choose: (session, { ref, values }: { ref: string; values: readonly string[] }) => {
    const target = find(session, ref)
    needEnabled(target)
    if (target.dom.tag(target.node) === 'select') {
      want(session, choose(target, values))
      return { way: 'set' }
    }
    return options(target, values)
  },
  /** whether a list can be searched by writing into it */
  isField: (session, { ref }: { ref: string }) => ({ field: fieldValue(find(session, ref).node) !== undefined }),
  check: (session, { ref, want: checked }: { ref: string; want: boolean }) => {
    const target = find(session, ref)
    const role = roleOf(target.dom, target.node)
    if (!checkables.test(role)) throw engineError('not_checkable', `${target.ref} is a ${role}, which is neither checked nor unchecked`)
    if (!checked && /radio$/.test(role)) throw engineError('not_uncheckable', `${target.ref} is a radio`)
    needEnabled(target)
    const isDone = () => statesOf(target.dom, target.node, role).checked === checked
    want(session, isDone)
    return { done: isDone() }
  },
  /** whether files can be chosen for the element itself; otherwise it may open a chooser when it is clicked */
  file: (session, { ref, count }: { ref: string; count: number }) => {
    const target = find(session, ref)
    const { dom, node } = target
    if (dom.tag(node) !== 'input' || dom.attr(node, 'type')?.toLowerCase() !== 'file') return { own: false }
    needEnabled(target)
    if (count > 1 && dom.attr(node, 'multiple') === null) throw engineError('invalid_input', `${target.ref} takes one file, not ${count}`)
    want(session, () => native.filesOf(node)?.length === count)
    return { own: true }
  },

  /** where to turn the wheel, so that what is meant scrolls */
  wheel: (session, { ref, direction, amount }: { ref?: string; direction: 'up' | 'down' | 'left' | 'right'; amount: number }) => {
    const [dx, dy] = directionOf({ direction, amount }) ?? [0, 0]
    const { width, height } = infoOf().viewport
    const target = ref === undefined ? null : find(session, ref)
    const from = target?.node ?? native.elementAt(document, width / 2, height / 2) ?? (native.documentElement(document) as Element)
    const scroller = scrollerFrom(session, from, dx, dy)
    if (!scroller)
      throw engineError(
        'no_progress',
        target ? `nothing at ${target.ref} scrolls further ${direction}` : `the page does not scroll further ${direction}`,
      )
    const isPage = scroller === native.scrollingElement(native.ownerDocument(scroller) as Document)
    if (!isPage) native.scrollIntoView(scroller, { block: 'nearest', inline: 'nearest', behavior: 'instant' })
    deeds.begin?.(session, { ref, scroller } as never)
    const { layout } = sceneOf(session, scroller)
    const { x, y } = layout?.origin(scroller) ?? { x: 0, y: 0 }
    const whole = { x, y, width: native.clientWidth(scroller) ?? width, height: native.clientHeight(scroller) ?? height }
    const box = (isPage ? null : layout?.box(scroller)) ?? whole
    const middle = (start: number, size: number, most: number) => (Math.max(start, 0) + Math.min(start + size, most)) / 2
    return { x: middle(box.x, box.width, width), y: middle(box.y, box.height, height), dx, dy }
  },

  /** a drag may be one of HTML, which the browser carries on by other events */
  dragging: session => {
    drags.get(session)?.()
    const seen = { started: false, dropped: false }
    const hear = (event: Event) => {
      if (event.isTrusted && event.type === 'drop') seen.dropped = true
    }
    // the page may prevent it, so it is asked last
    const start = (event: Event) => {
      if (event.isTrusted && !event.defaultPrevented) seen.started = true
    }
    native.listen(window, 'drop', hear, { capture: true })
    native.listen(window, 'dragstart', start, {})
    drags.set(
      session,
      Object.assign(
        () => {
          native.unlisten(window, 'drop', hear, { capture: true })
          native.unlisten(window, 'dragstart', start, {})
        },
        { seen },
      ),
    )
    return {}
  },
  dragged: session => ({ ...drags.get(session)?.seen }),
}

/** whether the last typing has written something */
const typing = new WeakMap<Session, () => boolean>()
const scripts = new WeakMap<Session, Scripts>()
const drags = new WeakMap<Session, (() => void) & { readonly seen: object }>()

function setWhole(field: Field, value: string): object {
  put(field, value)
  send(field.node, 'Event', 'input', { cancelable: false })
  dispatchChange(field.node)
  return { way: 'set' }
}

/** the options of a list that the page draws, as refs to be clicked */
function options(target: Target, values: readonly string[]): object {
  const { session, document } = target
  const { open, chosen, holds: isDone } = optionsFor(target, values)
  if (open) want(session, isDone)
  const prefix = session.frames.get(document)?.prefix ?? ''
  return { way: 'options', open, refs: chosen.map(option => session.refs.give(option, prefix)) }
}

const kinds: { readonly [kind: string]: (session: Session, payload: Payload) => object } = {
  info: () => infoOf(),
  waitCheck: (session, payload) => waitCheck(session, payload),
}

/** a refusal is an answer; whatever else is thrown is a bug, and an answer too */
function refusal(type: string, error: unknown, about: object) {
  const { code, message, by } = error as EngineError
  return code
    ? { ok: false, type, ...about, error: { code, message, ...(by && { by }) } }
    : refuse('outcome_unknown', `${(error as Error)?.message}`, type)
}

install({
  methods: session => ({
    query: (ref?: unknown, kind?: unknown, payload?: unknown) =>
      guarded('query', 'snapshot_failed', () => query(session, ref, kind, payload)),
    page: (kind: string, payload?: Payload) =>
      guarded('page', 'outcome_unknown', () => {
        try {
          const ask = kinds[kind]
          if (!ask) throw engineError('unsupported_page', `unknown kind ${kind}; there are ${Object.keys(kinds).join(' ')}`)
          return { ok: true, type: 'page', kind, meta: answered(), data: ask(session, payload ?? {}) }
        } catch (error) {
          return refusal('page', error, { kind })
        }
      }),
  }),
  doors: session => ({
    element: (ref: string) => resolve(session, ref),
    /** a closed shadow root, which only the protocol hands out */
    adopt: native.adopt,
    interceptors,
    /** the answer of a deed, as a string, when it is done */
    when: async (name: string, payload: Payload) => {
      try {
        const data = await (deeds[name] as Deed)(session, payload as never)
        return native.stringify({ ok: true, data })
      } catch (error) {
        return native.stringify(refusal('deed', error, { ref: payload.ref }))
      }
    },
  }),
})
