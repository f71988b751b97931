import { expect, test } from 'vitest'
import { say } from '../../../src/contract/message.ts'
import { PagehandError } from '../../../src/contract/pagehand-error.ts'
import { FrameGuard } from '../../../src/drivers/cdp/page/frame-guard.ts'

function createGuard() {
  const blanked: string[] = []
  const guard = new FrameGuard({
    topFrameId: 'top',
    check: async url => {
      if (!url.startsWith('http://allowed.test/')) throw new PagehandError('url_not_allowed', say`not allowed`)
    },
    refuses: url => !url.startsWith('http://allowed.test/'),
    parentOf: () => 'top',
    blank: async frameId => void blanked.push(frameId),
    onRefused() {},
    onTopRefused() {},
  })
  const session = { send: async () => ({}) as never, on: () => () => {} }
  const discover = (id: string, url: string) => guard.discover({ id, url, loaderId: `${id} ${url}` }, session)
  return { guard, blanked, discover, show: (id: string, url: string) => guard.commit({ id, url, loaderId: `${id} ${url}` }, session) }
}

test('the PDF viewer of the browser may be in a frame, and the PDF in it is judged by its URL (B4)', async () => {
  const { guard, blanked, show } = createGuard()
  show('viewer', 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html')
  show('pdf', 'http://allowed.test/a.pdf')
  show('other pdf', 'http://denied.test/a.pdf')
  show('other extension', 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/index.html')
  await guard.settled()
  expect(['viewer', 'pdf', 'other pdf', 'other extension'].map(id => guard.allows(id))).toEqual([true, true, false, false])
  expect(blanked).toEqual(['other pdf', 'other extension'])
})

test('a frame in another process that answers sooner than the page around it stays readable, until the page is left', async () => {
  const { guard, discover, show } = createGuard()
  discover('frame', 'http://allowed.test/frame')
  discover('top', 'http://allowed.test/')
  await guard.settled()
  expect(guard.allows('frame')).toBe(true)
  show('top', 'http://allowed.test/next')
  expect(guard.allows('frame')).toBe(false)
})
