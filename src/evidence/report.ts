import { cut } from '../render/text/quote.ts'
import { document, escaped } from './html.ts'
import type { LogEntry, ReadLog } from './log.ts'
import type { RunSummary } from './summary.ts'
import { type Entry, timelineOf } from './timeline.ts'

/** report.html: what was asked, done and seen, for a person who was not there. */
export function report(summary: RunSummary, { events, torn, damage }: ReadLog): string {
  const title = summary.label || summary.run
  const entries = timelineOf(events)
  return document({
    title: `${title} – evidence`,
    body: [
      `<header><p class="soft"><a href="../index.html">All runs</a></p><h1>${escaped(title)}</h1><p class="soft"><code>${escaped(summary.run)}</code></p>${facts(summary)}</header>`,
      ...(damage
        ? [
            `<p class="bad"><b>events.jsonl is damaged from line ${damage.line} on: ${escaped(damage.why)}. What follows ends there.</b></p>`,
          ]
        : []),
      ...(torn ? ['<p class="soft">The last line of events.jsonl was not finished: the program was stopped while it wrote.</p>'] : []),
      section('Outcome', outcome(summary)),
      section('Key assertions', assertions(events)),
      section('Tools', toolUses(summary)),
      section('Timeline', entries.length === 0 ? '' : `<ol class="steps">${entries.map(step).join('\n')}</ol>`),
      `<p class="soft">Files: <a href="events.jsonl">events.jsonl</a> (${summary.log.events} events, last hash <code>${escaped(summary.log.head.slice(0, 16))}</code>), <a href="meta.json">meta.json</a>.</p>`,
    ].join('\n'),
  })
}

const section = (title: string, body: string): string => (body === '' ? '' : `<section><h2>${title}</h2>${body}</section>`)

function facts({ startedAt, endedAt, durationMs, steps, usage, commands, toolFailures, assertions: { held, failed } }: RunSummary): string {
  const told: readonly (readonly [string, string])[] = [
    ['Began', `${startedAt.replace('T', ' ').slice(0, 19)} UTC`],
    ['Took', endedAt === undefined ? `${seconds(durationMs)}, not ended` : seconds(durationMs)],
    ...(steps === undefined ? [] : [['Turns', String(steps)] as const]),
    ['Commands', String(commands)],
    ['Failed calls', String(toolFailures)],
    ...(held + failed > 0 ? [['Assertions', `${held} of ${held + failed} held`] as const] : []),
    ...Object.entries(usage ?? {}).map(([kind, many]) => [`Tokens, ${kind}`, Number(many).toLocaleString('en')] as const),
  ]
  return `<dl class="facts">${told.map(([what, value]) => `<div><dt>${escaped(what)}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>`
}

const outcome = ({ text }: RunSummary): string => (text === undefined ? '' : `<div class="answer">${escaped(text)}</div>`)

function assertions(events: readonly LogEntry[]): string {
  const all = events.filter(({ type }) => type === 'assertion')
  if (all.length === 0) return ''
  const items = all.map(({ says, held }) =>
    held === true ? `<li class="held">✓ ${escaped(String(says))}</li>` : `<li class="failed">✗ ${escaped(String(says))}</li>`,
  )
  return `<ul class="assertions">${items.join('')}</ul>`
}

function toolUses({ toolUses: uses }: RunSummary): string {
  const rows = Object.entries(uses).sort(([, one], [, other]) => other - one)
  if (rows.length === 0) return ''
  const cells = rows.map(([tool, many]) => `<tr><td><code>${escaped(tool)}</code></td><td>${many}</td></tr>`)
  return `<table><thead><tr><th>Tool</th><th>Calls</th></tr></thead><tbody>${cells.join('')}</tbody></table>`
}

function step({ name, arguments: given, ok, ms, text, commands, frames, snapshots, notSaved }: Entry, index: number): string {
  const mark = ok === undefined ? '<span class="bad">?</span>' : ok ? '<span class="good">✓</span>' : '<span class="bad">✗</span>'
  const how = ok === undefined ? 'outcome unknown' : seconds(ms ?? 0)
  return [
    `<li id="step-${index + 1}"${ok === true ? '' : ' class="bad-step"'}>`,
    `<h3>${mark} ${index + 1}. <code>${escaped(name)}</code> <code>${escaped(short(given))}</code> <span class="soft">${how}</span></h3>`,
    ...(text === undefined ? [] : [folded('What the model read', `<pre>${escaped(cut(text, mostText))}</pre>`, ok === false)]),
    ...(commands.length === 0
      ? []
      : [
          folded(
            'What was done to the page',
            `<pre>${escaped(cut(commands.map(said).join('\n'), mostText))}</pre>`,
            text === undefined && ok === false,
          ),
        ]),
    ...(frames.length === 0 ? [] : [`<div class="frames">${frames.map(file => picture(file, index + 1)).join('')}</div>`]),
    ...(snapshots.length === 0 ? [] : [`<p class="soft">Snapshot: ${snapshots.map(link).join(', ')}</p>`]),
    ...(notSaved.length === 0 ? [] : [`<p class="bad">Not saved: ${escaped(notSaved.join('; '))}</p>`]),
    '</li>',
  ].join('')
}

const folded = (title: string, body: string, open: boolean): string =>
  `<details${open ? ' open' : ''}><summary>${title}</summary>${body}</details>`
const picture = (file: string, number: number): string =>
  `<a href="${escaped(file)}"><img src="${escaped(file)}" alt="The page after step ${number}" loading="lazy"></a>`
const link = (file: string): string => `<a href="${escaped(file)}">${escaped(file)}</a>`

/** of one answer; events.jsonl has all of it */
const mostText = 20_000

/** an event without what all events have */
function said({ seq: _seq, at: _at, run: _run, prev: _prev, type, step: _step, call: _call, ...fields }: LogEntry): string {
  return `${type} ${JSON.stringify(fields)}`
}

function short(given: unknown): string {
  const text = JSON.stringify(given) ?? ''
  return text === '{}' ? '' : cut(text, 200)
}

export const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
