// Scripted chats, runs and questions for the fake server.
import { riskReasons } from '../../../../src/contract/risk-reasons.ts'
import type { ApprovalPart, BrowserEventPart, RunState, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import { studioProblem } from '../../../../src/wire/problems.ts'
import type { Grant, StudioInfo, StudioSettings } from '../../../../src/wire/studio-api.ts'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { defaultSettings } from '../../server/settings.ts'

export const demoGoal = 'Buy the cheapest blue mug in the demo shop and ship it to Ada Lovelace, 12 Analytical Street'
const shop = 'https://shop.example'
export const limits = { steps: 40, tokens: 120_000, costUsd: 0.5, timeMs: 600_000 }

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

type Step = Pick<BrowserEventPart, 'tool' | 'verb'> & Partial<BrowserEventPart>
const snapshotText = `page "Mugs - Demo shop" ${shop}/mugs
navigation "Main"
  e3 link "Home"   e4 link "Mugs" [current]   e5 link "Cart (0)"
main
  heading "Mugs" (12 products)
  e11 combobox "Sort by" = "Most popular"
  e12 checkbox "Blue" [unchecked]
  list "Products"
    e21 link "Harbor mug" 14.00 €   e22 button "Add to cart"
    e23 link "Cobalt mug" 9.50 €    e24 button "Add to cart"`

const element = (role: string, name: string) => ({ target: `${role} ${JSON.stringify(name)}`, element: { role, name } })

export const steps: readonly Step[] = [
  {
    tool: 'open-url',
    verb: 'open',
    target: `${shop}/`,
    outcome: { title: 'Demo shop' },
    durationMs: 812,
    tokens: 640,
    text: snapshotText,
  },
  {
    tool: 'browser-act',
    verb: 'click',
    ...element('link', 'Mugs'),
    outcome: { effect: { url: `${shop}/mugs` } },
    durationMs: 344,
    tokens: 812,
    text: snapshotText,
  },
  {
    tool: 'browser-act',
    verb: 'check',
    ...element('checkbox', 'Blue'),
    outcome: { fields: 1, effect: { checked: true, changed: { added: 0, removed: 9, altered: 1 } } },
    durationMs: 96,
    tokens: 402,
    text: snapshotText,
  },
  {
    tool: 'browser-act',
    verb: 'select',
    ...element('combobox', 'Sort by'),
    outcome: { fields: 1, effect: { selected: ['Price: low to high'] } },
    durationMs: 121,
    tokens: 388,
  },
  {
    tool: 'browser-act',
    verb: 'click',
    ...element('button', 'Add Cobalt mug to cart'),
    outcome: { effect: { changed: { added: 3, removed: 0, altered: 2, text: 'Cart (1)' } } },
    durationMs: 203,
    tokens: 455,
  },
  {
    tool: 'browser-act',
    verb: 'fillForm',
    outcome: { fields: 4, effect: { value: 'Ada Lovelace', focus: 'e32' } },
    durationMs: 518,
    tokens: 702,
    text: 'e31 textbox "Name" = "Ada Lovelace"\ne32 textbox "Street" = "12 Analytical Street"',
  },
  {
    tool: 'browser-act',
    verb: 'click',
    ...element('button', 'Place order'),
    outcome: {
      effect: {
        submitted: true,
        url: `${shop}/orders/1042`,
        changed: { added: 12, removed: 40, altered: 0, text: 'Order 1042 confirmed' },
      },
    },
    durationMs: 731,
    tokens: 377,
  },
]

export const eventsOf = (runId: string, count: number, last: BrowserEventPart['state'] = 'done'): BrowserEventPart[] =>
  steps.slice(0, count).map((step, index) => ({
    ...step,
    runId,
    step: index + 1,
    state: index === count - 1 ? last : 'done',
    startedAt: new Date(Date.now() - (count - index) * 1_400).toISOString(),
    frame: `step-${index + 1}.png`,
  }))

export const runPart = (runId: string, goal: string, state: RunState, count: number, stopReason?: string): SubAgentRunPart => ({
  runId,
  goal,
  state,
  ...(stopReason === undefined ? {} : { stopReason, summary: 'Ordered the Cobalt mug for 9.50 €. The order number is 1042.' }),
  usage: { steps: count, tokens: count * 812, characters: count * 2_900, costUsd: count * 0.0041, timeMs: count * 1_430 },
  limits,
})

export const approvalPart = (id: string, runId: string, chatId: string): ApprovalPart => ({
  id,
  runId,
  chatId,
  kind: 'action',
  state: 'pending',
  action: 'click button "Place order"',
  verb: 'click',
  classes: ['submit', 'pay'],
  reasons: [riskReasons.send_form, riskReasons.words_pay],
  reasonCodes: ['send_form', 'words_pay'],
  origin: shop,
  url: `${shop}/checkout`,
  target: { role: 'button', name: 'Place order', path: 'main > form "Checkout"' },
  picture: `/api/runs/${runId}/files/approval.png`,
  destination: `${shop}/orders`,
  data: {
    fields: [
      { label: 'Name', value: 'Ada Lovelace' },
      { label: 'Street', value: '12 Analytical Street' },
      { label: 'Delivery', value: 'Standard, 3 to 5 days' },
      { label: 'Total', value: '14.50 €' },
    ],
    hidden: 2,
  },
  method: 'post',
  rule: 'allow submit, pay on https://shop.example',
  clauses: [{ classes: ['submit', 'pay'], origin: shop }],
  askedAt: minutesAgo(2),
})

const decision = { scope: 'once', by: 'studio', at: minutesAgo(4) } as const

const uploadPart = (runId: string, chatId: string): ApprovalPart => {
  const { target: _, picture: __, data: ___, destination: ____, ...rest } = approvalPart('a-upload', runId, chatId)
  return {
    ...rest,
    state: 'approved',
    verb: 'upload',
    files: [{ path: 'visitors.csv', bytes: 1_712 }],
    target: { role: 'button', name: 'Your file', path: 'main > form "Visit"' },
    decision,
  }
}

const unusedPart = (runId: string, chatId: string): ApprovalPart => ({
  ...approvalPart('a-unused', runId, chatId),
  state: 'stale',
  staleBecause: 'page',
  decision,
})

/** another site, asked while no page is open */
const openPart = (runId: string, chatId: string): ApprovalPart => {
  const { target: _, picture: __, data: ___, ...rest } = approvalPart('a-open', runId, chatId)
  return {
    ...rest,
    action: 'open https://archive.example/reports?year=2026',
    verb: 'open',
    destination: 'https://archive.example/reports?year=2026',
    classes: ['navigate-out'],
    reasons: [riskReasons.other_site],
    reasonCodes: ['other_site'],
    origin: '',
    url: 'about:blank',
    rule: 'allow navigate-out on https://archive.example',
    clauses: [{ classes: ['navigate-out'], origin: 'https://archive.example' }],
  }
}

const planPart = (runId: string, chatId: string): ApprovalPart => {
  const { target: _, picture: __, ...rest } = approvalPart('a-plan', runId, chatId)
  return {
    ...rest,
    kind: 'plan',
    action:
      '1. Open the booking page of the museum\n2. Choose two tickets for Saturday, 14:00\n3. Fill in the name, and stop before the payment',
    classes: ['write', 'submit'],
    reasons: ['It is the plan of the run.'],
    reasonCodes: [],
  }
}

const user = (id: string, text: string): StudioMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })

export interface FakeChat {
  readonly id: string
  title: string
  updatedAt: string
  state: 'idle' | 'running' | 'waiting'
  messages: StudioMessage[]
}

const eventParts = (events: readonly BrowserEventPart[]): StudioMessage['parts'] =>
  events.map(data => ({ type: 'data-browser-event', id: `${data.runId}-${data.step}`, data }))

/** Chats that are over, that wait for an approval, that handed over, that were interrupted, and that reached a limit. */
export const fakeChats = (): FakeChat[] => [
  {
    id: 'c-done',
    title: 'Buy the cheapest blue mug',
    updatedAt: minutesAgo(38),
    state: 'idle',
    messages: [
      user('m1', demoGoal),
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I will look for blue mugs in the demo shop and order the cheapest one.' },
          { type: 'data-sub-agent-run', id: 'r-done', data: runPart('r-done', demoGoal, 'ended', 7, 'closed') },
          ...eventParts(eventsOf('r-done', 7)),
          {
            type: 'data-approval',
            id: 'a-done',
            data: {
              ...approvalPart('a-done', 'r-done', 'c-done'),
              state: 'approved',
              decision: { scope: 'once', by: 'you', at: minutesAgo(38) },
            },
          },
          {
            type: 'text',
            text: 'Done. The **Cobalt mug** is the cheapest of the three blue mugs.\n\n| Mug | Price |\n|---|---|\n| Cobalt mug | **9.50 €** |\n| Harbor mug | 14.00 € |\n| Lagoon mug | 16.90 € |\n\nThe order number is `1042`; it ships to Ada Lovelace.',
          },
        ],
      },
    ],
  },
  {
    id: 'c-wait',
    title: 'Order a mug for Ada',
    updatedAt: minutesAgo(2),
    state: 'waiting',
    messages: [
      user('m3', demoGoal),
      {
        id: 'm4',
        role: 'assistant',
        parts: [
          { type: 'data-open-browser', data: { tabId: 't1', viewKey: 'v1', url: shop } },
          { type: 'data-sub-agent-run', id: 'r-wait', data: runPart('r-wait', demoGoal, 'waiting', 6) },
          ...eventParts(eventsOf('r-wait', 6)),
          { type: 'data-approval', id: 'a-wait', data: approvalPart('a-wait', 'r-wait', 'c-wait') },
        ],
      },
    ],
  },
  {
    id: 'c-files',
    title: 'Report of the museum',
    updatedAt: minutesAgo(5),
    state: 'waiting',
    messages: [
      {
        ...user('m9', 'Send our list to the museum and get me its report'),
        parts: [
          { type: 'text', text: 'Send our list to the museum and get me its report' },
          { type: 'data-stored-file', data: { name: 'visitors.csv', bytes: 1_712 } },
        ],
      },
      {
        id: 'm10',
        role: 'assistant',
        parts: [
          { type: 'data-open-browser', data: { tabId: 't1', viewKey: 'v1', url: 'https://museum.example' } },
          {
            type: 'data-sub-agent-run',
            id: 'r-files',
            data: runPart('r-files', 'Upload visitors.csv and download the report', 'waiting', 3),
          },
          ...eventParts(eventsOf('r-files', 3)),
          { type: 'data-approval', id: 'a-upload', data: uploadPart('r-files', 'c-files') },
          { type: 'data-approval', id: 'a-unused', data: unusedPart('r-files', 'c-files') },
          {
            type: 'data-stored-file',
            id: 'r-files-annual report.pdf',
            data: { name: 'annual report.pdf', bytes: 1_284_000, url: '/api/runs/r-files/files/downloads/annual%20report.pdf' },
          },
          {
            type: 'text',
            text: 'The report is here. The museum explains it in its [guide](https://museum.example/guide) and at [bank.example](https://evil.example/?d=1).',
          },
          { type: 'data-approval', id: 'a-open', data: openPart('r-files', 'c-files') },
        ],
      },
    ],
  },
  {
    id: 'c-hand',
    title: 'Museum tickets for Saturday',
    updatedAt: minutesAgo(11),
    state: 'waiting',
    messages: [
      user('m5', 'Book two tickets for the museum on Saturday afternoon'),
      {
        id: 'm6',
        role: 'assistant',
        parts: [
          { type: 'data-open-browser', data: { tabId: 't1', viewKey: 'v1', url: 'https://museum.example' } },
          {
            type: 'data-sub-agent-run',
            id: 'r-hand',
            data: runPart('r-hand', 'Book two museum tickets for Saturday, 14:00', 'handoff', 3),
          },
          ...eventParts(
            eventsOf('r-hand', 3, 'failed').map(event =>
              event.state === 'failed'
                ? {
                    ...event,
                    effect: undefined as never,
                    error: { code: 'not_enabled', message: 'e12 is disabled.' },
                  }
                : event,
            ),
          ),
          {
            type: 'data-handoff',
            id: 'r-hand',
            data: { runId: 'r-hand', reason: 'Enter the code that was sent to your phone', state: 'waiting' },
          },
          { type: 'data-approval', id: 'a-plan', data: planPart('r-hand', 'c-hand') },
        ],
      },
    ],
  },
  {
    id: 'c-int',
    title: 'Compare three hotels',
    updatedAt: minutesAgo(95),
    state: 'waiting',
    messages: [
      user('m7', 'Compare three hotels near the station for next weekend'),
      {
        id: 'm8',
        role: 'assistant',
        parts: [
          { type: 'data-open-browser', data: { tabId: 't1', viewKey: 'v1', url: 'https://hotels.example' } },
          {
            type: 'data-sub-agent-run',
            id: 'r-int',
            data: runPart('r-int', 'Compare three hotels near the station for next weekend', 'handoff', 4),
          },
          ...eventParts(
            eventsOf('r-int', 4, 'failed').map(event =>
              event.state === 'failed' ? { ...event, error: studioProblem('step_interrupted') } : event,
            ),
          ),
          {
            type: 'data-approval',
            id: 'a-int',
            data: { ...approvalPart('a-int', 'r-int', 'c-int'), state: 'stale', staleBecause: 'browser' },
          },
          { type: 'data-handoff', id: 'r-int', data: { runId: 'r-int', reason: '', state: 'waiting', kind: 'interrupted' } },
        ],
      },
    ],
  },
  {
    id: 'c-limit',
    title: 'Find a red mug under 5 €',
    updatedAt: minutesAgo(180),
    state: 'idle',
    messages: [
      user('m9', 'Find a red mug under 5 €'),
      {
        id: 'm10',
        role: 'assistant',
        parts: [
          { type: 'data-sub-agent-run', id: 'r-limit', data: runPart('r-limit', 'Find a red mug under 5 €', 'ended', 3, 'max_steps') },
          ...eventParts(eventsOf('r-limit', 3)),
        ],
      },
    ],
  },
]

export const fakeSettings = (): StudioSettings => ({
  ...defaultSettings,
  limits,
  policy: { ...defaultSettings.policy, eval: 'deny' },
  allowedHosts: ['shop.example', '*.museum.example'],
})

export const fakeGrants = (): Grant[] => [
  {
    id: 'g1',
    rule: 'allow submit on https://shop.example',
    clauses: [{ classes: ['submit'], origin: shop }],
    scope: 'site',
    createdAt: minutesAgo(3_000),
  },
  {
    id: 'g2',
    rule: 'allow download on https://museum.example; allow navigate-out to https://pay.example',
    clauses: [
      { classes: ['download'], origin: 'https://museum.example' },
      { classes: ['navigate-out'], origin: 'https://pay.example' },
    ],
    scope: 'site',
    createdAt: minutesAgo(200),
  },
]

export const fakeInfo = ({ model }: StudioSettings): StudioInfo => ({
  version: '0.1.0-fake',
  drive: 'local',
  model: model === 'auto' || model === 'rules' ? { id: 'rules', isAi: false } : { id: model, isAi: true },
  secretNames: ['SHOP_PASSWORD', 'MUSEUM_CARD'],
  demo: { goal: demoGoal, url: shop },
  database: { kind: 'embedded', folder: '/home/ada/.local/share/pagehand/database' },
  dataFolder: '/home/ada/.local/share/pagehand',
})
