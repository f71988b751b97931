import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assessRisk } from '../../src/approval/risk.ts'
import type { RiskReason } from '../../src/contract/risk-reasons.ts'
import type { TargetFacts } from '../../src/contract/target.ts'
import { inspectElement } from '../../src/engine/inspect.ts'
import { buildDocument } from '../../src/html/document.ts'
import { closest, type Element, isElement, type Node } from '../../src/html/tree.ts'
import { corpus, isCorpusMissing, readPage } from '../support/corpus.ts'

const origin = 'https://page.test'

/** The controls of a page that only a script serves: they submit no form and are no links to other pages. */
function scriptControls(html: string): readonly TargetFacts[] {
  const { dom, body } = buildDocument(html).tree
  const facts: TargetFacts[] = []
  const inspect = (node: Element) =>
    inspectElement<Node>(
      {
        dom,
        url: `${origin}/`,
        origin,
        key: undefined,
        except: [],
        controlsOf: () => [],
        filesOf: () => [],
        unveiled: read => read(),
        formOf: each => (isElement(each) ? closest(each, 'form') : null),
        resolve: url => (URL.canParse(url, origin) ? new URL(url, origin).href : ''),
      },
      node,
    )
  const visit = (node: Node): void => {
    if (isElement(node) && isControl(node)) {
      const found = inspect(node)
      if (!found.submits && !found.href) facts.push(found)
    }
    for (const child of Array.from(dom.children(node))) visit(child)
  }
  const isControl = (node: Element): boolean =>
    dom.tag(node) === 'button' ||
    dom.attr(node, 'onclick') !== null ||
    /^(button|menuitem|tab|switch|checkbox|radio|option)$/.test(dom.attr(node, 'role') ?? '') ||
    (dom.tag(node) === 'input' && /^(button|checkbox|radio)$/.test(dom.attr(node, 'type') ?? ''))
  visit(body)
  return facts
}

/** words that the pages have and that really send, pay or delete something */
const rightly =
  /repl|submit|create account|sign up|register|feedback|post review|留言|confirm|invia|send me|check out|subscribe|pay|purchase|^remove|^delete|repost/i

test.skipIf(isCorpusMissing('words on buttons of real pages'))(
  'few script controls of real pages ask although they are ordinary (TRUST G2)',
  { timeout: 120_000 },
  () => {
    const reasons = new Map<RiskReason, Set<string>>()
    let count = 0
    let asking = 0
    for (const folder of ['pages', 'forms'])
      for (const file of readdirSync(join(corpus, folder)).filter(each => each.endsWith('.html')))
        for (const target of scriptControls(readPage(`${folder}/${file}`))) {
          count++
          const { reasonCodes } = assessRisk({ name: 'click', ref: 'e1' }, { sites: ['page.test'], target })
          const codes = reasonCodes.filter(code => /^(words_|dialog_)|^(unknown_words|shows_amount|many_controls)$/.test(code))
          if (codes.length > 0) asking++
          for (const code of codes) reasons.set(code, (reasons.get(code) ?? new Set()).add(target.name || (target.text ?? '')))
        }
    const falseAlarms = [...reasons].flatMap(([code, names]) =>
      [...names].filter(name => !rightly.test(name)).map(name => `${code}: ${name}`),
    )
    console.log(`${asking} of ${count} script controls ask; false alarms: ${falseAlarms.length}\n${falseAlarms.join('\n')}`)
    expect(count).toBeGreaterThan(1_000)
    expect(falseAlarms.length / count).toBeLessThan(0.015)
  },
)
