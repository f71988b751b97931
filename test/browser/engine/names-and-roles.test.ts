import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { openPage, type TestPage } from '../../support/open-page.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const corpus = process.env.PAGEHAND_CORPUS ?? join(root, '../shared/corpus')
const isAbsent = !existsSync(join(corpus, 'accname.json'))
if (isAbsent) console.log(`skipping accessible names and roles of web-platform-tests: ${corpus} does not exist; set PAGEHAND_CORPUS`)

/** Cases that fail, and why: shrink this list, never grow it without a reason. */
const known: Record<string, string> = {}

interface Case {
  readonly suite: string
  readonly testName: string
  readonly tentative: boolean
  readonly html: string
  readonly expectedName?: string
  readonly acceptedRoles?: readonly string[]
}

const isNamedRight = ({ expectedName = '' }: Case, name: string) => name === collapse(expectedName)
const hasRightRole = ({ acceptedRoles = [] }: Case, role: string) => acceptedRoles.some(each => each.replace('image', 'img') === role)

test.skipIf(isAbsent)('computes the accessible names that web-platform-tests expect', async () => {
  const cases = read('accname.json')
  const automatic = cases.filter(each => each.suite !== 'accname-manual')
  expect(await right('nameOf', automatic, isNamedRight)).toBeGreaterThanOrEqual(315) // Chromium itself: 313 of 315
  const manual = cases.filter(each => each.suite === 'accname-manual')
  expect(await right('nameOf', manual, isNamedRight)).toBeGreaterThanOrEqual(90)
})

test.skipIf(isAbsent)('computes the roles that web-platform-tests expect', async () => {
  expect(await right('roleOf', read('roles.json'), hasRightRole)).toBeGreaterThanOrEqual(294) // Chromium itself: 292 of 294
})

// S0-29, and X0-15 for the rule
const roles = {
  '<a href="/">': 'link',
  '<a>': 'generic',
  '<button>': 'button',
  '<input type=text>': 'textbox',
  '<input type=SEARCH>': 'searchbox',
  '<datalist id=l></datalist><input id=it type=email list=l>': 'combobox',
  '<div id=l></div><input id=it type=email list=l>': 'textbox',
  '<input type=search list="">': 'searchbox',
  '<input type=file>': 'button',
  '<textarea>': 'textbox',
  '<select>': 'combobox',
  '<select size=2>': 'listbox',
  '<img src=x>': 'img',
  '<img src=x alt="">': 'none',
  '<img src=x alt="" tabindex=0>': 'img',
  '<p id=e></p><img id=it src=x alt="" aria-labelledby=e>': 'none',
  '<p id=e>Cat</p><img id=it src=x alt="" aria-labelledby=e>': 'img',
  '<hgroup>': 'group',
  '<h1>': 'heading',
  '<h6>': 'heading',
  '<hr>': 'separator',
  '<li>': 'listitem',
  '<ul>': 'list',
  '<ol>': 'list',
  '<nav>': 'navigation',
  '<main>': 'main',
  '<header>': 'banner',
  '<footer>': 'contentinfo',
  '<article><header id=it>': 'generic',
  '<form>': 'form',
  '<section>': 'generic',
  '<section title=News>': 'region',
  '<p id=e>News</p><section id=it aria-labelledby="none e">': 'region',
  '<p id=e hidden>News</p><section id=it aria-labelledby=e>': 'region',
  '<p id=e><img alt=News></p><section id=it aria-labelledby=e>': 'region',
  '<p id=e> <b> </b></p><section id=it aria-labelledby=e>': 'generic',
  '<p id=e></p><nav id=it role=region aria-labelledby=e>': 'navigation',
  '<p id=e></p><article><aside id=it aria-labelledby=e>': 'generic',
  '<table><td id=it>': 'cell',
  '<table role=grid><td id=it>': 'gridcell',
  '<table role=presentation><td id=it>': 'none',
  '<table><tr><th id=it><td>1': 'rowheader',
  '<table><tr><td>1<th id=it>': 'rowheader',
  '<table><tr><td>1<td>2<th id=it>': 'rowheader',
  '<table><tr><td> <th id=it>': 'columnheader',
  '<table><tr><td><td><th id=it>a<th>b': 'columnheader',
  '<table><tr><td>Year<th>a<th id=it>b': 'columnheader',
  '<table><thead><tr><td>Year<th id=it>': 'columnheader',
  '<table><thead><tr><th scope=row id=it>': 'rowheader',
  '<ul role=none><li id=it>': 'none',
  '<details><summary id=it>': 'button',
  '<details><summary>a</summary><summary id=it>b': 'generic',
  '<summary role=none>': 'none',
  '<nav role=doc-foo>': 'navigation',
  '<div role="graphics-foo doc-toc">': 'doc-toc',
  '<div role=directory>': 'list',
  '<div role=comment>': 'comment',
  '<h1 role=none>': 'none',
  '<h1 role=none aria-invalid=true>': 'none',
  '<h1 role=none aria-roledescription=slide>': 'heading',
  '<h1 role=presentation aria-busy=true>': 'heading',
  '<constructor>': 'generic',
}

test('every tag of the minimal set has its implicit role', async () => {
  await using page = await openPage()
  const results = await call(page, (pages: string[]) => pages.map(html => answer('roleOf', html)), Object.keys(roles))
  expect(Object.fromEntries(Object.keys(roles).map((html, i) => [html, results[i]]))).toEqual(roles)
})

const names = {
  '<input type=submit>': 'Submit',
  '<input type=reset>': 'Reset',
  '<input type=file>': 'Choose File',
  '<input type=constructor>': '',
  '<input alt=none placeholder=City>': 'City',
  '<input type=number aria-placeholder=Age>': 'Age',
  '<input role=combobox placeholder=City>': 'City',
  '<textarea placeholder=City>': 'City',
  '<div role=searchbox aria-placeholder=City>': 'City',
  '<input type=checkbox placeholder=City>': '',
  '<input type=date placeholder=City>': '',
  '<div role=button aria-placeholder=City>': '',
  '<input type=submit title=Now>': 'Submit',
  '<input type=reset title=Now value="">': 'Now',
  '<input type=image title=Now>': 'Now',
  '<fieldset><legend>Pay</legend>': 'Pay',
  '<table><caption>Prices</caption><tr><td>1</table>': 'Prices',
  '<table summary=Prices><tr><td>1</table>': 'Prices',
  '<table summary=All><caption>Prices</caption><tr><td>1</table>': 'Prices',
  '<label for=it hidden>Phone</label><input id=it>': '',
  '<label for=it aria-hidden=true>Phone</label><input id=it title=Number>': 'Number',
  '<label for=it style="visibility:hidden">Old</label><label for=it>Phone</label><input id=it>': 'Phone',
  '<label aria-hidden=true>Phone <input id=it></label>': 'Phone',
  '<div hidden><label for=it>Phone</label><input id=it></div>': 'Phone',
  '<b id=l hidden>Phone</b><input id=it aria-labelledby=l>': 'Phone',
  '<fieldset><legend hidden>Old</legend><legend>Pay</legend>': 'Pay',
  '<table id=it><caption style="display:none">Prices</caption><tr><td>1</table>': '',
  '<figure><figcaption hidden>Chart</figcaption>': '',
  '<svg id=it><title>Logo</title></svg>': 'Logo',
  '<button>Disk <meter value=.5></meter> full</button>': 'Disk .5 full',
  '<button>Step <progress value=3 max=9></progress></button>': 'Step 3',
  '<div id=it role=treeitem>Fruit<div role=group><div role=treeitem>Apple</div></div></div>': 'Fruit',
  '<label>PIN <input type=password value=1234> again <input id=it></label>': '',
  '<h2>Say <input type=password value=hunter2></h2>': 'Say [redacted]',
  '<textarea role=button name=secret>hunter2</textarea>': '',
  '<a href=/ title=Cart>\uE001</a>': 'Cart',
  '<a href=/ title=Cart>&nbsp;</a>': 'Cart',
  '<button aria-label="&nbsp;">Save</button>': '\u00a0',
  '<button aria-label=" ">Save</button>': 'Save',
  '<button>book<img alt="">mark</button>': 'bookmark',
  '<button>book<img alt=and>mark</button>': 'book and mark',
  '<button>book<img>mark</button>': 'book mark',
  '<button><i role=img title=Party>\ud83c\udf89</i> now</button>': 'Party now',
  '<button><i role=img>\ud83c\udf89</i> now</button>': '\ud83c\udf89 now',
  '<details id=d><summary>More</summary>Terms<p>apply</p></details><a id=it href=/ aria-labelledby=d></a>': 'More',
  '<details id=d open><summary>More</summary>Terms</details><a id=it href=/ aria-labelledby=d></a>': 'More Terms',
  '<div role=grid><div role=row id=it><b role=gridcell>Tea</b> <b role=gridcell>$3</b></div></div>': 'Tea $3',
  '<table role=treegrid><tr id=it><td>Tea<td>$3</table>': 'Tea $3',
  '<table><tr id=it><td>Tea<td>$3</table>': '',
  '<select><optgroup id=it label=Food><option>Tea</optgroup></select>': 'Food',
}

test('names come from the sources that HTML defines and never contain a secret', async () => {
  await using page = await openPage()
  const results = await call(page, (pages: string[]) => pages.map(html => answer('nameOf', html)), Object.keys(names))
  expect(Object.fromEntries(Object.keys(names).map((html, i) => [html, results[i]]))).toEqual(names)
})

const hostile = {
  'many children': `<h1 id=it>${'<b>x</b>'.repeat(100_000)}`,
  'many hidden children': `<h1 id=it>x${'<b style="visibility:hidden">x</b>'.repeat(10_000)}`,
  'long text': `<h1 id=it>${'x '.repeat(500_000)}`,
  'owners in a circle': '<h1 id=it aria-owns="a it">x<b id=a aria-owns="it a">y</b></h1>',
  'labels that name each other': '<input id=it aria-labelledby=a><p id=a aria-labelledby=it>x</p>',
  'long lists of ids': `<h1 id=it>${`<b aria-labelledby="${'n '.repeat(2_000)}">x</b>`.repeat(500)}`,
}

test('a name has at most 1,000 characters from at most 2,000 nodes, even on hostile pages', async () => {
  await using page = await openPage()
  for (const [kind, html] of Object.entries(hostile)) {
    const [name, questions] = await call(page, weigh, html)
    expect(name, kind).toMatch(/^x/)
    expect(name.length, kind).toBeLessThanOrEqual(1_000)
    expect(questions, kind).toBeLessThan(60_000)
  }
})

test('a heading 2,000 elements deep still has a name', async () => {
  await using page = await openPage()
  expect(await call(page, weighDeep, 2_000)).toEqual([expect.stringMatching(/^x{100,300}$/), expect.any(Number)])
})

const read = (file: string): Case[] => JSON.parse(readFileSync(join(corpus, file), 'utf8')).cases.filter((each: Case) => !each.tentative)

const collapse = (text: string) => text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '')

async function right(question: 'nameOf' | 'roleOf', cases: Case[], isRight: (each: Case, result: string) => boolean): Promise<number> {
  await using page = await openPage()
  const results = await call(page, eachInFrame, { question, pages: cases.map(each => each.html) })
  const wrong = cases.filter((each, i) => !isRight(each, results[i] ?? ''))
  const lines = wrong.map(
    each => `  ${each.testName}: got ${JSON.stringify(results[cases.indexOf(each)])}; ${known[each.testName] ?? 'UNKNOWN'}`,
  )
  const others = cases.some(({ suite }) => suite === 'accname-manual')
    ? ''
    : question === 'nameOf'
      ? ' (Playwright 296, Chromium 313)'
      : ' (Playwright 245, Chromium 292)'
  console.log([`${question.replace('Of', 's')} ${cases.length - wrong.length} of ${cases.length}${others}`, ...lines].join('\n'))
  expect(wrong.map(each => each.testName).filter(name => !(name in known))).toEqual([])
  return cases.length - wrong.length
}

// below: runs in the page

declare function weighed(node: Element | null): [name: string, questions: number]
declare function answer(question: 'nameOf' | 'roleOf', html: string): string
declare const source: string

async function eachInFrame({ question, pages }: { question: 'nameOf' | 'roleOf'; pages: string[] }): Promise<string[]> {
  const results: string[] = []
  for (const html of pages) {
    const frame = document.createElement('iframe')
    frame.srcdoc = html // parsed like a page, including styles and declarative shadow roots
    const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
    const inside = frame.contentWindow as unknown as typeof globalThis
    inside.eval(source)
    results.push(inside.eval(question)(inside.document.querySelector('[data-ax-case]')))
    frame.remove()
  }
  return results
}

function weigh(html: string): [string, number] {
  document.body.innerHTML = html
  return weighed(document.getElementById('it'))
}

function weighDeep(depth: number): [string, number] {
  const top = document.createElement('h1')
  for (let i = 0, at: Element = top; i < depth; i++, at = at.lastElementChild as Element) at.append('x', document.createElement('b'))
  document.body.replaceChildren(top)
  return weighed(top)
}

const answers = `globalThis.answer = (question, html) => {
  document.body.innerHTML = html
  return globalThis[question](document.getElementById('it') ?? document.body.querySelector('input:last-of-type, *'))
}`

let engine: Promise<string> | undefined // the bundle, shared by all tests of this file and never reset
const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/support/names-entry.ts')],
    bundle: true,
    format: 'iife',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

async function call<A, R>(page: TestPage, run: (argument: A) => R, argument: A): Promise<Awaited<R>> {
  engine ??= bundle()
  const text = await engine
  const expression = `${text};${answers};globalThis.source = ${JSON.stringify(text)};(${run})(${JSON.stringify(argument)})`
  const { result, exceptionDetails } = await page.tab.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}
