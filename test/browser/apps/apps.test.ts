import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { AgentBrowser } from '../../../src/index.ts'
import { openPage } from '../../support/open-page.ts'
import { type ScriptActions, scriptActions } from '../../support/script-actions.ts'

// One todo list per framework, written as its users write it: test/fixtures/apps.
const folder = fileURLToPath(new URL('../../fixtures/apps/', import.meta.url))
const css = readFileSync(`${folder}app.css`, 'utf8')
const frameworks = ['plain', 'react', 'preact', 'vue', 'lit']

interface State {
  readonly items: readonly { readonly text: string; readonly done: boolean }[]
  readonly filter: string
  readonly upper: string
  readonly letters: string
  readonly note: string
  readonly sent: readonly string[]
}

interface Todo extends ScriptActions, AsyncDisposable {
  /** the state of the app itself */
  state(): Promise<State>
  items(): Promise<string[]>
  add(text: string): Promise<void>
}

describe.each(frameworks)('%s', framework => {
  const script = bundle(framework)
  const open = async (): Promise<Todo> => {
    const page = await openPage({
      html: `<!doctype html><title>${framework}</title><link rel=stylesheet href=app.css><div id=app></div><script src=app.js></script>`,
      files: { 'app.js': await script, 'app.css': css },
      atDocumentStart: AgentBrowser.getScript(),
    })
    const actions = scriptActions(expression => page.evaluate<string>(expression))
    const state = async () => JSON.parse(await page.evaluate<string>('JSON.stringify(window.state)')) as State
    return {
      ...actions,
      state,
      items: async () => (await state()).items.map(({ text, done }) => (done ? `[x] ${text}` : text)),
      add: async text => {
        await actions.act('textbox "New todo"', 'fill', { value: text })
        await actions.act('textbox "New todo"', 'press', { key: 'Enter' })
      },
      [Symbol.asyncDispose]: () => page.close(),
    }
  }

  test('fill alone adds no item, and Enter then adds exactly one (S0-46 S0-89 S0-93 C22)', async () => {
    await using todo = await open()
    const filled = await todo.act('textbox "New todo"', 'fill', { value: 'Buy bread' })
    expect(filled).toMatchObject({ ok: true, effect: { value: 'Buy bread' } })
    expect(await todo.items()).toEqual([])
    expect(await todo.act('textbox "New todo"', 'press', { key: 'Enter' })).toMatchObject({ ok: true })
    expect(await todo.items()).toEqual(['Buy bread'])
    await todo.add('Buy milk')
    expect(await todo.items()).toEqual(['Buy bread', 'Buy milk'])
    await todo.ref('checkbox "Done" 2')
  })

  test('type enters text completely, one code point at a time (S0-93 X0-25)', async () => {
    await using todo = await open()
    const typed = await todo.act('textbox "New todo"', 'type', { text: 'Tea 🍵 für zwei' })
    expect(typed).toMatchObject({ ok: true, effect: { value: 'Tea 🍵 für zwei' } })
    await todo.act('textbox "New todo"', 'press', { key: 'Enter' })
    expect(await todo.items()).toEqual(['Tea 🍵 für zwei'])
  })

  test('check and uncheck work on a transparent checkbox over a custom one (X0-14)', async () => {
    await using todo = await open()
    await todo.add('Buy bread')
    // a framework that renders the list anew replaces the checkbox, and the answer reports that
    expect(await todo.act('checkbox "Done"', 'check')).toMatchObject({
      ok: true,
      effect: framework === 'plain' ? { gone: true } : { checked: true },
    })
    expect(await todo.items()).toEqual(['[x] Buy bread'])
    expect(await todo.act('checkbox "Done"', 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await todo.items()).toEqual(['[x] Buy bread'])
    expect(await todo.act('checkbox "Done"', 'uncheck')).toMatchObject({ ok: true, settle: { committed: true } })
    expect(await todo.items()).toEqual(['Buy bread'])
  })

  test('select chooses an option by value or text, and the list follows (S0-94)', async () => {
    await using todo = await open()
    await todo.add('Buy bread')
    await todo.act('checkbox "Done"', 'check')
    expect(await todo.act('combobox "Show"', 'select', { values: ['Active'] })).toMatchObject({
      ok: true,
      effect: { selected: ['Active'] },
    })
    expect((await todo.state()).filter).toBe('active')
    await expect(todo.ref('checkbox "Done"')).rejects.toThrow('0 elements')
    expect(await todo.act('combobox "Show"', 'select', { values: ['completed'] })).toMatchObject({ ok: true })
    expect((await todo.state()).filter).toBe('completed')
    await todo.ref('checkbox "Done"')
  })

  test('select refuses a missing option and changes nothing (X0-12)', async () => {
    await using todo = await open()
    const answer = await todo.act('combobox "Show"', 'select', { values: ['Nonsense'] })
    expect(answer).toMatchObject({ ok: false, error: { code: 'option_not_found' } })
    expect((await todo.state()).filter).toBe('all')
  })

  test('dblclick opens the editor, and Enter saves the text (S0-106 X2-3)', async () => {
    await using todo = await open()
    await todo.add('Buy bread')
    expect(await todo.act('generic "Buy bread"', 'dblclick')).toMatchObject({ ok: true })
    await todo.act('textbox "Edit todo"', 'fill', { value: 'Bake bread' })
    expect(await todo.items()).toEqual(['Buy bread'])
    await todo.act('textbox "Edit todo"', 'press', { key: 'Enter' })
    expect(await todo.items()).toEqual(['Bake bread'])
  })

  test('blur saves the text of the editor, and Escape discards it (S0-106)', async () => {
    await using todo = await open()
    await todo.add('Buy bread')
    await todo.act('generic "Buy bread"', 'dblclick')
    await todo.act('textbox "Edit todo"', 'fill', { value: 'Bake bread' })
    await todo.act('textbox "Edit todo"', 'blur')
    expect(await todo.items()).toEqual(['Bake bread'])
    await todo.act('generic "Bake bread"', 'dblclick')
    await todo.act('textbox "Edit todo"', 'fill', { value: 'Burn bread' })
    await todo.act('textbox "Edit todo"', 'press', { key: 'Escape' })
    expect(await todo.items()).toEqual(['Bake bread'])
  })

  test('hover shows the delete button, and a click on it deletes the item (S0-45 S0-92)', async () => {
    await using todo = await open()
    await todo.add('Buy bread')
    await todo.add('Buy milk')
    await expect(todo.ref('button "Delete"')).rejects.toThrow('0 elements')
    expect(await todo.act('generic "Buy milk"', 'hover')).toMatchObject({ ok: true })
    expect(await todo.act('button "Delete"', 'click')).toMatchObject({ ok: true })
    expect(await todo.items()).toEqual(['Buy bread'])
  })

  test('fill reports the value as the field formats it, not the requested one (S0-93)', async () => {
    await using todo = await open()
    const answer = await todo.act('textbox "Upper"', 'fill', { value: 'abc' })
    expect((await todo.state()).upper).toBe('ABC')
    // some frameworks rewrite the value at once, others by the time they have settled
    expect(answer).toMatchObject({ ok: true, settle: { settled: true, committed: true, effect: { value: 'ABC' } } })
  })

  test('fill is not committed in a field that rejects the value (X0-13)', async () => {
    await using todo = await open()
    expect(await todo.act('textbox "Letters"', 'fill', { value: 'abc' })).toMatchObject({ ok: true, effect: { value: 'abc' } })
    const refused = await todo.act('textbox "Letters"', 'fill', { value: 'abc1' })
    expect((await todo.state()).letters).toBe('abc')
    expect(refused.ok && refused.settle?.committed).toBe(false)
    expect(refused.settle).toMatchObject({ settled: true, effect: { value: 'abc' } })
  })

  test('a field that commits on blur is committed by the next action elsewhere (C22)', async () => {
    await using todo = await open()
    await todo.act('textbox "Note"', 'fill', { value: 'Ring twice' })
    expect((await todo.state()).note).toBe('')
    await todo.act('textbox "Your name"', 'click')
    expect((await todo.state()).note).toBe('Ring twice')
  })

  test('a form is submitted once by Enter and once by its button (S0-92 X0-17)', async () => {
    await using todo = await open()
    await todo.act('textbox "Your name"', 'fill', { value: 'Ada' })
    expect(await todo.act('textbox "Your name"', 'press', { key: 'Enter' })).toMatchObject({ ok: true, effect: { submitted: false } })
    expect((await todo.state()).sent).toEqual(['Ada'])
    await todo.act('textbox "Your name"', 'fill', { value: 'Grace' })
    expect(await todo.act('button "Send"', 'click')).toMatchObject({ ok: true, effect: { submitted: false } })
    expect((await todo.state()).sent).toEqual(['Ada', 'Grace'])
  })
})

async function bundle(framework: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${framework}.js`],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  })
  return outputFiles[0]?.text ?? ''
}
