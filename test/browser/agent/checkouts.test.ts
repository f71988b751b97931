import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowserAgent, rulesModel } from '../../../src/agent.ts'
import type { ApprovalRequest, ApprovalScope } from '../../../src/contract/approval.ts'
import { type Checkout, checkouts } from '../../agent/sites/checkouts.ts'
import { openSite } from '../../agent/sites/site.ts'
import { openTestSession } from '../../support/test-session.ts'

/** Buys something, with a person who gives every approval this scope, and returns what that person was asked. */
async function buy({ site, goal }: Checkout, scope: ApprovalScope) {
  await using shop = await openSite(site)
  await using page = await openTestSession()
  const asked: ApprovalRequest[] = []
  const agent = await createBrowserAgent({
    model: rulesModel(),
    session: page.session,
    goal,
    page: shop.url,
    evidence: mkdtempSync(join(tmpdir(), 'pagehand-runs-')),
    approvals: {
      approve: async request => {
        asked.push(request)
        return { approved: true, scope }
      },
    },
  })
  const { reason, summary } = await agent.run()
  return { reason, summary, asked, received: shop.state.received }
}

test.each(checkouts)('a checkout with $name asks at most twice, and always before it pays (S3-05 S3-53)', async checkout => {
  const { reason, summary, asked, received } = await buy(checkout, 'run')
  expect({ received, reason, summary }).toMatchObject({ received: checkout.received, reason: 'closed' })
  const classes = asked.map(request => request.classes.join(' '))
  expect(classes.length, classes.join(', ')).toBeLessThanOrEqual(2)
  expect(classes.at(-1)).toContain('pay')
  expect(classes.filter(each => each.includes('pay'))).toHaveLength(1)
  for (const { runRule, rule } of asked.slice(0, -1)) expect(runRule ?? rule).not.toContain('pay')
})
