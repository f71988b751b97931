/**
 * Controls in view that a user could click, found without the engine: known controls that are enabled and that a click at their
 * center would reach. A source text to be evaluated in the page; returns their data-agent-ref values, '' for a missing one.
 */
export const usableInView = `(() => {
  const known = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[role=combobox],[role=textbox],[onclick],[tabindex]:not([tabindex^="-"]),[contenteditable=""],[contenteditable=true]'
  const found = []
  for (const element of document.querySelectorAll(known)) {
    if (element.matches(':disabled')) continue
    const box = element.getBoundingClientRect()
    const x = box.x + box.width / 2, y = box.y + box.height / 2
    if (box.width < 2 || box.height < 2 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
    const hit = document.elementFromPoint(x, y)
    if (hit && element.contains(hit)) found.push(element.getAttribute('data-agent-ref') ?? '')
  }
  return found
})()`
