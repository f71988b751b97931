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

const judged = async (html: string, name: 'press' | 'type', args: object) => {
  const page = await openCdpPage(`${html}<script>sent=[]</script>`)
  const ref = await page.ref('First')
  await page.do('inspect', { ref, guard: true })
  return { page, act: { ref, ...args }, name }
}

/** A command on the field First that moves the focus to another control, which the keys would operate. */
const movedFocus: readonly [string, string, 'press' | 'type', object][] = [
  [
    'Enter whose keydown focuses a button',
    '<textarea aria-label=First onkeydown="if(event.key==`Enter`)pay.focus()"></textarea><button id=pay onclick="sent.push(1)">Transfer</button>',
    'press',
    { key: 'Enter' },
  ],
  [
    'the same with a submit button of another form',
    '<textarea aria-label=First onkeydown="if(event.key==`Enter`)pay.focus()"></textarea><form onsubmit="sent.push(1);return false"><button id=pay>Transfer</button></form>',
    'type',
    { text: 'a\n' },
  ],
  [
    'a space after a field that is full',
    '<input aria-label=First maxlength=1 oninput="pay.focus()"><button id=pay onclick="sent.push(1)">Pay</button>',
    'type',
    { text: '1 ' },
  ],
  [
    'a letter after a field that is full, which chooses in a list',
    '<input aria-label=First maxlength=1 oninput="choice.focus()"><select id=choice onchange="sent.push(1)"><option>Keep<option>Delete</select>',
    'type',
    { text: '1De' },
  ],
  [
    'a letter that goes to a password',
    '<input aria-label=First maxlength=1 oninput="secret.focus()"><input id=secret type=password oninput="sent.push(1)">',
    'type',
    { text: '1a' },
  ],
  [
    'Enter after a field that is full, in a form',
    '<input aria-label=First maxlength=1 oninput="next.focus()"><form onsubmit="sent.push(1);return false"><input id=next><button>Pay</button></form>',
    'type',
    { text: '1\n' },
  ],
  [
    'a shortcut of the page after a field that is full',
    '<body onkeydown="if(event.key==`#`)sent.push(1)"><input aria-label=First maxlength=1 oninput="this.blur()">',
    'type',
    { text: '1#' },
  ],
  [
    'a key in a frame',
    '<input aria-label=First maxlength=1 oninput="frame.focus()"><iframe id=frame srcdoc="<body tabindex=0 autofocus onkeydown=parent.sent.push(1)>"></iframe>',
    'type',
    { text: '1 ' },
  ],
  [
    'a key in a frame of another origin',
    `<input aria-label=First maxlength=1 oninput="frame.focus()"><iframe id=frame sandbox=allow-scripts srcdoc="<body tabindex=0 onkeydown=parent.postMessage(1,'*')>"></iframe><script>onmessage=()=>sent.push(1)</script>`,
    'type',
    { text: '1 ' },
  ],
]

test.each(movedFocus)('keys of a judged command do not operate another control: %s (TRUST G2)', async (_, html, name, args) => {
  const { page, act } = await judged(html, name, args)
  await using _page = page
  expect(await page.fails(name, act)).toMatchObject({
    code: 'approval_stale',
    message: expect.stringContaining('The focus moved to another'),
  })
  expect(await page.evaluate('sent')).toEqual([])
})

test('a key that the focused element was judged for is stopped if the focus has moved since (TRUST G2)', async () => {
  const html = '<button aria-label=First>Menu</button><button id=pay onclick="sent.push(1)">Pay</button><script>sent=[]</script>'
  await using page = await openCdpPage(html)
  await page.do('focus', { ref: await page.ref('First') })
  await page.do('inspect', { guard: true })
  await page.evaluate('pay.focus()')
  expect(await page.fails('press', { key: 'Enter' })).toMatchObject({ code: 'approval_stale' })
  expect(await page.evaluate('sent')).toEqual([])
  await page.do('inspect', { guard: true })
  await page.do('press', { key: 'Enter' })
  expect(await page.evaluate('sent')).toEqual([1])
})

test('keys of a session in which nothing was judged go to whatever has the focus', async () => {
  await using page = await openCdpPage(`${movedFocus[2]?.[1]}<script>sent=[]</script>`)
  await page.do('type', { ref: await page.ref('First'), text: '1 ' })
  expect(await page.evaluate('sent')).toEqual([1])
})

/** A command on the element First that a judgment does not hinder, and what it leaves. */
const unhindered: readonly [string, string, 'press' | 'type' | 'fill', object, string, unknown][] = [
  [
    'fields for the digits of a code',
    `<input maxlength=1 aria-label=First oninput="this.nextElementSibling?.focus?.()">${'<input maxlength=1 oninput="this.nextElementSibling?.focus?.()">'.repeat(3)}`,
    'type',
    { text: '1234' },
    '[...document.querySelectorAll("input")].map(each=>each.value).join("")==="1234"',
    true,
  ],
  [
    'the last digit takes the focus off the fields',
    '<input maxlength=4 aria-label=First oninput="if(value.length===4){this.blur();sent.push(value)}">',
    'type',
    { text: '1234' },
    'sent',
    ['1234'],
  ],
  [
    'an arrow key in a list whose options get the focus',
    '<div role=listbox aria-label=First tabindex=0 onkeydown="list.focus()"><div id=list role=option tabindex=-1 onkeyup="sent.push(event.key)">A</div></div>',
    'press',
    { key: 'ArrowDown' },
    'sent',
    ['ArrowDown'],
  ],
  ['Tab', '<input aria-label=First><input onfocus="sent.push(1)">', 'press', { key: 'Tab' }, 'sent', [1]],
  [
    'Enter in a field with a form',
    '<form onsubmit="sent.push(q.value);return false"><input name=q aria-label=First><button>Go</button></form>',
    'type',
    { text: 'tea\n' },
    'sent',
    ['tea'],
  ],
  [
    'Enter that commits a name and removes its field',
    '<div><input aria-label=First onkeydown="if(event.key==`Enter`){sent.push(value);this.remove()}"></div>',
    'type',
    { text: 'tea\n' },
    'sent',
    ['tea'],
  ],
  [
    'Space on a checkbox in a label',
    '<label><input type=checkbox onclick="sent.push(checked)">First</label>',
    'press',
    { key: 'Space' },
    'sent',
    [true],
  ],
  [
    'Enter on a button that opens a dialog',
    '<button onclick="box.showModal();sent.push(1)">First</button><dialog id=box><button>Yes</button></dialog>',
    'press',
    { key: 'Enter' },
    'sent',
    [1],
  ],
  [
    'several lines that are filled in',
    '<textarea aria-label=First></textarea>',
    'fill',
    { value: 'a\nb' },
    'document.querySelector("textarea").value',
    'a\nb',
  ],
  [
    'an editor that is filled in',
    '<div contenteditable role=textbox aria-label=First><p>old</p></div>',
    'fill',
    { value: 'new' },
    'document.querySelector("[role=textbox]").textContent',
    'new',
  ],
]

test.each(unhindered)('a judged command presses its keys: %s', async (_, html, name, args, read, expected) => {
  await using page = await openCdpPage(`<script>sent=[]</script>${html}`)
  const ref = await page.ref('First')
  await page.do('inspect', { ref, guard: true })
  await page.do(name, { ref, ...args })
  expect(await page.evaluate(read)).toEqual(expected)
})
