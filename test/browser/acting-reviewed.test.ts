import { expect, test } from 'vitest'
import { lookAt } from '../support/looking.ts'

const polyfilled = '<script>Array.prototype.last = function () { return this.at(-1) }</script>'

test('a change that is fired when the page itself leaves the field takes no polyfill away from it', async () => {
  await using page = await lookAt(`${polyfilled}<input id=a aria-label=A>`)
  await page.act(await page.refOf('textbox'), 'fill', { value: 'x' })
  expect(await page.evaluate('a.blur(); typeof [].last')).toBe('function')
})

test('the end of a long press takes no polyfill away from the page', async () => {
  await using page = await lookAt(`${polyfilled}<button id=b>Hold</button><script>var up = 0; b.onpointerup = () => up++</script>`)
  await page.act(await page.refOf('button'), 'longpress', { ms: 20 })
  await expect.poll(() => page.evaluate('up')).toBe(1)
  expect(await page.evaluate('typeof [].last')).toBe('function')
})
