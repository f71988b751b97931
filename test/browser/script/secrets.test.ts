import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

test('secrets are redacted in every answer (A4)', async () => {
  await using page = await openScriptPage(
    '<input id=p type=password aria-label=P><input id=o autocomplete=one-time-code aria-label=O><input id=q aria-label=Q>',
  )
  const secret = 'hunter2secret'
  const { refs } = await page.snapshot()
  const answers: unknown[] = []
  for (const ref of Object.keys(refs).slice(0, 2)) {
    answers.push(await page.act(ref, 'fill', { value: secret }), await page.act(ref, 'type', { text: 'x' }))
    answers.push(
      await page.call('settled'),
      await page.query(ref, 'value'),
      await page.query(ref, 'outerHTML'),
      await page.query(ref, 'attrs'),
    )
  }
  await page.evaluate(`p.setAttribute('value', '${secret}'), p.type = 'text', 1`)
  for (const ref of Object.keys(refs))
    answers.push(await page.query(ref, 'value'), await page.query(ref, 'outerHTML'), await page.query(ref, 'attrs'))
  answers.push(await page.rawSnapshot())
  expect(JSON.stringify(answers)).not.toContain(secret)
  expect(JSON.stringify(answers)).toContain('[redacted]')
})

test('a secret does not appear in error messages, in changed text or in text queries (A4)', async () => {
  await using page = await openScriptPage(
    `<input type=password aria-label=P><div id=h role=group aria-label=G></div>
     <button onclick="h.innerHTML = '<textarea name=secret aria-label=S>' + 'hunter' + '2</textarea>'">Show</button>`,
  )
  const { refs } = await page.snapshot()
  const password = Object.keys(refs)[0] as string
  const filled = await page.act(password, 'fill', { value: 'hunter2\n' })
  expect(filled).toMatchObject({ ok: false, error: { code: 'not_committed' } })
  const clicked = await page.act(await page.ref('button'), 'click')
  const answers: unknown[] = [filled, clicked]
  for (const ref of Object.keys((await page.snapshot({ interactiveOnly: false })).refs)) answers.push(await page.query(ref, 'text'))
  expect(JSON.stringify(answers)).not.toContain('hunter2')
  expect(JSON.stringify(answers)).toContain('[redacted]')
})

test('the markup of a form has its secrets redacted, even after a show-password toggle (A4)', async () => {
  await using page = await openScriptPage(
    '<form aria-label=F><input type=password value=s3cret-one><input type=hidden name=csrf value=s3cret-two><textarea name=secret>s3cret-three</textarea><input value=open></form>',
  )
  await page.snapshot()
  await page.evaluate(`document.querySelector('[type=password]').type = 'text', 1`)
  const { refs } = await page.snapshot({ interactiveOnly: false })
  const form = Object.values(refs).find(each => each.role === 'form')?.ref ?? ''
  const { value } = (await page.query(form, 'outerHTML')) as { value: string }
  expect(value).not.toContain('s3cret')
  expect(value).toContain('value="open"')
  expect(value.match(/\[redacted\]/g)).toHaveLength(3)
})

test('markup omits the raw text of noscript and iframe because it may contain secrets (A4)', async () => {
  await using page = await openScriptPage(
    '<form aria-label=F><noscript><input type=password value=hunter2></noscript><iframe title=T>hunter3</iframe><button>Go</button></form>',
  )
  const html = await page.query(await page.ref('form'), 'outerHTML')
  expect(JSON.stringify(html)).toMatch(/<noscript><\/noscript><iframe title=.*><\/iframe>/)
  expect(JSON.stringify(html)).not.toContain('hunter')
})
