/**
 * A view: a page of an application whose handlers call `act(element)` with the element that reacts and change nothing else, so that all of
 * it can be clicked to find out what reacts.
 */
export const view = (name, { css = '', body, script = '' }) => ({
  name,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><script>${truth}</script>
<style>*{box-sizing:border-box}body{margin:0;font:14px/1.4 sans-serif}${css}</style></head>
<body>${body}<script>${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
})

// Runs before the scripts of the view. Listeners are booked as they are added; clicks find out which elements react.
const truth = `
window.acted = new Set()
window.act = element => { acted.add(element) }
window.booked = new Map()
const add = EventTarget.prototype.addEventListener
EventTarget.prototype.addEventListener = function (type, ...rest) {
  if (/^(click|mousedown|mouseup|pointerdown|pointerup)$/.test(type)) booked.set(this, [...(booked.get(this) ?? []), type])
  return add.call(this, type, ...rest)
}
window.numberElements = () => [...document.querySelectorAll('*')].forEach((element, i) => element.setAttribute('data-n', i))
window.pressAt = (x, y, within) => {
  const hit = document.elementFromPoint(x, y)
  if (!hit || !within.contains(hit)) return false
  const event = (kind, type) => hit.dispatchEvent(new kind(type, { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y }))
  for (const type of ['pointerdown', 'pointerup']) event(PointerEvent, type)
  for (const type of ['mousedown', 'mouseup']) event(MouseEvent, type)
  // the page must stay as it is: a link is not followed and a form is not sent
  add.call(window, 'click', click => click.preventDefault(), { once: true })
  event(MouseEvent, 'click')
  return true
}
window.reactsInView = element => {
  const { x, y, width, height } = element.getBoundingClientRect()
  if (width < 2 || height < 2) return false
  for (const [dx, dy] of [[.5, .5], [.25, .25], [.75, .75], [.1, .5], [.9, .5], [.5, .1], [.5, .9]]) {
    acted.clear()
    pressAt(x + width * dx, y + height * dy, element)
    if (acted.has(element)) return true
  }
  return false
}
const native = 'a[href],button,input:not([type=hidden]),select,textarea,summary,label'
window.truthOfView = () => {
  const all = [...document.querySelectorAll('[data-n]')]
  const numbers = some => some.map(element => element.getAttribute('data-n'))
  const handlers = ['onclick', 'onmousedown', 'onpointerdown']
  const inView = all.filter(reactsInView)
  const anywhere = new Set(inView)
  const isOutside = element => {
    const { y, height } = element.getBoundingClientRect()
    return y + height > innerHeight || element.closest('.scroll')
  }
  for (const element of all.filter(isOutside)) {
    if (anywhere.has(element)) continue
    element.scrollIntoView({ block: 'center' })
    if (reactsInView(element)) anywhere.add(element)
  }
  return {
    inView: numbers(inView),
    anywhere: numbers([...anywhere]),
    native: numbers(all.filter(element => element.matches(native))),
    // listeners of elements that do nothing when clicked are not part of the truth, but are counted
    booked: numbers(all.filter(element => booked.has(element) || handlers.some(name => element[name]))).length,
  }
}
`

/** Delegation as in plain JavaScript: one listener, the nearest element that matches reacts. */
export const delegate = (root, selector) =>
  `document.querySelector(${JSON.stringify(root)}).addEventListener('click', event => { const found = event.target.closest(${JSON.stringify(selector)}); if (found) act(found) })`
