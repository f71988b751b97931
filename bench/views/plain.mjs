import { delegate, view } from './page.mjs'

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i + 1)).join('')
const people = [
  'Ada Lovelace',
  'Alan Turing',
  'Grace Hopper',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Frances Allen',
  'Tony Hoare',
]
const person = i => people[i % people.length]

const mail = view('Mail, one listener and data-action', {
  css: `.app{display:flex;height:100vh}.side{width:200px}.side div{padding:8px;cursor:pointer}.list{flex:1}
.row{display:flex;gap:12px;padding:6px;border-bottom:1px solid #ddd;cursor:pointer}.row span{white-space:nowrap}.box{width:14px;height:14px;border:1px solid}
.trash svg{display:block}.subject{flex:1;overflow:hidden}`,
  body: `<div class="app"><div class="side"><div data-action="compose" class="primary">Compose</div>${['Inbox', 'Sent', 'Drafts', 'Spam']
    .map(name => `<div data-action="folder">${name} <b>3</b></div>`)
    .join('')}</div>
<div class="list">${times(
    14,
    i => `<div class="row" data-action="open"><span class="box" data-action="select"></span><span data-action="star" title="Star">☆</span>
<span class="from">${person(i)}</span><span class="subject">Report ${i} for this week</span><span class="date">${i} May</span>
<span class="trash" data-action="delete"><svg width="16" height="16" class="icon-trash"><path d="M2 2h12v12H2z"/></svg></span></div>`,
  )}</div></div>`,
  script: delegate('.app', '[data-action]'),
})

const customers = view('Customers, jQuery-like delegation', {
  css: `table{width:100%;border-collapse:collapse}td,th{padding:6px;text-align:left;border-bottom:1px solid #ddd}tbody tr{cursor:pointer}.sort{cursor:pointer}.menu{cursor:pointer}.crumb{cursor:pointer;color:#06c}`,
  body: `<div id="app"><p><a class="crumb">Home</a> / <a class="crumb">Sales</a> / Customers</p>
<table><thead><tr>${['Name', 'City', 'Orders'].map(name => `<th class="sort">${name} ▾</th>`).join('')}<th></th></tr></thead>
<tbody>${times(12, i => `<tr><td><a class="name">${person(i)}</a></td><td>City ${i}</td><td>${i * 7}</td><td><span class="menu">⋮</span></td></tr>`)}</tbody></table></div>`,
  script: `const on = (selector, run) => document.getElementById('app').addEventListener('click', event => { const found = event.target.closest(selector); if (found) run.call(found) })
for (const selector of ['.crumb', '.sort', 'a.name', '.menu']) on(selector, function () { act(this) })`,
})

const settings = view('Settings, drawn switches and sliders', {
  css: `.page{max-width:700px;margin:0 auto}.line{display:flex;justify-content:space-between;padding:10px}.switch{width:40px;height:20px;border-radius:10px;background:#bbb;cursor:pointer}
.switch.on,.switch[data-state=checked]{background:#06c}.knob{width:16px;height:16px;margin:2px;border-radius:8px;background:#fff}.swatch{display:inline-block;width:24px;height:24px;cursor:pointer}
.track{position:relative;height:6px;background:#ddd;margin:20px 10px}.handle{position:absolute;left:40%;top:-5px;width:16px;height:16px;border-radius:8px;background:#06c;cursor:grab}`,
  body: `<div class="page"><h1>Settings</h1>${[
    'Dark mode',
    'Sounds',
    'Weekly summary',
    'Two-step sign-in',
    'Read receipts',
    'Beta features',
  ]
    .map(
      (name, i) =>
        `<div class="line"><span>${name}</span><div class="switch ${i % 3 === 0 ? 'on' : ''}" ${i % 3 === 1 ? `data-state="${i === 1 ? 'checked' : 'unchecked'}"` : ''}><div class="knob"></div></div></div>`,
    )
    .join('')}
<div class="line"><span>Accent</span><span>${['red', 'green', 'blue'].map(color => `<i class="swatch" title="${color}" style="background:${color}"></i> `).join('')}</span></div>
<div>Volume</div><div class="track"><div class="handle"></div></div></div>`,
  script: `document.querySelectorAll('.switch,.swatch').forEach(each => each.addEventListener('click', () => act(each)))
document.querySelectorAll('.handle').forEach(each => each.addEventListener('pointerdown', () => act(each)))`,
})

const chat = view('Chat, inner scrollers in a clipped body', {
  css: `body{overflow:hidden;height:100vh}.app{display:flex;height:100vh}.scroll{overflow:auto}.rooms{width:260px}.room{display:flex;gap:8px;padding:10px;cursor:pointer}
.avatar{width:32px;height:32px;border-radius:16px;background:#ccc;flex:none}.log{flex:1}.message{display:flex;gap:8px;padding:8px}.tools span{margin-left:8px}`,
  body: `<div class="app"><div class="rooms scroll">${times(24, i => `<div class="room"><div class="avatar" title="Profile of ${person(i)}"></div><div class="content"><b>${person(i)}</b><div>See you at ${i} o'clock</div></div></div>`)}</div>
<div class="log scroll">${times(20, i => `<div class="message"><div class="avatar"></div><div><b class="author">${person(i)}</b><p>Message number ${i}, with some words in it.</p></div><div class="tools"><span class="react">😀</span><span class="reply" title="Reply">↩</span></div></div>`)}</div></div>`,
  script: `for (const room of document.querySelectorAll('.room')) {
  room.querySelector('.avatar').addEventListener('click', event => { event.stopPropagation(); act(event.currentTarget) })
  room.querySelector('.content').addEventListener('click', event => act(event.currentTarget))
}
document.querySelectorAll('.author,.react,.reply').forEach(each => each.addEventListener('click', () => act(each)))`,
})

const attributes = view('Attributes of frameworks, no cursor', {
  css: `.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;padding:20px}.grid>*{padding:12px;border:1px solid #ddd}`,
  body: `<div class="grid">${[
    'data-action="save"',
    'data-action="click->menu#open"',
    'data-route="/orders"',
    'jsaction="click:open"',
    'data-toggle="modal"',
    'data-bs-toggle="dropdown"',
    'data-bs-dismiss="alert"',
    'ng-click="open()"',
    '(click)="open()"',
    'v-on:click="open"',
    '@click="open"',
    'x-on:click="open = true"',
    'hx-get="/part"',
    'hx-post="/save"',
    'wire:click="save"',
    'data-href="/there"',
    'data-click="go"',
    'data-command="bold"',
  ]
    .map((attribute, i) => `<div ${attribute}>Action ${i + 1}</div>`)
    .join('')}<div data-id="7">Only data</div><div data-testid="plain">Only a test id</div><div data-theme="dark">Only a theme</div></div>`,
  script: `document.addEventListener('click', event => {
  for (let each = event.target; each && each !== document.body; each = each.parentElement)
    if ([...each.attributes].some(({ name }) => /^(data-(action|route|toggle|href|click|command|bs-\\w+)|jsaction|ng-click|\\(click\\)|v-on:click|@click|x-on:click|hx-(get|post)|wire:click)$/.test(name))) return act(each)
})`,
})

const files = view('Files, mouse down, no cursor', {
  css: `.tree{width:300px}.node{display:flex;gap:6px;padding:3px 8px}.twisty{width:16px}.bar{display:flex;gap:4px;padding:6px}.tool{width:28px;height:28px;border:1px solid #ddd}`,
  body: `<div class="bar">${['save', 'copy', 'paste', 'undo', 'redo'].map(name => `<div class="tool btn-outline"><svg width="16" height="16"><use href="#icon-${name}"/></svg></div>`).join('')}</div>
<div class="tree">${times(20, i => `<div class="node" style="padding-left:${(i % 3) * 16}px"><span class="twisty">▸</span><span class="name">folder-${i}</span></div>`)}</div>`,
  script: `for (const node of document.querySelectorAll('.node')) {
  node.querySelector('.twisty').addEventListener('click', event => { event.stopPropagation(); act(event.currentTarget) })
  node.addEventListener('mousedown', event => { if (!event.target.classList.contains('twisty')) act(node) })
}
document.querySelectorAll('.tool').forEach(each => { each.onclick = () => act(each) })`,
})

const calendar = view('Calendar, cells and entries', {
  css: `.grid{display:grid;grid-template-columns:repeat(7,1fr)}.day{height:110px;border:1px solid #ddd;cursor:pointer}.entry{background:#def;margin:2px;cursor:pointer;font-size:12px}.nav span{padding:8px;cursor:pointer}`,
  body: `<div class="nav"><span>‹</span><b>May</b><span>›</span><span class="today">Today</span></div><div class="grid">${times(35, i => `<div class="day"><div class="number">${i}</div>${i % 4 === 0 ? `<div class="entry">Meeting ${i}</div>` : ''}</div>`)}</div>`,
  script: `document.querySelector('.grid').addEventListener('click', event => { const entry = event.target.closest('.entry'); act(entry ?? event.target.closest('.day')) })
document.querySelectorAll('.nav span').forEach(each => each.addEventListener('click', () => act(each)))`,
})

const dense = view('Dense, 300 controls in view', {
  css: `.grid{display:grid;grid-template-columns:repeat(20,1fr);gap:2px}.cell{height:34px;border:1px solid #ddd;font-size:11px;cursor:pointer}`,
  body: `<div class="grid">${times(300, i => `<div class="cell">Seat ${i}</div>`)}</div>`,
  script: delegate('.grid', '.cell'),
})

const decoys = view('Cards with a pointer where only links work', {
  css: `.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:12px;padding:12px}.card{border:1px solid #ddd;padding:12px;cursor:pointer}.badge{cursor:pointer}.help{cursor:help}`,
  body: `<div class="cards">${times(9, i => `<div class="card"><h3><a class="title">Product ${i}</a></h3><p>A useful thing for the house.</p><b>${i}9.90 €</b> <span class="badge">New</span> <span class="add">Add</span></div>`)}</div>`,
  script: `document.querySelectorAll('.title,.add').forEach(each => each.addEventListener('click', () => act(each)))`,
})

const feed = view('Feed, longer than the viewport', {
  css: `.feed{max-width:600px;margin:0 auto}.post{padding:16px;border-bottom:1px solid #ddd}.actions span{margin-right:16px;cursor:pointer}`,
  body: `<div class="feed">${times(60, i => `<div class="post"><b class="author">${person(i)}</b><p>Post ${i}: a paragraph about the weather and the harvest of this year.</p><div class="actions"><span class="like">♥ ${i}</span><span class="share" title="Share">⤴</span><span class="more">…</span></div></div>`)}</div>`,
  script: delegate('.feed', '.actions span'),
})

const map = view('Shapes of an SVG and a canvas', {
  css: `.zone{fill:#ddd;stroke:#666}.zone.hot{cursor:pointer}.bar{padding:8px}`,
  body: `<div class="bar"><span class="zoom">+</span> Zoom <span class="zoom">-</span></div><svg width="800" height="500">${times(8, i => `<g class="zone hot" id="zone-${i}"><title>Zone ${i}</title><rect x="${i * 90}" y="50" width="80" height="80"/></g>`)}</svg><canvas width="300" height="100"></canvas>`,
  script: `document.querySelectorAll('.zone,.zoom,canvas').forEach(each => each.addEventListener('click', () => act(each)))`,
})

const modal = view('Modal without a role over a list', {
  css: `.rows div{padding:8px}.rows span{cursor:pointer}.veil{position:fixed;inset:0;background:rgba(0,0,0,.5)}.panel{position:fixed;left:340px;top:160px;width:600px;height:320px;background:#fff;padding:20px}.btn{display:inline-block;padding:8px 16px;cursor:pointer}`,
  body: `<div class="rows">${times(30, i => `<div>Row ${i} <span class="edit">Edit</span> <span class="remove">Remove</span></div>`)}</div>
<div class="veil"></div><div class="panel"><h2>Delete the row?</h2><p>This cannot be undone.</p><div><div class="btn">Cancel</div><div class="btn danger">Delete</div><span class="x" style="cursor:pointer">×</span></div></div>`,
  script: `document.querySelectorAll('.edit,.remove,.btn,.x').forEach(each => each.addEventListener('click', () => act(each)))
document.querySelector('.veil').addEventListener('click', event => act(event.currentTarget))`,
})

const tabs = view('Tabs, menus and a drawn select', {
  css: `.tabs{display:flex}.tab{padding:10px 20px;cursor:pointer}.tab.active{border-bottom:2px solid}.select{width:240px;border:1px solid #999;padding:8px;margin:20px;cursor:pointer}.options{width:240px;margin:0 20px;border:1px solid #999}.option{padding:6px;cursor:pointer}.option.selected{background:#def}.line{margin:20px}`,
  body: `<div class="tabs">${['Overview', 'Orders', 'Invoices', 'Notes'].map((name, i) => `<div class="tab ${i ? '' : 'active'}">${name}</div>`).join('')}</div>
<div class="select"><span>Country</span><span class="arrow">▾</span></div><div class="options">${['Austria', 'Belgium', 'Chile', 'Denmark'].map((name, i) => `<div class="option ${i === 2 ? 'selected' : ''}">${name}</div>`).join('')}</div>
<div class="line">Guests <span class="step">-</span> 2 <span class="step">+</span></div>`,
  script: `document.querySelectorAll('.tab,.select,.option,.step').forEach(each => each.addEventListener('click', () => act(each)))`,
})

export const plainViews = [mail, customers, settings, chat, attributes, files, calendar, dense, decoys, feed, map, modal, tabs]
