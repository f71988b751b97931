import { cut } from '../contract/text.ts'
import { type Html, html, htmlPage } from './html.ts'
import type { LogContent, LogEntry } from './log.ts'
import type { RunSummary } from './summary.ts'
import { type TimelineStep, timelineOf } from './timeline.ts'

/** report.html: what the agent was asked, did and saw, for a reader who was not there. */
export function renderReport(summary: RunSummary, { events, torn, damage }: LogContent): string {
  const title = summary.label || summary.run
  return htmlPage({
    title: `${title} – evidence`,
    body: [
      html`<header><p class="soft"><a href="../index.html">All runs</a></p><h1>${title}</h1><p class="soft"><code>${summary.run}</code></p>${facts(summary)}</header>`,
      damage && html`<p class="bad"><b>events.jsonl is damaged from line ${damage.line} on: ${damage.why}. The report ends there.</b></p>`,
      torn ? html`<p class="soft">The last line of events.jsonl is incomplete: the program was stopped while writing it.</p>` : undefined,
      section('Outcome', outcome(summary)),
      section('Key assertions', assertions(events)),
      section('Tools', toolUses(summary)),
      section('Timeline', timeline(events)),
      html`<p class="soft">Files: <a href="events.jsonl">events.jsonl</a> (${summary.log.events} events, last hash <code>${summary.log.head.slice(0, 16)}</code>), <a href="meta.json">meta.json</a>.</p>`,
    ].filter(part => part !== undefined),
  })
}

const section = (title: string, body: Html | undefined): Html | undefined => body && html`<section><h2>${title}</h2>${body}</section>`

function facts({ startedAt, endedAt, durationMs, steps, usage, commands, toolFailures, assertions: { held, failed } }: RunSummary): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['Started', `${startedAt.replace('T', ' ').slice(0, 19)} UTC`],
    ['Duration', endedAt === undefined ? `${seconds(durationMs)}, not ended` : seconds(durationMs)],
    ...(steps === undefined ? [] : [['Turns', String(steps)] as const]),
    ['Commands', String(commands)],
    ['Failed calls', String(toolFailures)],
    ...(held + failed > 0 ? [['Assertions', `${held} of ${held + failed} held`] as const] : []),
    ...Object.entries(usage ?? {}).map(([kind, tokens]) => [`Tokens, ${kind}`, Number(tokens).toLocaleString('en')] as const),
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const outcome = ({ text }: RunSummary): Html | undefined => (text === undefined ? undefined : html`<div class="answer">${text}</div>`)

function assertions(events: readonly LogEntry[]): Html | undefined {
  const all = events.filter(({ type }) => type === 'assertion')
  if (all.length === 0) return undefined
  const items = all.map(({ says, held }) =>
    held === true ? html`<li class="held">✓ ${String(says)}</li>` : html`<li class="failed">✗ ${String(says)}</li>`,
  )
  return html`<ul class="assertions">${items}</ul>`
}

function toolUses({ toolUses: uses }: RunSummary): Html | undefined {
  const rows = Object.entries(uses).sort(([, one], [, other]) => other - one)
  if (rows.length === 0) return undefined
  const cells = rows.map(([tool, count]) => html`<tr><td><code>${tool}</code></td><td>${count}</td></tr>`)
  return html`<table><thead><tr><th>Tool</th><th>Calls</th></tr></thead><tbody>${cells}</tbody></table>`
}

function timeline(events: readonly LogEntry[]): Html | undefined {
  const steps = timelineOf(events)
  return steps.length === 0 ? undefined : html`<ol class="steps">${steps.map(stepItem)}</ol>`
}

function stepItem({ name, arguments: given, ok, ms, text, commands, frames, snapshots, notSaved }: TimelineStep, index: number): Html {
  const number = index + 1
  const duration = ok === undefined ? 'outcome unknown' : seconds(ms ?? 0)
  return html`<li id="step-${number}"${ok === true ? undefined : html` class="bad-step"`}>${[
    html`<h3>${markOf(ok)} ${number}. <code>${name}</code> <code>${shortJson(given)}</code> <span class="soft">${duration}</span></h3>`,
    text === undefined ? undefined : details('What the model read', text, ok === false),
    commands.length === 0
      ? undefined
      : details('What was done to the page', commands.map(eventLine).join('\n'), text === undefined && ok === false),
    frames.length === 0 ? undefined : html`<div class="frames">${frames.map(file => screenshot(file, number))}</div>`,
    snapshots.length === 0
      ? undefined
      : html`<p class="soft">Snapshot: ${snapshots.map((file, at) => [at > 0 ? ', ' : '', link(file)])}</p>`,
    notSaved.length === 0 ? undefined : html`<p class="bad">Not saved: ${notSaved.join('; ')}</p>`,
  ]}</li>`
}

function markOf(ok: boolean | undefined): Html {
  if (ok === undefined) return html`<span class="bad">?</span>`
  return ok ? html`<span class="good">✓</span>` : html`<span class="bad">✗</span>`
}

const details = (title: string, text: string, isOpen: boolean): Html =>
  html`<details${isOpen ? html` open` : undefined}><summary>${title}</summary><pre>${cut(text, maxTextLength)}</pre></details>`
const screenshot = (file: string, step: number): Html =>
  html`<a href="${file}"><img src="${file}" alt="The page after step ${step}" loading="lazy"></a>`
const link = (file: string): Html => html`<a href="${file}">${file}</a>`

/** of one text in the report; events.jsonl has all of it */
const maxTextLength = 20_000

/** An event without the fields that all events have. */
function eventLine({ seq: _seq, at: _at, run: _run, prev: _prev, type, step: _step, call: _call, ...fields }: LogEntry): string {
  return `${type} ${JSON.stringify(fields)}`
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text === '{}' ? '' : cut(text, 200)
}

export const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
