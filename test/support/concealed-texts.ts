// Techniques that hide a text from people, and techniques that look alike but show it. `text` has no markup.

export type Technique = (text: string) => string

const svgImage = (body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 9" preserveAspectRatio="none">${body}</svg>`)}`
const whiteImage = svgImage('<path fill="#fff" d="M0 0h99v9H0z"/>')
const darkImage = svgImage('<path fill="#123" d="M0 0h99v9H0z"/>')
const photo = svgImage(
  '<defs><linearGradient id="g"><stop stop-color="#234"/><stop offset="1" stop-color="#645"/></linearGradient></defs><path fill="url(#g)" d="M0 0h99v9H0z"/><circle cx="30" cy="4" r="3" fill="#356"/>',
)
let styles = 0
/** an element with a rule for one of its pseudo-elements */
const pseudo = (text: string, where: string, style: string, own = '', before = 'Note ') => {
  const name = `pseudo-${++styles}`
  return `<style>.${name}::${where}{content:"${text}";${style}}</style><p class=${name} style="${own}">${before}</p>`
}
const p = (style: string) => (text: string) => `<p style="${style}">${text}</p>`
const over =
  (cover: string, inner = '') =>
  (text: string) =>
    `<div style="position:relative;height:30px"><p ${inner}>${text}</p><div style="position:absolute;inset:0;${cover}"></div></div>`
const svg =
  (attributes: string, around = '') =>
  (text: string) =>
    `<svg width=700 height=30 ${around}><text y=20 ${attributes}>${text}</text></svg>`

export const hidden: Readonly<Record<string, Technique>> = {
  'before: font-size 0': text => pseudo(text, 'before', 'font-size:0'),
  'after: color of the page': text => pseudo(text, 'after', 'color:#fff'),
  'before: transparent': text => pseudo(text, 'before', 'color:transparent'),
  'after: opacity 0': text => pseudo(text, 'after', 'opacity:0'),
  'after: nearly transparent': text => pseudo(text, 'after', 'opacity:.02;display:block'),
  'before: off the page': text => pseudo(text, 'before', 'position:absolute;left:-9999px'),
  'before: above the page': text => pseudo(text, 'before', 'position:absolute;top:-5000px;height:20px'),
  'before: clipped by its own size': text => pseudo(text, 'before', 'display:block;width:0;height:0;overflow:hidden'),
  'before: clip': text => pseudo(text, 'before', 'position:absolute;clip:rect(0,0,0,0)'),
  'before: clip-path': text => pseudo(text, 'before', 'display:block;clip-path:inset(50%)'),
  'before: scaled to nothing': text => pseudo(text, 'before', 'display:block;transform:scale(0)'),
  'before: indented': text => pseudo(text, 'before', 'display:block;text-indent:-9999px;overflow:hidden'),
  'before: on its own background': text => pseudo(text, 'before', 'background:#123;color:#123'),
  'before: filter': text => pseudo(text, 'before', 'display:block;filter:opacity(0)'),
  'before: visibility': text => pseudo(text, 'before', 'visibility:hidden'),
  'after: of a heading': text =>
    pseudo(text, 'after', 'color:#fff', 'font-weight:bold', 'Title').replace('<p', '<h2').replace('</p>', '</h2>'),
  'after: of a button': text => pseudo(text, 'after', 'font-size:0', '', 'Go').replace('<p', '<button').replace('</p>', '</button>'),
  'filter: opacity(0)': p('filter:opacity(0)'),
  'filter: opacity(1%) around it': text => `<div style="filter:opacity(1%)"><p><b>${text}</b></p></div>`,
  'filter: brightness and invert': p('filter:brightness(0) invert(1)'),
  'filter: brightness(20)': p('color:#c33;filter:brightness(20)'),
  'filter: contrast(0)': p('background:#fff;filter:contrast(0)'),
  'filter: brightness(0) of text and background': p('color:#eee;background:#234;filter:brightness(0)'),
  'filter: blur(80px)': p('filter:blur(80px)'),
  'filter: blur(10px)': p('filter:blur(10px)'),
  'filter: blur(8px) around it': text => `<div style="filter:blur(8px)"><p>${text}</p></div>`,
  'filter: of an svg filter that draws nothing': text =>
    `<svg width=0 height=0><filter id=nil><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/></filter></svg><p style="filter:url(#nil)">${text}</p>`,
  'mask of nothing': p('-webkit-mask-image:linear-gradient(transparent,transparent);mask-image:linear-gradient(transparent,transparent)'),
  'mask of nothing around it': text => `<div style="mask-image:linear-gradient(#0000 0 0)"><p>${text}</p></div>`,
  'mask that begins after the text': text => `<p style="mask-image:linear-gradient(90deg,transparent 95%,#000)">${text}</p>`,
  'mask of no size': p('mask-image:linear-gradient(#000,#000);mask-size:0 0;mask-repeat:no-repeat'),
  'mask of an empty image': p(`mask-image:url('${svgImage('')}')`),
  'blend: screen on white': p('mix-blend-mode:screen'),
  'blend: lighten on white': text => `<div style="background:#fff"><p style="mix-blend-mode:lighten;color:#567">${text}</p></div>`,
  'blend: multiply in white': text => `<div style="background:#345"><p style="mix-blend-mode:multiply;color:#fff">${text}</p></div>`,
  'blend: difference in black': text => `<div style="background:#abc"><p style="mix-blend-mode:difference;color:#000">${text}</p></div>`,
  'color of a gradient': p('background:linear-gradient(#fff,#fefefe);color:#fff'),
  'color of a dark gradient': p('background:linear-gradient(90deg,#123,#133);color:#123'),
  'color of a gradient around it': text => `<div style="background:linear-gradient(#334,#334)"><p style="color:#334">${text}</p></div>`,
  'color of an image': p(`background:#000 url('${whiteImage}') 0/cover;color:#fff`),
  'color of a dark image': p(`background:url('${darkImage}') 0/cover;color:#123`),
  'color of an image element': text =>
    `<div style="position:relative;height:30px"><img alt="" src="${darkImage}" style="position:absolute;inset:0;width:100%;height:30px"><p style="position:relative;color:#123">${text}</p></div>`,
  'clip text in white': p('background:linear-gradient(#fff,#fff);-webkit-background-clip:text;background-clip:text;color:transparent'),
  'clip text in a white color': p('background:#fff;background-clip:text;-webkit-text-fill-color:transparent'),
  'clip text in nothing': p('background:linear-gradient(#0000,#0000);background-clip:text;color:transparent'),
  'clip text around it in white': text =>
    `<div style="background:linear-gradient(#fff,#fffefe);background-clip:text;color:transparent"><p>${text}</p></div>`,
  'text-fill-color white': p('-webkit-text-fill-color:#fff'),
  'text-fill-color transparent': p('-webkit-text-fill-color:transparent'),
  'svg fill-opacity': svg('fill-opacity=0'),
  'svg fill none': svg('fill=none'),
  'svg opacity': svg('opacity=0'),
  'svg fill white': svg('fill=#fff'),
  'svg gradient in white': text =>
    `<svg width=700 height=30><linearGradient id=wg><stop stop-color=#fff /><stop offset=1 stop-color=#fff /></linearGradient><text y=20 fill="url(#wg)">${text}</text></svg>`,
  'svg filter opacity': svg('style="filter:opacity(0)"'),
  'covered by an opaque layer': over('background:#fff'),
  'covered by a gradient': over('background:linear-gradient(#eee,#ddd)'),
  'covered by an image': over(`background:url('${whiteImage}') 0/cover`),
  'covered by a blurred backdrop': over('backdrop-filter:blur(20px)'),
  'covered by a backdrop without brightness': over('backdrop-filter:brightness(0)'),
  'covered by something that takes no clicks': over('background:#fff;pointer-events:none'),
  'covered by a layer with a z-index': text =>
    `<div style="position:relative;height:30px"><div style="position:absolute;inset:0;background:#fff;z-index:3"></div><p style="position:relative;z-index:2">${text}</p></div>`,
  'covered by a layer that is pulled up': text =>
    `<p style="height:20px">${text}</p><div style="position:relative;margin-top:-24px;height:26px;background:#fff"></div>`,
  'covered by a layer inside another element': text =>
    `<div style="position:relative;height:30px"><p>${text}</p><section><div><b style="position:absolute;inset:0;background:#fff"></b></div></section></div>`,
  'covered by an image of its size': text =>
    `<div style="position:relative;height:30px"><p>${text}</p><img alt="" src="${darkImage}" style="position:absolute;left:0;top:0;width:100%;height:30px"></div>`,
  'in an element without its content': text => `<div style="content-visibility:hidden;height:20px">${text}</div>`,
  'in a box of no size': text => `<div style="width:0;height:0;overflow:hidden">${text}</div>`,
}

export const shown: Readonly<Record<string, Technique>> = {
  'before: plain': text => pseudo(text, 'before', ''),
  'after: gray': text => pseudo(text, 'after', 'color:#777;font-size:12px'),
  'before: a badge': text => pseudo(text, 'before', 'background:#c00;color:#fff;padding:2px'),
  'before: white on the dark background of its element': text => pseudo(text, 'before', 'color:#fff', 'background:#123'),
  'after: absolute': text => pseudo(text, 'after', 'position:absolute;left:40px;top:0', 'position:relative;height:20px'),
  'before: absolute in a badge': text =>
    pseudo(text, 'before', 'position:absolute;left:40px;top:0;background:#c00;color:#fff', 'position:relative;height:20px'),
  'after: translucent': text => pseudo(text, 'after', 'opacity:.6'),
  'after: in a gradient': text =>
    pseudo(text, 'after', 'background:linear-gradient(90deg,#e33,#33e);background-clip:text;color:transparent'),
  'after: with a shadow': text => pseudo(text, 'after', 'filter:drop-shadow(1px 1px 2px #0008)'),
  'after: of a heading': text => pseudo(text, 'after', 'color:#456', '', 'Title').replace('<p', '<h2').replace('</p>', '</h2>'),
  'before: white in a dark section': text => `<div style="background:#123">${pseudo(text, 'before', 'color:#fff')}</div>`,
  'filter: drop-shadow': p('filter:drop-shadow(0 1px 2px #0006)'),
  'filter: drop-shadow of a white text': p('color:#fff;filter:drop-shadow(0 0 2px #000) drop-shadow(0 0 1px #000)'),
  'filter: blur(0.5px)': p('filter:blur(.5px)'),
  'filter: blur(0)': p('filter:blur(0)'),
  'filter: grayscale': p('filter:grayscale(1);color:#369'),
  'filter: invert of black on white': text => `<div style="background:#fff;filter:invert(1)"><p style="color:#111">${text}</p></div>`,
  'filter: invert of white': p('color:#fff;filter:invert(1)'),
  'filter: dark mode by invert and hue-rotate': text =>
    `<div style="background:#fff;filter:invert(1) hue-rotate(180deg)"><p style="color:#222">${text}</p></div>`,
  'filter: brightness(0.9)': p('filter:brightness(.9)'),
  'filter: contrast(1.1) saturate(1.2)': p('filter:contrast(1.1) saturate(1.2)'),
  'filter: opacity(0.7)': p('filter:opacity(.7)'),
  'filter: brightness(0) of a dark text': p('color:#345;filter:brightness(0)'),
  'beside a dimmed image': text =>
    `<div style="position:relative;height:30px"><img alt="" src="${photo}" style="position:absolute;inset:0;width:100%;height:30px;filter:brightness(.5) blur(2px)"><p style="position:relative;color:#fff">${text}</p></div>`,
  'mask that fades the end': text => `<div style="mask-image:linear-gradient(90deg,#000 85%,transparent)"><p>${text}</p></div>`,
  'mask that fades the bottom of a scroller': text =>
    `<div style="height:34px;overflow:auto;mask-image:linear-gradient(#000 70%,transparent)"><p>${text}</p><p>b</p><p>c</p></div>`,
  'mask of everything': p('mask-image:linear-gradient(#000,#000)'),
  'mask of an icon beside it': text =>
    `<p><i style="display:inline-block;width:20px;height:20px;background:#123;mask-image:linear-gradient(transparent,transparent)"></i>${text}</p>`,
  'blend: difference in white': p('mix-blend-mode:difference;color:#fff'),
  'blend: multiply on white': p('mix-blend-mode:multiply'),
  'blend: multiply on an image': text =>
    `<div style="background:#eee url('${whiteImage}')"><p style="mix-blend-mode:multiply;color:#234">${text}</p></div>`,
  'blend: screen in white on dark': text => `<div style="background:#123"><p style="mix-blend-mode:screen;color:#fff">${text}</p></div>`,
  'blend: overlay of an image beside it': text =>
    `<div style="position:relative;height:30px"><img alt="" src="${photo}" style="position:absolute;inset:0;width:100%;height:30px;mix-blend-mode:overlay"><p style="position:relative">${text}</p></div>`,
  'white on a dark gradient': p('background:linear-gradient(#123,#245);color:#fff'),
  'black on a light gradient': p('background:linear-gradient(90deg,#fff,#cde);color:#111'),
  'white on a gradient from light to dark': p('background:linear-gradient(90deg,#247,#bcd 98%,#fff);color:#fff'),
  'gradient text': p('background:linear-gradient(90deg,#e11,#11e);-webkit-background-clip:text;background-clip:text;color:transparent'),
  'gradient text by fill color': p('background:linear-gradient(90deg,#80f,#08f);background-clip:text;-webkit-text-fill-color:transparent'),
  'gradient text around it': text =>
    `<div style="background:linear-gradient(90deg,#e11,#11e);background-clip:text;color:transparent"><p><span>${text}</span></p></div>`,
  'gradient text that fades to white': p('background:linear-gradient(90deg,#333 60%,#fff);background-clip:text;color:transparent'),
  'gradient text on dark': text =>
    `<div style="background:#111"><p style="background:linear-gradient(#fff,#999);background-clip:text;color:transparent">${text}</p></div>`,
  'image text': p(`background:url('${darkImage}') 0/cover;background-clip:text;color:transparent`),
  'white over a hero image': p(`background:url('${photo}') 0/cover;color:#fff`),
  'black over a light image': p(`background:url('${whiteImage}') 0/cover;color:#111`),
  'white over a dimmed hero image': p(`background:linear-gradient(#0008,#0008),url('${whiteImage}') 0/cover;color:#fff`),
  'white over an image with a dark color behind': p(`background:#123 url('${photo}') 0/cover;color:#fff`),
  'white over an image element': text =>
    `<div style="position:relative;height:30px"><img alt="" src="${photo}" style="position:absolute;inset:0;width:100%;height:30px"><p style="position:relative;color:#fff">${text}</p></div>`,
  'text-fill-color dark': p('color:#fff;-webkit-text-fill-color:#222'),
  outlined: p('color:transparent;-webkit-text-stroke:1px #222'),
  'svg text': svg('fill=#222'),
  'svg text with an outline only': svg('fill=none stroke=#222'),
  'svg text with fill-opacity': svg('fill=#222 fill-opacity=.7'),
  'svg text in a gradient': text =>
    `<svg width=700 height=30><linearGradient id=cg><stop stop-color=#c00 /><stop offset=1 stop-color=#00c /></linearGradient><text y=20 fill="url(#cg)">${text}</text></svg>`,
  'below a translucent layer': over('background:#0002;pointer-events:none'),
  'below a gradient that fades': over('background:linear-gradient(#fff0,#fff8)'),
  'below a backdrop that is a bit brighter': over('backdrop-filter:brightness(1.1) saturate(1.2)'),
  'over a layer': text =>
    `<div style="position:relative;height:30px"><div style="position:absolute;inset:0;background:#eee"></div><p style="position:relative">${text}</p></div>`,
  'over a layer with a lower z-index': text =>
    `<div style="position:relative;height:30px"><p style="position:relative;z-index:2">${text}</p><div style="position:absolute;inset:0;background:#eee;z-index:1"></div></div>`,
  'over a layer that is behind': text =>
    `<div style="position:relative;height:30px;z-index:0"><p>${text}</p><div style="position:absolute;inset:0;background:#eee;z-index:-1"></div></div>`,
  'beside a layer': text =>
    `<div style="position:relative;height:30px"><p>${text}</p><div style="position:absolute;right:0;top:0;width:50px;height:30px;background:#345"></div></div>`,
  'in a card with a shadow': text => `<div style="box-shadow:0 2px 8px #0003;border-radius:8px;background:#fff"><p>${text}</p></div>`,
  'in a box of no height that does not clip': text => `<div style="height:0;width:500px">${text}</div>`,
}
