import { expect, test } from 'vitest'
import { modifierBits } from '../../../src/drivers/cdp/input/mouse.ts'
import type { PageTarget } from '../../../src/drivers/cdp/page/target.ts'
import { openCdpPage } from '../../support/cdp-page.ts'
import { openPage } from '../../support/open-page.ts'
import { openTestSession } from '../../support/test-session.ts'

const fields =
  '<input aria-label=From value="two words"><input aria-label=To id=to><div contenteditable role=textbox aria-label=Editor>rich <b>text</b></div>'

/** A person at the same browser: a tab of its own, with the clipboard of the system. */
async function openUser() {
  const page = await openPage({ html: '<!doctype html><input id=field>' })
  const press = async (tab: PageTarget, command: string) => {
    const key = { key: 'F13', code: 'F13', windowsVirtualKeyCode: 124 }
    await tab.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands: [command] })
    await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  }
  return {
    copy: async (text: string) => {
      await page.evaluate(`field.value = ${JSON.stringify(text)}; field.focus(); field.select()`)
      await press(page.tab, 'copy')
    },
    paste: async () => {
      await page.evaluate(`field.value = ''; field.focus()`)
      await press(page.tab, 'paste')
      return page.evaluate<string>('field.value')
    },
    [Symbol.asyncDispose]: () => page.close(),
  }
}

test.each([
  ['Control+c', 'Control+v'],
  ['Control+Insert', 'Shift+Insert'],
  ['Meta+c', 'Meta+v'],
  ['Control+c', 'Control+Shift+v'],
])('%s and %s copy and paste inside the session, and leave the clipboard of the user alone', async (copy, paste) => {
  await using user = await openUser()
  await user.copy('word of the user')
  await using page = await openCdpPage(fields)
  await page.do('fill', { ref: await page.ref('From'), value: 'words of the session' })
  await page.do('press', { ref: await page.ref('From'), key: 'Control+a' })
  await page.do('press', { key: copy })
  const { effect } = await page.do('press', { ref: await page.ref('To'), key: paste })
  expect(effect).toMatchObject({ value: 'words of the session' })
  await page.do('press', { ref: await page.ref('Editor'), key: 'Control+a' })
  await page.do('press', { key: paste })
  expect(await page.text()).toMatch(/textbox "Editor".*words of the session/)
  expect(await user.paste()).toBe('word of the user')
})

test.each(['Control+x', 'Shift+Delete'])('%s cuts the selection into the clipboard of the session', async cut => {
  await using user = await openUser()
  await user.copy('word of the user')
  await using page = await openCdpPage(fields)
  await page.do('press', { ref: await page.ref('From'), key: 'Control+a' })
  await page.do('press', { key: cut })
  expect(await page.text()).toMatch(/textbox "From"(?!.*two words)/)
  await page.do('press', { ref: await page.ref('To'), key: 'Control+v' })
  expect(await page.evaluate('to.value')).toBe('two words')
  expect(await user.paste()).toBe('word of the user')
})

test.each(['Control+v', 'Control+Shift+v', 'Shift+Insert', 'Meta+v', 'Control+Alt+v'])(
  '%s pastes nothing that was not copied in the session, and says so',
  async key => {
    await using user = await openUser()
    await user.copy('word of the user')
    await using page = await openCdpPage(
      `${fields}<script>addEventListener('paste', event => (document.title = 'got ' + event.clipboardData.getData('text/plain')), true)</script>`,
    )
    const { effect, notes = [] } = await page.do('press', { ref: await page.ref('To'), key })
    expect(JSON.stringify(effect)).not.toContain('word of the user')
    expect(await page.evaluate('to.value')).toBe('')
    expect(await page.evaluate('document.title')).not.toContain('word')
    if (key !== 'Control+Alt+v') expect(notes.join()).toContain('its clipboard is empty')
  },
)

test('a page sees the keys and the clipboard events, may handle them itself, and may cancel the key', async () => {
  await using page = await openCdpPage(
    `${fields}<input aria-label=Own id=own><input aria-label=Canceled id=canceled><pre id=log></pre><script>
      for (const type of ['keydown', 'copy', 'paste'])
        addEventListener(type, event => (log.textContent += (event.key ?? event.type + ':' + event.clipboardData.getData('text/plain')) + ' '))
      own.addEventListener('copy', event => { event.clipboardData.setData('text/plain', 'from the page'); event.preventDefault() })
      own.addEventListener('paste', event => { own.value = event.clipboardData.getData('text/plain').toUpperCase(); event.preventDefault() })
      canceled.addEventListener('keydown', event => event.preventDefault())
    </script>`,
  )
  await page.do('press', { ref: await page.ref('Own'), key: 'Control+c' })
  await page.do('press', { ref: await page.ref('To'), key: 'Control+v' })
  expect(await page.evaluate('to.value')).toBe('from the page')
  await page.do('press', { ref: await page.ref('Own'), key: 'Control+v' })
  expect(await page.evaluate('own.value')).toBe('FROM THE PAGE')
  await page.do('press', { ref: await page.ref('Canceled'), key: 'Control+v' })
  expect(await page.evaluate('canceled.value')).toBe('')
  expect(await page.evaluate<string>('log.textContent')).toBe(
    'Control c copy:from the page Control v paste:from the page Control v paste:from the page Control v ',
  )
})

test('a button of the page that copies writes into the clipboard of the session only', async () => {
  await using user = await openUser()
  await user.copy('word of the user')
  await using page = await openCdpPage(
    `${fields}<button onclick="to.value = 'link to share'; to.select(); document.execCommand('copy'); to.value = ''">Copy link</button>
    <button onclick="setTimeout(() => { to.value = 'late link'; to.select(); document.execCommand('copy'); to.value = '' }, 100)">Copy later</button>
    <script>addEventListener('copy', event => document.title = 'heard', true)</script>`,
  )
  for (const [button, text] of [
    ['Copy link', 'link to share'],
    ['Copy later', 'late link'],
  ] as const) {
    await page.do('click', { ref: await page.ref(button) })
    expect(await page.evaluate('document.title')).toBe('heard')
    await page.do('press', { ref: await page.ref('To'), key: 'Control+v' })
    expect(await page.evaluate('to.value')).toBe(text)
    await page.do('fill', { ref: await page.ref('To'), value: '' })
  }
  expect(await user.paste()).toBe('word of the user')
})

test('a press of the middle button pastes nothing', async () => {
  await using user = await openUser()
  await user.copy('word of the user')
  await using page = await openCdpPage(fields)
  await page.do('click', { ref: await page.ref('To'), button: 'middle' })
  expect(await page.evaluate('to.value')).toBe('')
})

test('the clipboard works in frames of another origin', async () => {
  await using page = await openTestSession({
    html: `<!doctype html><input aria-label=To><iframe></iframe><script>
      document.querySelector('iframe').src = location.href.replace('127.0.0.1', 'localhost') + 'inner.html'</script>`,
    files: { 'inner.html': '<!doctype html><input aria-label=Inner value="of the frame">' },
  })
  await page.do('wait', { text: 'Inner' }).catch(() => {})
  const inner = await page.ref('Inner')
  await page.do('press', { ref: inner, key: 'Control+a' })
  await page.do('press', { key: 'Control+c' })
  expect((await page.do('press', { ref: await page.ref('To'), key: 'Control+v' })).effect).toMatchObject({ value: 'of the frame' })
  await page.do('fill', { ref: await page.ref('To'), value: 'of the page' })
  await page.do('press', { ref: await page.ref('To'), key: 'Control+a' })
  await page.do('press', { key: 'Control+c' })
  await page.do('press', { ref: inner, key: 'Control+a' })
  await page.do('press', { key: 'Control+v' })
  expect(await page.text()).toMatch(/textbox "Inner".*of the page/)
})

test.each([
  ['<input aria-label=Field type=text name=verification_code>', 'Control+Insert'],
  ['<input aria-label=Field autocomplete=one-time-code>', 'Shift+Delete'],
  ['<input aria-label=Field type=password>', 'Control+c'],
  ['<textarea aria-label=Field name=password></textarea>', 'Control+x'],
  ['<div contenteditable role=textbox aria-label="Field, verification code" style="height:20px"></div>', 'Control+c'],
])('a secret is not copied: %s with %s', async (field, key) => {
  await using page = await openCdpPage(`${field}<input aria-label=To id=to>`)
  await page.do('fill', { ref: await page.ref('To'), value: 'before' })
  await page.do('press', { ref: await page.ref('To'), key: 'Control+a' })
  await page.do('press', { key: 'Control+x' })
  const ref = (await page.nodes()).find(({ name }) => name?.startsWith('Field'))?.ref as string
  await page.do('fill', { ref, value: 'Zq7-Tiger-9Fx!' })
  await page.do('press', { ref, key: 'Control+a' })
  const { notes = [] } = await page.do('press', { key })
  expect(notes.join()).toContain('contains a secret, so it was not copied')
  await page.do('press', { ref: await page.ref('To'), key: 'Shift+Insert' })
  expect(await page.evaluate('to.value')).toBe('')
})

test('a secret that the page shows as text is not copied either, and neither is its half', async () => {
  await using page = await openCdpPage(
    '<input aria-label=Password type=password><input aria-label=Shown id=shown><input aria-label=To id=to>',
  )
  await page.do('fill', { ref: await page.ref('Password'), value: 'Zq7-Tiger-9Fx!-Lemon' })
  for (const text of ['is Zq7-Tiger-9Fx!-Lemon here', 'Zq7_Tiger', 'nomeL-!xF9-regiT-7qZ']) {
    await page.evaluate(`shown.value = ${JSON.stringify(text)}`)
    await page.do('press', { ref: await page.ref('Shown'), key: 'Control+a' })
    await page.do('press', { key: 'Control+c' })
    await page.do('press', { ref: await page.ref('To'), key: 'Control+v' })
    expect(await page.evaluate('to.value')).toBe('')
  }
})

test('two sessions in one browser have separate clipboards', async () => {
  await using one = await openCdpPage(fields)
  await using other = await openCdpPage(fields)
  await one.do('press', { ref: await one.ref('From'), key: 'Control+a' })
  await one.do('press', { key: 'Control+c' })
  await other.do('press', { ref: await other.ref('To'), key: 'Control+v' })
  expect(await other.evaluate('to.value')).toBe('')
})

test('a person in the live view has the clipboard of the session too', async () => {
  await using user = await openUser()
  await user.copy('word of the user')
  await using page = await openCdpPage(fields)
  const live = page.session.live()
  const press = async (key: string, code: string, ...modifiers: string[]) => {
    for (const kind of ['down', 'up'] as const) await live.key({ kind, key, code, modifiers: modifierBits(modifiers) })
  }
  await page.do('press', { ref: await page.ref('From'), key: 'Control+a' })
  await press('c', 'KeyC', 'Control')
  await page.do('focus', { ref: await page.ref('To') })
  await press('Insert', 'Insert', 'Shift')
  expect(await page.evaluate('to.value')).toBe('two words')
  expect(await user.paste()).toBe('word of the user')
})

test.each(['4111111111111111', '11010519491231002X'])('a selection with the secret %s is not dragged into another field', async secret => {
  const target = '<textarea aria-label=Comment style="display:block;width:200px;height:60px"></textarea>'
  await using page = await openCdpPage(
    `<input aria-label="Card number" value="${secret}"><input aria-label=Name value="two words">${target}`,
  )
  const card = await page.ref('Card number')
  await page.do('press', { ref: card, key: 'Control+a' })
  expect(await page.fails('drag', { ref: card, to: await page.ref('Comment') })).toMatchObject({ code: 'secret_not_allowed' })
  expect(await page.text()).toMatch(/textbox "Comment"(?!.*value)/)
  const name = await page.ref('Name')
  await page.do('press', { ref: name, key: 'Control+a' })
  await page.do('drag', { ref: name, to: await page.ref('Comment') })
  expect(await page.text()).toMatch(/textbox "Comment".*two words/)
})
