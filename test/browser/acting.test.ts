import { expect, test } from 'vitest'
import { lookAt } from '../support/looking.ts'

/** writes every event of the page to `log`, as type@id */
const logging = `<script>
  var log = []
  for (const type of 'pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu focus blur focusin focusout keydown keypress keyup beforeinput input change submit'.split(' '))
    addEventListener(type, e => log.push(type + '@' + (e.target.id || e.target.nodeName)), true)
</script>`

test('a click has the whole sequence of a real one, in its order, with coordinates and buttons (S0-45 X0-17)', async () => {
  await using page = await lookAt(`${logging}<button id=b style="width:100px;height:40px">Go</button>
    <script>var seen = []; for (const t of ['pointerdown','mousedown','pointerup','mouseup','click']) b.addEventListener(t, e => seen.push([t, e.constructor.name, e.button, e.buttons, e.detail, e.clientX > 0, e.pointerType ?? '']))</script>`)
  const ref = await page.refOf('button')
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true, action: 'click', ref, trusted: false, meta: { url: page.url } })
  expect(await page.evaluate('log.filter(x => x.endsWith("@b"))')).toEqual(
    'pointerover@b pointerenter@b mouseover@b mouseenter@b pointermove@b mousemove@b pointerdown@b mousedown@b focus@b focusin@b pointerup@b mouseup@b click@b'.split(
      ' ',
    ),
  )
  expect(await page.evaluate('seen')).toEqual([
    ['pointerdown', 'PointerEvent', 0, 1, 0, true, 'mouse'],
    ['mousedown', 'MouseEvent', 0, 1, 1, true, ''],
    ['pointerup', 'PointerEvent', 0, 0, 0, true, 'mouse'],
    ['mouseup', 'MouseEvent', 0, 0, 1, true, ''],
    ['click', 'PointerEvent', 0, 0, 1, true, 'mouse'],
  ])
})
