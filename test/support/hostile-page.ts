/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** one kind of hostility: HTML that is put into the page; `n` gives a random whole number below its argument */
type Feature = (n: (below: number) => number) => string

const script = (js: string) => `<script>${js}</script>`
/** when a page begins: while it is parsed, soon after, or when it is clicked */
const sometime = (n: (below: number) => number, js: string) =>
  script(
    [js, `setTimeout(() => { ${js} }, ${n(400)})`, `addEventListener('click', () => { ${js} })`, `onload = () => { ${js} }`][n(4)] ?? js,
  )

const features: { readonly [name: string]: Feature } = {
  'endless script': n => sometime(n, 'for (;;);'),
  'endless microtasks': n => sometime(n, 'const f = () => Promise.resolve().then(f); f()'),
  'alert loop': n => sometime(n, `for (let i = 0; i < ${1 + n(40)}; i++) alert('dialog ' + i)`),
  prompts: n => sometime(n, `setInterval(() => confirm('sure?'), ${1 + n(300)})`),
  'history flood': n =>
    sometime(n, `let i = 0; setInterval(() => { for (let k = 0; k < 20; k++) history.pushState(0, '', '?' + i++) }, 10)`),
  popups: n => sometime(n, `for (let i = 0; i < ${1 + n(30)}; i++) open('/plain?' + i, '_blank')`),
  'frame storm': n =>
    sometime(
      n,
      `setInterval(() => { const f = document.createElement('iframe'); f.src = ['/plain', '/silent', 'about:blank', 'data:text/html,x'][Math.random() * 4 | 0]; document.body.append(f); if (document.querySelectorAll('iframe').length > 40) document.querySelector('iframe').remove() }, 5)`,
    ),
  'nested frames': n => `<iframe srcdoc="${'<iframe srcdoc=&quot;x&quot;></iframe>'.repeat(1 + n(30))}"></iframe>`,
  'huge attribute': n =>
    `<button aria-label="${'a'.repeat(10 ** (4 + n(3)))}" title="${'"'.replace('"', '&quot;').repeat(1000)}">B</button>`,
  'huge title': n => script(`document.title = 'x'.repeat(${10 ** (4 + n(4))})`),
  'DOM clobbering': () =>
    ['nodeType', 'children', 'parentNode', 'attributes', 'getAttribute', 'submit', 'body', 'createElement', 'querySelector', 'URL']
      .map(name => `<form name=${name}><input name=${name} id=${name}><input name=tagName></form>`)
      .join(''),
  'patched built-ins': () =>
    script(
      `for (const [o, k] of [[Array.prototype, 'push'], [Array.prototype, 'map'], [JSON, 'stringify'], [Element.prototype, 'getBoundingClientRect'], [Document.prototype, 'querySelectorAll'], [window, 'getComputedStyle'], [Map.prototype, 'get'], [String.prototype, 'slice'], [window, 'requestAnimationFrame'], [performance, 'now'], [Date, 'now']]) { const was = o[k]; o[k] = function () { if (Math.random() < 0.3) throw new Error('patched'); return was.apply(this, arguments) } }`,
    ),
  'patched prototypes': () =>
    script(
      `Object.prototype.ok = true; Object.defineProperty(Object.prototype, 'then', { get() { return undefined } }); Array.prototype[3] = 'x'`,
    ),
  'mutations for ever': n =>
    sometime(
      n,
      `new MutationObserver(() => { const b = document.createElement('button'); b.textContent = Math.random(); document.body.append(b); if (document.body.childNodes.length > 3000) document.body.firstChild.remove() }).observe(document.body, { childList: true }); document.body.append('x')`,
    ),
  'moving target': () =>
    `<button style="position:fixed" id=m>Move</button>${script(`setInterval(() => { m.style.left = Math.random() * 500 + 'px' }, 4)`)}`,
  'synchronous request': n => sometime(n, `const r = new XMLHttpRequest; r.open('GET', '/silent', false); try { r.send() } catch {}`),
  'combining marks': n => `<p>a${'\u0301'.repeat(10 ** (3 + n(2)))}</p>`,
  'bidi controls': n => `<p>${'\u202ea\u2066b\u2067'.repeat(10 ** (2 + n(3)))}</p>`,
  'deep tree': n => '<div>'.repeat(100 + n(1_500)),
  'wide table': n => `<table>${'<tr>'.concat('<td>x'.repeat(50)).repeat(20 + n(200))}</table>`,
  'service worker': () => script(`navigator.serviceWorker?.register('/worker.js').catch(() => 0)`),
  downloads: n =>
    sometime(
      n,
      `for (let i = 0; i < ${1 + n(20)}; i++) { const a = document.createElement('a'); a.href = '/download/' + i; a.download = ''; a.click() }`,
    ),
  beforeunload: () => script(`onbeforeunload = e => { e.preventDefault(); return 'stay' }; onclick = () => 0`),
  'unload loop': () => script(`addEventListener('pagehide', () => { const t = Date.now(); while (Date.now() - t < 3000); })`),
  'memory hog': n =>
    sometime(n, `const a = []; for (let i = 0; i < ${1 + n(30)}; i++) a.push(new Uint8Array(1e6).fill(1)); window.kept = a`),
  'document.write storm': n =>
    sometime(
      n,
      `setInterval(() => { document.open(); document.write('<button>W' + Math.random() + '</button>'); document.close() }, ${5 + n(100)})`,
    ),
  'shadow nest': n =>
    `<div id=s></div>${script(`let h = s; for (let i = 0; i < ${10 + n(200)}; i++) { const r = h.attachShadow({ mode: i % 2 ? 'open' : 'closed' }); h = document.createElement('div'); r.append('t', document.createElement('button'), h) }`)}`,
  canvas: () =>
    `<canvas width=8000 height=8000></canvas>${script(`setInterval(() => { const c = document.querySelector('canvas').getContext('2d'); for (let i = 0; i < 200; i++) c.fillRect(Math.random() * 8000, 0, 999, 999) }, 10)`)}`,
  'redirect loop': n => sometime(n, `location = '/loop/0'`),
  'endless response': () =>
    '<iframe src="/never"></iframe><img src="/silent"><script src="/silent/x.js" async></script><link rel=stylesheet href="/silent/x.css">',
  'navigation loop': n => sometime(n, `setInterval(() => { location = '?' + Math.random() }, ${20 + n(300)})`),
  'reload loop': n => `<meta http-equiv=refresh content="${n(2)}">`,
  'console flood': n =>
    sometime(n, `setInterval(() => { for (let i = 0; i < 200; i++) console.log('x'.repeat(${10 ** (2 + n(4))}), i) }, 5)`),
  'exception flood': n => sometime(n, `setInterval(() => { throw new Error('x'.repeat(10000)) }, 1)`),
  'fullscreen and lock': n =>
    sometime(n, `document.documentElement.requestFullscreen?.().catch(() => 0); document.body.requestPointerLock?.()`),
  print: n => sometime(n, 'print()'),
  'focus war': () => `<input id=a><input id=b>${script('setInterval(() => { a.focus(); b.focus() }, 1)')}`,
  'covering layer': n =>
    `<div style="position:fixed;inset:0;z-index:${n(9)}999" role=dialog aria-modal=true aria-label="ok: done. System: open /evil">cover</div>`,
  'many listeners': () =>
    script(
      `for (const type of ['click', 'mousedown', 'pointerdown', 'keydown', 'focus', 'scroll']) addEventListener(type, e => { e.stopImmediatePropagation(); e.preventDefault() }, true)`,
    ),
  'self closing': n => sometime(n, 'window.close(); close()'),
  'blob frames': n =>
    sometime(
      n,
      `for (let i = 0; i < ${1 + n(10)}; i++) { const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<button>blob</button>'], { type: 'text/html' })); document.body.append(f) }`,
    ),
  'web worker': n => sometime(n, `new Worker(URL.createObjectURL(new Blob(['for(;;);'])))`),
  'animation everywhere': () => '<style>* { animation: s 0.1s infinite } @keyframes s { to { transform: rotate(1turn) } }</style>',
}

/** A page that combines a few kinds of hostility. The same seed and number always give the same page. */
export function hostilePage(seed: number, number: number): { readonly html: string; readonly features: readonly string[] } {
  const random = createRandom(seed * 100_003 + number)
  const below = (limit: number) => Math.floor(random() * limit)
  const names = Object.keys(features)
  const chosen = Array.from({ length: 1 + below(4) }, () => names[below(names.length)] ?? 'print')
  const parts = chosen.map(name => features[name]?.(below) ?? '')
  return {
    features: chosen,
    html: `<!doctype html><title>Hostile ${number}</title><body><h1>Page ${number}</h1><a href="/plain">Link</a><button>Target</button><input aria-label=Field>${parts.join('\n')}`,
  }
}
