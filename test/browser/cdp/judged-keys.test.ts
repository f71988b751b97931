import { expect, test } from 'vitest'
import { explain } from '../../../src/tools.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

/** A list that draws its options only when it is opened; the options say what they do, and their values do not. */
const drawnList = `<button role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=list aria-label=Action>Keep</button>
<div id=list role=listbox hidden></div><script>
got=[]
const [button]=document.getElementsByTagName('button')
button.onclick=()=>{
  button.ariaExpanded='true'
  list.hidden=false
  list.innerHTML='<div role=option data-value=keep>Keep</div><div role=option label=rm data-value=rm>Delete permanently</div>'
  for(const option of list.children)option.onclick=()=>{got.push(option.textContent);button.textContent=option.textContent;list.hidden=true;button.ariaExpanded='false'}
}</script>`

test('an option of a judged list is not pressed by a value whose text was not judged (TRUST G2)', async () => {
  await using page = await openCdpPage(drawnList)
  const ref = await page.ref('Action')
  await page.do('inspect', { ref, values: ['rm'], guard: true })
  const failure = await page.fails('select', { ref, values: ['rm'] })
  expect(failure).toMatchObject({ code: 'approval_stale', message: expect.stringContaining('choose the option by its text') })
  expect(await page.evaluate('got')).toEqual([])
  // the list is open now, so that its options can be judged
  const { chosen } = await page.do('inspect', { ref, values: ['rm'], guard: true })
  expect(chosen).toEqual(['Delete permanently'])
  await page.do('select', { ref, values: ['rm'] })
  expect(await page.evaluate('got')).toEqual(['Delete permanently'])
})

test('an option of a judged list is pressed by its text at the first try, and by its value without a judgment', async () => {
  for (const [value, guard] of [
    ['Delete permanently', true],
    ['rm', false],
  ] as const) {
    await using page = await openCdpPage(drawnList)
    const ref = await page.ref('Action')
    await page.do('inspect', { ref, values: [value], ...(guard && { guard }) })
    await page.do('select', { ref, values: [value] })
    expect(await page.evaluate('got')).toEqual(['Delete permanently'])
  }
})

test('Enter in a text area, an editor and a field without a form may send what was typed; filling several lines does not (TRUST G2)', async () => {
  const boxes = [
    '<textarea aria-label=Box></textarea>',
    '<div contenteditable role=textbox aria-label=Box></div>',
    '<input aria-label=Box>',
  ]
  for (const box of boxes) {
    await using page = await openCdpPage(box)
    const ref = await page.ref('Box')
    const judge = async (name: string, args: object) => (await explain(page.session.run, { name, ref, ...args })).classes.join(' ')
    expect(await judge('press', { key: 'Enter' })).toBe('submit')
    expect(await judge('type', { text: 'a\n' })).toBe('write submit')
    expect(await judge('fill', { value: 'a\nb' })).toBe('write')
  }
})
