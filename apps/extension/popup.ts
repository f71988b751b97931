import { defaultRelayPort } from '../../src/relay/protocol.ts'
import type { PopupRequest, PopupState } from './messages.ts'
import type { ConnectionState } from './relay-connection.ts'

type Tab = PopupState['tabs'][number]

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E

const statusTexts: { readonly [state in ConnectionState]: string } = {
  'not paired': 'Not paired',
  connecting: 'Connecting…',
  connected: 'Connected',
  waiting: 'No program is running',
  refused: 'Another program uses the port',
}

// in a tab of its own, as in tests, `?tab=` names the tab that the popup is about
const givenTab = Number(new URLSearchParams(location.search).get('tab'))
const [active] = givenTab ? [await chrome.tabs.get(givenTab)] : await chrome.tabs.query({ active: true, currentWindow: true })
// the state comes at once, so nothing is awaited from here on
const port = chrome.runtime.connect({ name: 'popup' })
const ask = (request: PopupRequest) => port.postMessage(request)
port.onMessage.addListener(message => show(message as PopupState))

function show({ connection, tabs, clients, error }: PopupState): void {
  find('status').textContent = statusTexts[connection]
  find('status').dataset.state = connection
  find('error').hidden = error === ''
  find('error').textContent = error
  const isPaired = connection !== 'not paired'
  find('pairing').hidden = isPaired
  find('unpair').hidden = !isPaired
  const shared = tabs.find(({ tab }) => tab === active?.id)
  find('current').hidden = !isPaired || active?.id === undefined
  find('current-title').textContent = shared?.title || active?.title || 'This tab'
  find('current-host').textContent = hostOf(shared?.url ?? active?.url)
  find('current-use').replaceChildren(...(shared ? describeUse(shared, clients) : []))
  const lend = find<HTMLButtonElement>('lend')
  lend.textContent = shared ? 'Take this tab back' : 'Lend this tab'
  lend.className = shared ? '' : 'primary'
  lend.onclick = () => active?.id !== undefined && ask({ do: shared ? 'take back' : 'lend', tab: active.id })

  const others = tabs.filter(tab => tab !== shared)
  find('shared').hidden = others.length === 0
  find('shared-heading').textContent = shared ? 'Other shared tabs' : 'Shared tabs'
  find('tabs').replaceChildren(...others.map(tab => toRow(tab, clients)))
  const idle = clients.filter(client => client.tabs.length === 0).map(({ name }) => name)
  find('idle').hidden = idle.length === 0
  find('idle').textContent = `Without a tab: ${idle.join(', ')}`
  find('disconnect').hidden = tabs.length === 0 && clients.length === 0
}

function toRow(tab: Tab, clients: PopupState['clients']): HTMLElement {
  const row = document.createElement('li')
  const text = create('div', 'tab')
  const name = create('button', 'title', tab.title || hostOf(tab.url))
  name.title = 'Show this tab'
  name.onclick = () => ask({ do: 'show', tab: tab.tab })
  text.append(name, create('p', 'detail', hostOf(tab.url)))
  const back = create('button', '', 'Take back')
  back.setAttribute('aria-label', `Take back ${tab.title}`)
  back.onclick = () => ask({ do: 'take back', tab: tab.tab })
  const use = create('div', 'use')
  use.append(...describeUse(tab, clients))
  row.append(text, back, use)
  return row
}

/** Which program uses a tab, and the list to choose another one from. */
function describeUse({ tab, kind, isAttached }: Tab, clients: PopupState['clients']): HTMLElement[] {
  const user = clients.find(client => client.tabs.includes(tab))
  const use = user ? (isAttached ? `${user.name} is using it` : `lent to ${user.name}`) : 'no program uses it yet'
  const text = create('p', isAttached ? 'detail in-use' : 'detail', kind === 'opened' && user ? `opened by ${user.name}` : use)
  return clients.length > 1 && kind === 'lent' ? [text, toClientList(tab, clients, user?.id)] : [text]
}

function toClientList(tab: number, clients: PopupState['clients'], selected: string | undefined): HTMLElement {
  const list = document.createElement('select')
  list.setAttribute('aria-label', 'Program that may use this tab')
  list.append(...clients.map(({ id, name }) => new Option(name, id, false, id === selected)))
  list.onchange = () => ask({ do: 'assign', tab, client: list.value })
  return list
}

function create(tag: 'div' | 'p' | 'span' | 'button', className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

const hostOf = (url: string | undefined): string => (url !== undefined && URL.canParse(url) ? new URL(url).host : '')

find<HTMLInputElement>('port').placeholder = String(defaultRelayPort)
find<HTMLFormElement>('pairing').onsubmit = event => {
  event.preventDefault()
  const given = Number(find<HTMLInputElement>('port').value)
  ask({ do: 'pair', code: find<HTMLInputElement>('code').value, ...(given > 0 && { port: given }) })
}
find('disconnect').onclick = () => ask({ do: 'disconnect all' })
find('unpair').onclick = () => ask({ do: 'unpair' })
