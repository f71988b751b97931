import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { webTools } from '../../../src/tools.ts'
import { openSite } from '../../support/site.ts'

const site = await openSite()
const style = '<style>body{margin:0;font:16px/20px sans-serif}table{border-spacing:0}td{height:20px;padding:0}</style>'
const cities = ['Oslo | 700000', 'Bergen | 290000', 'Tromso | 78000']
const table = `<table>${cities.map(row => `<tr><td>${row.replace(' | ', '<td>')}</tr>`).join('')}</table>`
const bar = '<div style="position:fixed;inset:auto 0 0;height:80px;background:#fff"><button>Accept</button></div>'
const { url: home } = site.add({
  '': `<!doctype html><title>Cities</title>${style}<h1>Cities</h1><div style="height:2000px"></div>${table}${bar}`,
})
const { url: menu } = site.add({
  '': `<!doctype html><title>Menu</title>${style}<button onclick="m.hidden = !m.hidden">Menu</button>
    <div id=m hidden style="position:absolute;top:20px;left:0;width:300px;height:200px;background:#fff"></div>
    <ul>${['Tea', 'Milk', 'Rice'].map(name => `<li><span>${name}</span></li>`).join('')}</ul><p>Other words</p>`,
})

test.each([
  [true, 3],
  [false, 6],
])('rows that a bar covers after scrolling are counted and not reported as removed, interactive_only=%s', async (only, count) => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  await call('web_open', { url: home })
  expect(await call('web_snapshot', { interactive_only: only })).toContain('Oslo')
  const down = await call('web_scroll', { direction: 'down', amount: 5_000 })
  expect(down).toContain(`… ${count} texts now covered`)
  expect(down).not.toContain('Oslo')
  const covered = await call('web_snapshot', { interactive_only: only })
  expect(covered).toContain(`… ${count} covered by something else`)
  expect(covered.split('\n').slice(0, 3).join()).not.toContain('complete')
  expect(covered).not.toContain('Oslo')
  const up = await call('web_scroll', { direction: 'up', amount: 5_000 })
  expect(up).toContain(`… ${count} texts no longer covered`)
  expect(up).not.toContain('Oslo')
})

test('items that a menu covers have not vanished, and what it does not cover is not mentioned', async () => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  await call('web_open', { url: menu })
  const ref = /button "Menu".*?\[ref=(\w+)\]/.exec(await call('web_snapshot'))?.[1]
  const opened = await call('web_click', { ref })
  expect(opened).toContain('… 4 texts now covered')
  expect(opened).not.toMatch(/^gone: /m)
  const closed = await call('web_click', { ref })
  expect(closed).toContain('… 4 texts no longer covered')
  expect(closed).not.toMatch(/^\+ /m)
})
