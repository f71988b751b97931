import { expect, test } from 'vitest'
import { ok } from '../../src/contract/run.ts'
import { agentTools } from '../../src/tools.ts'
import { page, type Sketch } from '../render/page.ts'

const many: Sketch[] = Array.from({ length: 200 }, (_, n) => ({
  tag: 'button',
  role: 'button',
  name: `Button ${n}`,
  ref: `e${n}`,
  interactive: true,
}))

test.each(['browser-observe', 'browser-extract'])(
  '%s tells the notes that came with the snapshot it took, within its budget',
  async tool => {
    const notes = ['Tab t2 opened at "https://shop.example/"; select it to use it.', 'A download was refused.']
    const tools = agentTools(async () => ok({ ...page(many), notes }))
    const { data } = await tools.execute(tool, { [tool === 'browser-observe' ? 'task' : 'query']: 'button', maxChars: 600 })
    for (const note of ['note: Tab t2 opened', 'note: A download was refused.']) expect(data?.text).toContain(note)
    expect(data?.text.length).toBeLessThanOrEqual(600)
  },
)
