import { type AccountState, account, type SettingsState, settings, settingsFields, type TabsState, terms } from './account.ts'
import { type ApplicationState, application, type BookingState, booking, type PaymentState, payment } from './forms.ts'
import { type CityState, cityFinder, type InvoiceState, invoiceTable, type PeopleState, people } from './lists.ts'
import { chineseShop, englishShop, type ShopState } from './shop.ts'
import type { SiteDefinition } from './site.ts'
import { type TodoState, todoApp } from './todos.ts'

/** A goal in plain words, and what the server of the site has to know afterwards. */
export interface AgentTask<State = unknown> {
  readonly name: string
  readonly site: SiteDefinition<State>
  goal(given: { readonly url: string; readonly file: string }): string
  /** the outcome, from the state of the server; not what the agent says */
  outcome(state: State): unknown
  readonly expected: unknown
  /** words that the summary has to contain, because the goal asks for them */
  readonly told?: string
  /** typed values that must not be in any record */
  readonly secrets?: readonly string[]
  /** what was typed into fields that hide it, in the order of the fields; a recording does not contain it */
  readonly hidden?: readonly string[]
}

const task = <State>(given: AgentTask<State>): AgentTask => given as AgentTask

const settingFor = ({ kind }: (typeof settingsFields)[number], at: number): string =>
  kind === 'text' ? `value ${at}` : kind === 'number' ? String(at) : kind === 'box' ? 'on' : at % 2 === 0 ? 'German' : 'Careful'
const settingValues = settingsFields.map((field, at) => [field, settingFor(field, at)] as const)

const todoTask = (framework: 'react' | 'vue' | 'lit'): AgentTask =>
  task<TodoState>({
    name: `adds and ticks todos (${framework})`,
    site: todoApp(framework),
    goal: ({ url }) => `Open ${url}. Add the todos Milk, Bread and Tea, then tick Milk and Tea.`,
    outcome: ({ items }) => items.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`),
    expected: ['[x] Milk', '[ ] Bread', '[x] Tea'],
  })

/** Every task of the fixture sites. */
export const agentTasks: readonly AgentTask[] = [
  task<ShopState>({
    name: 'buys two things in a shop',
    site: englishShop,
    goal: ({ url }) =>
      `Open ${url}, add Blue teapot and Oak tray to the cart and check out with full name Ada Lovelace, email ada@shop.test, address 12 Mill Lane.`,
    outcome: ({ orders }) => orders,
    expected: [{ items: ['Blue teapot', 'Oak tray'], name: 'Ada Lovelace', email: 'ada@shop.test', address: '12 Mill Lane' }],
  }),
  task<AccountState>({
    name: 'logs in over two pages and reads the balance',
    site: account,
    goal: ({ url }) => `Go to ${url}, log in as ada@bank.test / correct-horse, tell me the balance`,
    outcome: ({ attempts, visits }) => ({ attempts, visits }),
    expected: { attempts: [{ user: 'ada@bank.test', password: 'correct-horse' }], visits: ['ada@bank.test'] },
    told: '1,204.50',
    secrets: ['correct-horse'],
    hidden: ['correct-horse'],
  }),
  todoTask('react'),
  todoTask('vue'),
  todoTask('lit'),
  task<TodoState>({
    name: 'ticks everything on a list',
    site: todoApp('preact'),
    goal: ({ url }) => `Open ${url}. Add todos: Rice, Beans. Tick all todos.`,
    outcome: ({ items }) => items.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`),
    expected: ['[x] Rice', '[x] Beans'],
  }),
  task<InvoiceState>({
    name: 'filters a table, turns to a page and approves one row',
    site: invoiceTable,
    goal: ({ url }) => `Open ${url}, filter the table by status Open, go to page 3 and click Approve in the row INV-1067.`,
    outcome: ({ approved }) => approved,
    expected: ['INV-1067'],
  }),
  task<BookingState>({
    name: 'chooses a day three months ahead in a calendar',
    site: booking,
    goal: ({ url }) => `Open ${url}, choose date 24 December 2026 and click Book`,
    outcome: ({ booked }) => booked,
    expected: '2026-12-24',
  }),
  task<ApplicationState>({
    name: 'uploads a file',
    site: application,
    goal: ({ url, file }) => `Open ${url}, fill Your name with Ann Lee, upload "${file}" and click Send application`,
    outcome: ({ received }) => received.map(({ file, text }) => `${file}: ${text}`),
    expected: ['cv.txt: Baker since 2019.'],
  }),
  task<PaymentState>({
    name: 'pays in a form of a frame',
    site: payment,
    goal: ({ url }) =>
      `Open ${url}, fill Card number with 4242424242424242, Expiry with 12/30 and Security code with 123, then click Pay now.`,
    outcome: ({ payments }) => payments,
    expected: [{ number: '4242424242424242', expiry: '12/30', code: '123' }],
    hidden: ['4242424242424242', '123'],
  }),
  task<PeopleState>({
    name: 'finds a person in a list without end',
    site: people,
    goal: ({ url }) => `Open ${url}, scroll to "Person 57" and click Follow next to "Person 57"`,
    outcome: ({ followed }) => followed,
    expected: ['Person 57'],
  }),
  task<CityState>({
    name: 'searches with suggestions',
    site: cityFinder,
    goal: ({ url }) => `Open ${url}, search for Ber, choose Bergen and click Show the weather`,
    outcome: ({ shown }) => shown,
    expected: 'Bergen',
  }),
  task<TabsState>({
    name: 'accepts terms in another tab and goes back',
    site: terms,
    goal: ({ url }) => `Open ${url}, open "terms of use" in a new tab, click Accept the terms, switch to the first tab and click Finish`,
    outcome: ({ accepted, finished }) => ({ accepted, finished }),
    expected: { accepted: ['terms'], finished: true },
  }),
  task<SettingsState>({
    name: 'fills in 60 settings',
    site: settings,
    goal: ({ url }) =>
      [`Open ${url}`, 'Fill in the form:', ...settingValues.map(([{ label }, value]) => `- ${label}: ${value}`), 'Save the settings'].join(
        '\n',
      ),
    outcome: ({ saved }) => saved,
    expected: Object.fromEntries(settingValues.map(([{ name }, value]) => [name, value])),
  }),
  task<ShopState>({
    name: 'buys in a Chinese shop',
    site: chineseShop,
    goal: ({ url }) => `打开 ${url}，搜索茶壶，把蓝色茶壶加入购物车，然后结账`,
    outcome: ({ orders }) => orders.map(({ items }) => items),
    expected: [['蓝色茶壶']],
  }),
]
