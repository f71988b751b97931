import { expect, test } from 'vitest'
import { effectIn } from '../../apps/studio/server/chats/agent-run.ts'

test('a step shows in one line what changed, the title of the page that was opened, or the first line of its answer', () => {
  const fence = (lines: string) => `<page x url="http://a.example/" title="Todos" status=200>\n${lines}\n</page x>`
  expect(effectIn(`ok: open\n${fence('- button "Add" [ref=e1]')}`)).toBe('Todos')
  expect(effectIn(`ok: click e2\n${fence('effect: page changed (2 added)\nnew text: "milk"')}`)).toBe(
    'page changed (2 added); new text: "milk"',
  )
  expect(effectIn('ok: wait, met after 19 ms')).toBe('wait, met after 19 ms')
  expect(effectIn('[observe] url="http://a.example/" title="Todos"\n- button "Add" [ref=e1]')).toBe('- button "Add" [ref=e1]')
  expect(effectIn(fence('- heading "Todos"'))).toBe('- heading "Todos"')
})
