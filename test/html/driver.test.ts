import { expect, test } from 'vitest'
import type { AnyRun } from '../../src/contract/run.ts'
import { htmlDriver } from '../../src/html.ts'

test('htmlDriver supports snapshot and query, and rejects actions', async () => {
  const run: AnyRun = htmlDriver('<a href="/x">Link</a>')
  expect(await run({ name: 'snapshot' })).toMatchObject({
    ok: true,
    data: { type: 'snapshot', tree: { children: [{ ref: 'e1', role: 'link', name: 'Link' }] }, refs: { e1: { attrs: { href: '/x' } } } },
  })
  expect(await run({ name: 'query', ref: 'e1', kind: 'text' })).toMatchObject({ ok: true, data: { value: 'Link' } })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(await run({ name: 'toString' })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(await run({ name: 'query', ref: 'e9', kind: 'text' })).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
  expect(await run({ name: 'snapshot' }, { aborted: true })).toMatchObject({ ok: false, error: { code: 'aborted' } })
})
