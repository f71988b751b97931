import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

const css = `<style>body{font:16px/20px sans-serif;color:#111;background:#fff} p,h2{margin:0;font-size:16px} .box{position:relative;height:40px}
  .all{position:absolute;left:0;top:0;width:100%;height:100%} .white,.white *{color:#fff}
  .under{z-index:0} .under::before{content:"";position:absolute;inset:0;background:#123;z-index:-1}
  .plain::before{background:#fff}</style>`
const image = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>')}`
const box = (inner: string, kind = '', style = '') => `<div class="box ${kind}" style="${style}">${inner}</div>`
const inFront = (text: string) => `<div class=white style="position:relative"><p>${text}</p></div>`
const gradient = 'background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text'
const pageOf = (cases: Readonly<Record<string, (text: string) => string>>, word: string) =>
  Object.entries(cases)
    .map(([name, html]) => html(`${word} ${name}`))
    .join('')

const seen: Readonly<Record<string, (text: string) => string>> = {
  'over an image': text => box(`<img alt="" class=all src="${image}">${inFront(text)}`),
  'over an svg image': text => box(`<svg class=all><path d="M0 0h2000v90H0z" fill="#123"/></svg>${inFront(text)}`),
  'over a canvas': text => box(`<canvas class=all></canvas>${inFront(text)}`),
  'over a layer that takes no clicks': text => box(`<div class=all style="background:#123;pointer-events:none"></div>${inFront(text)}`),
  'over a layer with a negative z-index': text =>
    box(`<div class=all style="background:#123;z-index:-1"></div><p class=white>${text}</p>`, '', 'z-index:0'),
  'over a layer in a wrapper': text => box(`<div><div class=all style="background:#123"></div></div>${inFront(text)}`),
  'in one cell of a grid with a layer': text =>
    `<div style="display:grid"><div style="grid-area:1/1;background:#123"></div><p class=white style="grid-area:1/1">${text}</p></div>`,
  'pulled over a layer': text =>
    `<div style="background:#123;height:40px"></div><p class=white style="margin-top:-40px;height:40px">${text}</p>`,
  'over a pseudo-element': text => box(`<p>${text}</p>`, 'under white'),
  'over a shadow': text => `<div class=white style="box-shadow:inset 0 0 0 200px #123"><p>${text}</p></div>`,
  'on a badge': text =>
    `<p class=white style="position:relative;z-index:0"><svg class=all style="z-index:-1"><rect width=2000 height=90 fill="#c00"/></svg>${text}</p>`,
  'filled by the gradient of its parent': text => `<p style="color:transparent;${gradient}"><span>${text}</span></p>`,
  'filled with a color': text => `<p style="color:#fff;-webkit-text-fill-color:#111">${text}</p>`,
  'drawn as an outline': text => `<p style="color:transparent;-webkit-text-stroke:1px #111">${text}</p>`,
  'drawn as a shadow': text => `<p style="color:transparent;text-shadow:0 0 0 #111">${text}</p>`,
  'inverted by a filter': text => `<p style="color:#fff;filter:invert(1)">${text}</p>`,
  'in an svg image': text => `<div class=white><svg width=600 height=30><text y=20 style="fill:#111">${text}</text></svg></div>`,
  'on a shape of an svg image': text => `<svg width=600 height=30><rect width=600 height=30 /><text y=20 fill=white>${text}</text></svg>`,
  'in a transparent frame': text =>
    `<div style="background:#123"><iframe style="height:50px;border:0" srcdoc="<p style=color:white>${text}"></iframe></div>`,
  'in a child of a heading': text => `<h2 style="color:#fff"><span style="color:#111">${text}</span></h2>`,
}

const gone: Readonly<Record<string, (text: string) => string>> = {
  'white on white': text => `<p class=white>${text}</p>`,
  'white on white in an item': text => `<ul><li>a</li><li class=white>${text}</li></ul>`,
  'over a layer of its color': text => box(`<div class=all style="background:#fff"></div>${inFront(text)}`),
  'over a pseudo-element of its color': text => box(`<p>${text}</p>`, 'under plain white'),
  'beside a layer': text => box(`<div class=all style="background:#123;left:50%"></div><p class=white>${text}</p>`),
  'beside a word with a background': text => `<p class=white>${text} <b style="background:#123">word</b></p>`,
  'below a translucent layer': text => box(`<p class=white>${text}</p><div class=all style="background:#1232"></div>`),
  'filled with white': text => `<p style="-webkit-text-fill-color:#fff">${text}</p>`,
  'filled by nothing': text => `<p style="color:transparent;-webkit-background-clip:text;background-clip:text">${text}</p>`,
  'drawn as a transparent shadow': text => `<p style="color:transparent;text-shadow:0 0 0 transparent">${text}</p>`,
  'drawn as a white shadow': text => `<p style="color:#fff;text-shadow:0 0 1px #fff">${text}</p>`,
  'with a thin line inside': text => `<div style="box-shadow:inset 0 0 0 1px #123"><p class=white>${text}</p></div>`,
  'not filled in an svg image': text => `<svg width=600 height=30><text y=20 fill=none>${text}</text></svg>`,
  'white in an svg image': text => `<svg width=600 height=30><text y=20 fill=white>${text}</text></svg>`,
  'white in a transparent frame': text => `<iframe style="height:50px;border:0" srcdoc="<p style=color:white>${text}"></iframe>`,
}

test.each([
  ['in view', ''],
  ['out of view', '<div style="height:3000px"></div>'],
])('text of the color of its background is left out only if nothing may lie between them, %s', async (_, before) => {
  await using page = await openScriptPage(`${css}<main>${before}${pageOf(seen, 'SEEN')}${pageOf(gone, 'GONE')}</main>`, {
    viewport: { width: 1280, height: 2400 },
  })
  const text = await page.text({ interactiveOnly: false }, { maxCharsTotal: 50_000, maxNodes: 500 })
  const found = new Set(text.match(/(SEEN|GONE) [\w -]+/g)?.map(each => each.trim()))
  const expected = Object.keys(seen).map(name => `SEEN ${name}`)
  // whether something is in front is known only in view
  expect([...found].filter(each => before === '' || each !== 'GONE below a translucent layer').sort()).toEqual(expected.sort())
})
