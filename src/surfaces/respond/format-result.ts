import { type ParsedCommand, type VerbName, verbs } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import { minChars } from '../../contract/limits.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import type { ActionData, CommandData, NavigationData, PageData, ScreenshotData, TabInfo } from '../../contract/results.ts'
import type { Ranked } from '../../render/rank/ranked.ts'
import { effectLines, noteLines, pendingLines } from '../../render/text/effect.ts'
import { fenced } from '../../render/text/fence.ts'
import { inline, quote } from '../../render/text/quote.ts'
import { renderSnapshot } from '../../render/text/render.ts'
import { toFlatRefs } from './flat-refs.ts'
import { type Answer, failureAnswer, type ResponderOptions, type ResponseContext, type SavedScreenshot } from './responder.ts'
import { summarizeDiff } from './summarize-diff.ts'

type Telling = ResponseContext & { readonly word: string }
type Says<N extends VerbName> = (call: ParsedCommand<N>, data: never, telling: Telling) => Answer | Promise<Answer>

/** A result as the model reads it. */
export function formatResult(call: ParsedCommand, data: CommandData[keyof CommandData], telling: Telling): Answer | Promise<Answer> {
  if (isSeen(data)) telling.memory.isAt(data.page)
  const own = answers[call.name] as ((call: ParsedCommand, data: unknown, telling: Telling) => Answer | Promise<Answer>) | undefined
  return own ? own(call, data, telling) : acted(call, data as ActionData, telling)
}

const isSeen = (data: unknown): data is PageData => typeof data === 'object' && data !== null && 'page' in data

const answers: { readonly [N in VerbName]?: Says<N> } = {
  open: arrived,
  back: arrived,
  forward: arrived,
  reload: arrived,
  close: arrived,
  snapshot: (call, data: CommandData['snapshot'], { memory, saying, talking, word }) => {
    if (call.scope === undefined && call.after === undefined) memory.looked(data, call)
    const { url, title } = data.meta
    memory.isAt({ ...memory.page(), url, title })
    const place = placeOf(url)
    const notes = noteLines(data.notes)
    const frame = fenced(place, ['', ...notes], { word }).length
    const { format = talking.format ?? 'tree', maxNodes } = saying
    const { text, refs, error } = renderSnapshot(data, {
      // other words for options may be longer
      maxCharsTotal: Math.max(minChars, call.maxChars - frame - (talking.spell ? (format === 'flat' ? 80 : 24) : 0)),
      format,
      ...(maxNodes !== undefined && { maxNodes }),
    })
    if (error) return failureAnswer(error, call.maxChars)
    const body = within(respelled(text, talking), call.maxChars)
    return { ok: true, refs, text: body.length + frame > call.maxChars ? body : fenced(place, [body, ...notes], { word }) }
  },
  observe: found,
  extract: found,
  query: (call, { value, truncated, notes }: CommandData['query'], telling) =>
    quoted(
      `${call.kind} of ${worded(call.ref, telling)}`,
      String(value),
      { truncated, most: call.limitChars, notes, plain: plainKinds.has(call.kind) },
      telling,
    ),
  evaluate: (call, { value, truncated, notes }: CommandData['evaluate'], telling) =>
    quoted('result', ...resultOf(String(value), { truncated, most: call.limitChars, notes }), telling),
  wait: async (call, data: CommandData['wait'], telling) =>
    told(`ok: wait, met after ${Math.round(data.waitedMs)} ms`, { call, page: data.page, lines: noteLines(data.notes) }, telling),
  screenshot: pictured,
  tabs: (call, { tabs, notes }: CommandData['tabs'], telling) => {
    if (call.operation !== 'list') telling.memory.left()
    return framed(`ok: tabs ${call.operation}`, { call, lines: [...tabs.map(tabLine), ...noteLines(notes)] }, telling)
  },
  status: (call, data: CommandData['status'], telling) => framed('ok: status', { call, lines: statusLines(data) }, telling),
}

const tabLine = ({ tab, url, title, selected }: TabInfo): string =>
  `${selected ? '*' : '-'} ${inline(tab, 20)} ${quote(title, 60)} url=${quote(url, 120)}`

const statusLines = (status: CommandData['status']): string[] =>
  Object.entries(status)
    .slice(0, 20)
    .map(
      ([fact, value]) => `${inline(fact, 40)}: ${typeof value === 'string' ? quote(value, 200) : inline(JSON.stringify(value) ?? '', 200)}`,
    )

/** another document: nothing that was seen is there any more */
function arrived(call: ParsedCommand, data: NavigationData, telling: Telling): Answer {
  telling.memory.left()
  const next = call.name === 'close' ? '' : '. Take a snapshot to see it.'
  return framed(`ok: ${call.name}${next}`, { call, page: data.page, lines: [...pendingLines(data), ...noteLines(data.notes)] }, telling)
}

/** A line of ours, and below it what the page says, together within the budget of the verb. */
function framed(
  first: string,
  { call, page, lines }: { call: ParsedCommand; page?: PageInfo; lines: readonly string[] },
  { word }: Telling,
): Answer {
  return { ok: true, text: `${first}\n${fenced(page, lines, { word, most: verbs[call.name].chars - first.length - 1 })}` }
}

function acted(call: ParsedCommand, data: ActionData, telling: Telling): Promise<Answer> {
  const lines = effectLines(data).map(line => (line.startsWith('effect: ') ? worded(line, telling) : line))
  return told(`ok: ${worded(named(call), telling)}`, { call, page: data.page, lines }, telling)
}

/** who reads numbers in the list reads them in the answers too */
const worded = (line: string, { talking }: Telling): string => (talking.format === 'flat' ? toFlatRefs(line) : line)

/** What happened, and what is different since the model last looked, within the budget of the verb. */
async function told(
  first: string,
  about: { call: ParsedCommand; page: PageInfo; lines: readonly string[] },
  telling: Telling,
): Promise<Answer> {
  const { run, memory, talking } = telling
  const { ok, text: bare } = framed(first, about, telling)
  const room = verbs[about.call.name].chars - bare.length
  if (talking.diff === false || room < minChars + 20) return { ok, text: bare }
  const { lines: changes, fresh } = await memory.difference(run, Math.min(1_000, room - 20))
  const since = fresh
    ? ['new page: refs of the old one are gone. Take a snapshot to see it.']
    : summarizeDiff(about.call, changes).map(line => worded(line, telling))
  return framed(first, { ...about, lines: [...about.lines, ...noteLines(memory.takeUntold()), ...since] }, telling)
}

/** the verb and what it was done to: words of the caller */
function named(call: ParsedCommand): string {
  const { name, ref, key, direction, amount, to } = call as { [field: string]: unknown } & { name: string }
  return [name, key, ref, direction, amount, to === undefined ? undefined : `to ${to}`]
    .filter(part => part !== undefined)
    .map(part => inline(String(part), 40))
    .join(' ')
}

function found(call: ParsedCommand<'observe' | 'extract'>, { text, refs, nextOffset }: Ranked, { memory, talking, word }: Telling): Answer {
  const body = respelled(text, talking)
  const whole = fenced(placeOf(memory.page()?.url), [body], { word })
  return { ok: true, refs, nextOffset, text: whole.length <= call.maxChars ? whole : body }
}

interface Quoting {
  readonly truncated: boolean
  readonly most: number
  readonly notes: readonly string[] | undefined
  /** it is JSON, or true or false, and needs no quotes around it */
  readonly plain?: boolean
}

const plainKinds = new Set(['attrs', 'computed_styles', 'box', 'isvisible', 'isenabled', 'ischecked'])

/** One string of the page. The frame is inside the budget; where there is no room for it, the string stands alone. */
function quoted(
  what: string,
  value: string,
  { truncated, most, notes, plain = false }: Quoting,
  { memory, talking, word }: Telling,
): Answer {
  const more = respelled('… cut: a larger limitChars', talking)
  const frame = (said: string, isCut: boolean) =>
    fenced(placeOf(memory.page()?.url), [`${what}: ${said}`, ...(isCut ? [more] : []), ...noteLines(notes)], { word })
  const write = plain ? inline : quote
  const whole = frame(write(value), truncated)
  if (whole.length <= most) return { ok: true, text: whole }
  const room = most - frame('""', true).length
  if (room >= 40) return { ok: true, text: frame(write(value, room), true) }
  // no room for the frame: the string alone, and that it was cut
  const alone = truncated && !value.endsWith('…') ? `${value}…` : value
  const isCut = truncated || write(value).length > most
  const beside = most - more.length - 3
  if (!isCut || beside < 20) return { ok: true, text: write(alone, Math.max(1, most - 2)) }
  return { ok: true, text: `${write(alone, beside)}\n${more}` }
}

/** What a script gave is JSON, and a string in it is written once; a host that evaluates strings may give bare text. */
function resultOf(value: string, quoting: Quoting): [string, Quoting] {
  const begun = quoting.truncated ? `${value.replace(/…$/, '').replace(/\\(u[\da-f]{0,3})?$/i, '')}"` : ''
  for (const json of [value, begun]) {
    try {
      const given: unknown = JSON.parse(json)
      if (typeof given !== 'string') return [value, { ...quoting, plain: true }]
      return [json === value ? given : `${given}…`, quoting]
    } catch {
      // cut, or no JSON
    }
  }
  return [value, { ...quoting, plain: value === 'undefined' || (quoting.truncated && /^[[{]/.test(value)) }]
}

async function pictured(call: ParsedCommand<'screenshot'>, data: ScreenshotData, telling: Telling): Promise<Answer> {
  const { mime, base64, width, height } = data
  const bare: SavedScreenshot = { mime, base64, width, height }
  const { path, why } = await kept(bare, call.label, telling)
  const size = `${width}x${height} ${mime}, ${Math.ceil((base64.length * 3) / 4 / 1024)} KB`
  const where = path === undefined ? (why === undefined ? '' : `, not saved: ${inline(why, 200)}`) : `, kept at ${quote(path, 400)}`
  const first = `ok: screenshot ${size}${where}`
  const picture = { ...bare, ...(path !== undefined && { path }) }
  return { ...framed(first, { call, page: data.page, lines: noteLines(data.notes) }, telling), picture }
}

/** a full disk is no reason to lose what was seen (TRUST F5) */
async function kept(
  picture: SavedScreenshot,
  label: string | undefined,
  { talking, saying }: Telling,
): Promise<{ path?: string; why?: string }> {
  if (!talking.saveScreenshot || saying.saveScreenshot === false) return {}
  try {
    return { path: await talking.saveScreenshot(picture, label) }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

const isNote = (line: string): boolean => /^\s*…/.test(line)

/** Notes name the options of the renderer; the caller has words of its own for them, and other ways where it has no such field. */
function respelled(text: string, talking: ResponderOptions): string {
  return text
    .split('\n')
    .map(line => (isNote(line) ? noteFor(line, talking) : line))
    .join('\n')
}

/** what is missing, a colon, and how to see it: `… 8 more: after=e5`, `… 3 more: a larger maxNodes`, `… more: scroll, or give a scope` */
function noteFor(line: string, { format, spell = same, instead }: ResponderOptions): string {
  const colon = line.lastIndexOf(': ')
  const says = colon < 0 ? line : line.slice(0, colon)
  const what = format === 'flat' ? toFlatRefs(says) : says
  if (colon < 0) return what
  const advice = line.slice(colon + 2)
  const lacks = [...advice.matchAll(fields)].find(([, field = '']) => spell(options[field] ?? field) === undefined)
  if (!lacks) return `${what}: ${advice.replace(fields, (found, field) => found.replace(field, spell(options[field] ?? field) ?? field))}`
  const [, field = '', value = ''] = lacks
  return instead ? `${what}: ${instead(field, value)}` : what
}

const fields =
  /\b(interactiveOnly|maxCharsTotal|limitChars|maxNodes|maxVisits|maxTimeMs|compact|format|scope|after(?==)|offset)\b(?:=([^\s,]+))?/g
const options: { readonly [field: string]: string } = { maxCharsTotal: 'maxChars' }
const same = (field: string): string => field

/** in the least budget the page comes before the notes */
function within(text: string, most: number): string {
  const lines = text.split('\n')
  while (lines.join('\n').length > most && isNote(lines.at(-1) ?? '')) lines.pop()
  return lines.join('\n')
}

/** the origin, which is enough to say whose words follow */
function placeOf(url: string | undefined): { url: string } | undefined {
  if (!url) return undefined
  return { url: (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url).slice(0, 60) }
}
