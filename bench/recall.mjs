/** How many usable controls have a ref in our text and in Playwright's: in view, and on the whole page. */
export async function recallOf(page, shown) {
  const controls = await inPlaywrightWorld(page, usableControls)
  const [oursShown, theirsShown] = [new Set(shown.ours), new Set(shown.theirs)]
  const count = some => ({
    usable: some.length,
    ours: some.filter(({ ours }) => oursShown.has(ours)).length,
    theirs: some.filter(({ theirs }) => theirsShown.has(theirs)).length,
  })
  return { inView: count(controls.filter(({ inView }) => inView)), anywhere: count(controls) }
}

/** The mean over pages, so that a page with many links does not dominate. */
export function meanRecall(pages, where) {
  const counts = pages.map(({ recall }) => recall[where]).filter(({ usable }) => usable > 0)
  const mean = who => counts.reduce((sum, each) => sum + each[who] / each.usable, 0) / counts.length
  return { ours: mean('ours'), theirs: mean('theirs') }
}

// Uses neither engine. In view: a click at the center would reach the control, as in test/support/usable-in-view.ts.
// Anywhere: it has a box and is not hidden by styles; whether something covers it there is not checked.
const usableControls = `(() => {
  const known = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[role=combobox],[role=textbox],[onclick],[tabindex]:not([tabindex^="-"]),[contenteditable=""],[contenteditable=true]'
  const found = []
  for (const element of document.querySelectorAll(known)) {
    if (element.matches(':disabled')) continue
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    const x = box.x + box.width / 2, y = box.y + box.height / 2
    const isInside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
    const hit = isInside ? document.elementFromPoint(x, y) : null
    const inView = hit !== null && element.contains(hit)
    const isDrawn = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (inView || (!isInside && isDrawn)) found.push({ inView, ours: element.getAttribute('data-agent-ref') ?? '', theirs: element._ariaRef?.ref ?? '' })
  }
  return found
})()`

/** Playwright keeps the ref of an element as a property that is only visible in its isolated world. */
export async function inPlaywrightWorld(page, expression) {
  const session = await page.context().newCDPSession(page)
  const worlds = []
  session.on('Runtime.executionContextCreated', ({ context }) => worlds.push(context))
  await session.send('Runtime.enable')
  const { frameTree } = await session.send('Page.getFrameTree')
  const theirs = worlds.find(({ name, auxData }) => name.startsWith('__playwright_utility_world') && auxData.frameId === frameTree.frame.id)
  if (!theirs) throw new Error('The isolated world of Playwright was not found: recall must find its refs in another way')
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, contextId: theirs.id, returnByValue: true })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  await session.detach()
  return result.value
}
