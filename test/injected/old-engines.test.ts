import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** the oldest engines, as docs/webview-integration.md names them */
const oldest = { chrome: 80, safari_ios: 13.4, firefox: 74 } as const
type Browser = keyof typeof oldest

/** What the scripts use although one of the oldest engines lacks it, and what happens there. */
const newer: Readonly<Record<string, string>> = {
  ':modal': 'a modal dialog is known by its backdrop (view/modal.ts)',
  ':popover-open': 'used only if there is hidePopover',
  ':user-invalid': 'no field is shown as invalid because of what was entered',
  'Document.getAnimations': 'an action does not wait for animations',
  'Element.checkVisibility': 'the computed style is read (view/dom.ts)',
  'HTMLDialogElement.close': 'such an engine has no dialogs',
  'HTMLElement.editContext': 'such an engine has no EditContext',
  'HTMLElement.hidePopover': 'such an engine has no popovers',
  'HTMLFormElement.requestSubmit': 'Enter does not submit a form that has no button',
  StaticRange: '`beforeinput` has no target ranges',
  adoptedStyleSheets: 'what only a :hover rule shows stays hidden',
  canGoBack: 'the length of the history tells whether there is a page to go back to',
  canGoForward: 'going forward is tried',
  deref: 'refs keep their elements alive',
  replaceSync: 'as adoptedStyleSheets',
}
/** properties of our own objects that have the name of a newer member of an interface */
const ownNames =
  'actions added at commit effects element format frameCount inert ink last layout level lines modifiers node path range reasons removed role session states stats tag watch'.split(
    ' ',
  )

interface Support {
  readonly version_added: string | false | null
  readonly flags?: unknown
}
interface Entry {
  readonly __compat?: { readonly support: Readonly<Partial<Record<Browser, Support | readonly Support[]>>> }
  readonly [name: string]: Entry | unknown
}
const data = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8')) as Readonly<
  Record<'api' | 'css' | 'javascript', Entry>
>
const child = (entry: Entry | undefined, name: string): Entry | undefined =>
  entry && Object.hasOwn(entry, name) ? (entry[name] as Entry) : undefined
const builtIns = child(data.javascript, 'builtins') as Entry
const selectors = child(data.css, 'selectors') as Entry

/** whether each of the oldest engines has it; true for what the data does not know */
function isOld(entry: Entry | undefined): boolean {
  const support = entry?.__compat?.support
  if (!support) return true
  return (Object.keys(oldest) as Browser[]).every(browser => {
    const statements = [support[browser] ?? []].flat() as readonly Support[]
    return statements.some(
      ({ version_added: added, flags }) => !flags && typeof added === 'string' && Number(added.replace('≤', '')) <= oldest[browser],
    )
  })
}

/** every interface and built-in with a member of a name */
const owners = new Map<string, Entry[]>()
for (const [name, each] of [...Object.entries(data.api), ...Object.entries(builtIns)])
  for (const [member, entry] of Object.entries(each as Entry))
    if (member !== '__compat' && member !== name) owners.set(member, [...(owners.get(member) ?? []), entry as Entry])

const scripts = ['agent-eyes', 'agent-browser', 'agent-text'].map(name => readFileSync(join(root, `dist/${name}.js`), 'utf8'))

/** members that are read as properties: newer only if every interface got them later */
function newerMembers(): string[] {
  const names = new Set(scripts.flatMap(script => [...script.matchAll(/\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name)))
  return [...names].filter(name => !ownNames.includes(name) && owners.has(name) && !owners.get(name)?.some(isOld))
}

/** globals, and those that are constructed: Chromium 80 has StaticRange, but scripts cannot make one */
const astOnly: object = { ast: true, code: false }
async function newerGlobals(): Promise<string[]> {
  const found = new Set<string>()
  for (const script of scripts) {
    const { ast } = (await minify(script, {
      compress: false,
      mangle: { toplevel: true },
      format: astOnly,
    })) as unknown as {
      readonly ast: { readonly globals: ReadonlyMap<string, unknown> }
    }
    for (const name of ast.globals.keys()) {
      const entry = child(data.api, name) ?? child(builtIns, name)
      if (!isOld(entry) || (script.includes(`new ${name}(`) && !isOld(child(entry, name)))) found.add(name)
    }
  }
  return [...found]
}

/** accessors and methods that are captured by the names of their interface */
function newerNatives(): string[] {
  const files = ['natives', 'native-actions'].map(name => join(root, `src/injected/runtime/${name}.ts`))
  const viewFiles = readdirSync(join(root, 'src/injected/view')).map(name => join(root, 'src/injected/view', name))
  const calls = [...files, ...viewFiles]
    .map(file => readFileSync(file, 'utf8'))
    .flatMap(source => [...source.matchAll(/\(\s*'([A-Z]\w+)',\s*'([\w ]+)'/g)])
  expect(calls.length).toBeGreaterThan(30)
  return calls.flatMap(([, owner = '', names = '']) =>
    names
      .split(' ')
      // the data has some members with the interface that declares them only
      .filter(name => (child(child(data.api, owner), name) ? !isOld(child(child(data.api, owner), name)) : !owners.get(name)?.some(isOld)))
      .map(name => `${owner}.${name}`),
  )
}

const newerSelectors = (): string[] =>
  [...new Set(scripts.flatMap(script => [...script.matchAll(/["'`\w\])]:([a-z-]+)(?=["'`, ():[.])/g)].map(([, name = '']) => name)))]
    .filter(name => !isOld(child(selectors, name)))
    .map(name => `:${name}`)

test('the page scripts use nothing that one of the oldest engines lacks, but for what has a fallback', async () => {
  const found = [...new Set([...newerMembers(), ...(await newerGlobals()), ...newerNatives(), ...newerSelectors()])].sort()
  expect(found).toEqual(Object.keys(newer).sort())
})
