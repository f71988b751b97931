import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'

const names = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => `Option ${i + 1}`))

/**
 * A list like those of rc-select: the options by role are hidden and are those around the active one; rows without a role are drawn, only
 * those in view; the list opens in an animation, away from its place at first.
 */
const hiddenListbox = ({ options, several = false, filters = false }: { options: string; several?: boolean; filters?: boolean }) => `
  <style>@keyframes open { from { transform: scaleY(.2); opacity: 0 } } .row { height: 24px } #holder { height: 120px; overflow-y: hidden } .tag { border: 1px solid; margin-right: 4px }</style>
  <label for=i>Choice</label>
  <div id=box style="border:1px solid;width:240px;min-height:30px;position:relative"><span id=shown></span>
    <input id=i role=combobox aria-expanded=false aria-haspopup=listbox aria-controls=list ${filters ? '' : 'readonly'} style="opacity:0;width:40px"></div>
  <script>
    const all = ${options}, chosen = []
    let popup
    const matching = () => all.filter(each => each.toLowerCase().includes(i.value.toLowerCase()))
    function rows() {
      const found = matching()
      list.innerHTML = found.slice(0, 2).map(each => '<div role=option aria-label="' + each + '">' + each + '</div>').join('')
      inner.style.height = found.length * 24 + 'px'
      const first = Math.floor(holder.scrollTop / 24)
      drawn.style.transform = 'translateY(' + first * 24 + 'px)'
      drawn.innerHTML = found.slice(first, first + 6).map(each => '<div class=row><div>' + each + '</div></div>').join('')
      for (const row of drawn.children) row.onclick = () => choose(row.textContent)
    }
    function show() {
      if (popup) return
      i.setAttribute('aria-expanded', 'true')
      popup = document.createElement('div')
      popup.style.cssText = 'position:absolute;left:-2000px;top:-2000px;width:240px'
      popup.innerHTML = '<div id=list role=listbox style="width:0;height:0;overflow:hidden"></div><div id=holder><div id=inner><div id=drawn></div></div></div>'
      document.body.append(popup)
      holder.onscroll = rows
      rows()
      setTimeout(() => { if (popup) popup.style.cssText = 'position:absolute;left:20px;top:120px;width:240px;background:#eee;animation:open .25s' }, 60)
    }
    function hide() { popup?.remove(); popup = undefined; i.value = ''; i.setAttribute('aria-expanded', 'false') }
    function choose(name) {
      const at = chosen.indexOf(name)
      if (!${several}) chosen.splice(0, 9, name); else if (at < 0) chosen.push(name); else chosen.splice(at, 1)
      shown.innerHTML = chosen.map(each => '<span class=tag><span>' + each + '</span><i>×</i></span>').join('')
      if (!${several}) hide(); else i.value = ''
    }
    box.onmousedown = e => { if (e.target !== i) e.preventDefault(); i.focus(); ${several || filters ? 'show()' : 'popup ? hide() : show()'} }
    i.oninput = () => { show(); holder.scrollTop = 0; setTimeout(rows, 50) }
  </script>`

test('select chooses from a list that draws other rows than its options by role, at the first call', async () => {
  await using page = await openCdpPage(hiddenListbox({ options: names(4) }))
  expect((await page.do('select', { ref: await page.ref('Choice'), values: ['Option 3'] })).trusted).toBe(true)
  expect(await page.evaluate('chosen')).toEqual(['Option 3'])
})

test('select confirms a choice among several by what the control shows, and does not remove it by a second call', async () => {
  await using page = await openCdpPage(hiddenListbox({ options: names(4), several: true }))
  const ref = await page.ref('Choice')
  await page.do('select', { ref, values: ['Option 3'] })
  await page.do('select', { ref, values: ['Option 1'] })
  const { notes } = await page.do('select', { ref, values: ['Option 3'] })
  expect(await page.evaluate('chosen')).toEqual(['Option 3', 'Option 1'])
  expect(notes).toBeUndefined() // the list was open, and stays open
})

test('select scrolls a list that renders only the rows in view', async () => {
  await using page = await openCdpPage(hiddenListbox({ options: names(60) }))
  await page.do('select', { ref: await page.ref('Choice'), values: ['Option 47'] })
  expect(await page.evaluate('chosen')).toEqual(['Option 47'])
})

test('select types into the field of a long list, and takes the option that the list then shows', async () => {
  await using page = await openCdpPage(hiddenListbox({ options: names(600), filters: true }))
  await page.do('select', { ref: await page.ref('Choice'), values: ['Option 512'] })
  expect(await page.evaluate('chosen')).toEqual(['Option 512'])
})

test('select says that it has left a list open, and names what the list shows', async () => {
  await using page = await openCdpPage(hiddenListbox({ options: names(3) }))
  const ref = await page.ref('Choice')
  const { code, message, page: words } = await page.fails('select', { ref, values: ['Option 9'] })
  expect([code, words?.options]).toEqual(['option_not_found', ['Option 1', 'Option 2', 'Option 3']])
  expect(message).toContain(`The list of ${ref} is open now: click an option, or press Escape.`)
  expect(await page.evaluate('chosen')).toEqual([])
})

/** like Element Plus: a read-only input, a list that exists before it is opened, and a choice that is drawn in the element of the placeholder */
const readOnly = (accepts = true) => `
  <style>@keyframes open { from { transform: scaleY(0); opacity: 0 } } #pop[data-open] { display: block; animation: open .3s } #pop { display: none; position: absolute; top: 90px; width: 200px; background: #eee }</style>
  <label for=i>Size</label>
  <div id=box style="border:1px solid;width:200px;height:30px;position:relative"><input id=i role=combobox readonly aria-controls=l aria-expanded=false style="border:0;background:none;width:20px">
    <div class=is-placeholder style="position:absolute;inset:0;pointer-events:none"><span id=v>Select</span></div></div>
  <div id=pop><ul id=l role=listbox>${['Small', 'Medium', 'Large'].map(each => `<li role=option aria-selected=false><span>${each}</span>`).join('')}</ul></div>
  <script>
    box.onclick = () => { const open = pop.toggleAttribute('data-open'); i.setAttribute('aria-expanded', String(open)) }
    for (const o of l.children) o.onclick = () => { if (${accepts}) { for (const each of l.children) each.setAttribute('aria-selected', String(each === o)); v.textContent = o.textContent } box.onclick() }
  </script>`

test('select does not type into a read-only field, and reports the choice that is drawn in the place of the placeholder', async () => {
  await using page = await openCdpPage(readOnly())
  const ref = await page.ref('Size')
  expect((await page.do('select', { ref, values: ['Medium'] })).effect).toMatchObject({ value: 'Medium', expanded: false })
  expect(await page.evaluate('v.textContent')).toBe('Medium')
  const again = await page.do('select', { ref, values: ['Medium'] })
  expect([again.notes, again.effect.expanded]).toEqual([['The option was selected already.'], false])
})

test('select fails with not_committed if the list closes and the control shows nothing else than before', async () => {
  await using page = await openCdpPage(readOnly(false))
  expect((await page.fails('select', { ref: await page.ref('Size'), values: ['Medium'] })).code).toBe('not_committed')
})

test('select presses a control that has no list yet, also if another list on the page has an option of that name', async () => {
  await using page =
    await openCdpPage(`<ul role=listbox aria-label=Other><li role=option onclick="other = 1">Pear</ul><div id=b role=combobox tabindex=0 aria-label=Fruit style="border:1px solid">Choose</div>
    <script>other = 0; b.onclick = () => setTimeout(() => { b.onclick = null
      document.body.insertAdjacentHTML('beforeend', '<ul id=mine role=listbox><li role=option>Apple<li role=option>Pear</ul>')
      for (const o of mine.children) o.onclick = () => { b.textContent = o.textContent; mine.remove() } }, 100)</script>`)
  await page.do('select', { ref: await page.ref('Fruit'), values: ['Apple'] })
  expect(await page.evaluate('[b.textContent, other]')).toEqual(['Apple', 0])
})
