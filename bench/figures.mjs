// figures that are made of others

/** Microseconds per element: of the script in the page, of the whole look, and of Playwright's. */
export const perElement = rows =>
  rows.map(({ page, elements, ours, theirs }) => {
    const each = ms => (1_000 * ms) / elements
    return { page, script: each(ours.scriptMs), ours: each(ours.ms), theirs: each(theirs.ms) }
  })

/** The mean over pages, so that a page with many links counts as one page. */
export const recallInView = pages => meanOf(pages, 'inView')
export const recallAnywhere = pages => meanOf(pages, 'anywhere')

function meanOf(pages, where) {
  const counts = pages.map(({ recall }) => recall[where]).filter(({ usable }) => usable > 0)
  const mean = who => counts.reduce((sum, each) => sum + each[who] / each.usable, 0) / counts.length
  return { ours: mean('ours'), theirs: mean('theirs') }
}
