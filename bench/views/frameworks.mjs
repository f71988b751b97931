import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { view } from './page.mjs'

const bundle = async contents => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'jsx' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
  })
  return outputFiles[0].text
}

const board = `
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
const on = { onClick: event => { event.stopPropagation(); act(event.currentTarget) } }
const Card = ({ n }) => <div className="card" {...on}><div className="title">Task {n}</div><div className="foot"><span className="avatar" {...on}>AL</span><span className="due">{n} May</span><i className="more" {...on}>⋯</i></div></div>
const Column = ({ name, first }) => <div className="column"><div className="head">{name}<span className="add" {...on}>+</span></div>{[0, 1, 2, 3].map(i => <Card key={i} n={first + i} />)}</div>
const App = () => <div className="board"><div className="bar"><div {...on}>Filter</div><div {...on}>Sort</div><div>Not a control</div></div><div className="columns">{['To do', 'Doing', 'Review', 'Done'].map((name, i) => <Column key={name} name={name} first={i * 4 + 1} />)}</div></div>
flushSync(() => createRoot(document.getElementById('app')).render(<App />))
`

const shop = `
import { createApp } from 'vue'
createApp({
  setup: () => ({ items: Array.from({ length: 9 }, (_, i) => i + 1), on: event => act(event.currentTarget) }),
  template: \`<div class="cards"><div v-for="n in items" class="card"><div class="photo" @click="on"></div><div class="name" @click="on">Lamp {{ n }}</div><div class="price">{{ n * 10 }}.00 €</div>
<div class="quantity"><span @click="on">-</span> 1 <span @click="on">+</span></div><div class="heart" title="Remember" @click="on">♡</div><div class="buy" @click="on">Add to basket</div></div></div>\`,
}).mount('#app')
`

export const frameworkViews = async () => [
  view('Board, React', {
    css: `.bar{display:flex;gap:20px;padding:10px}.columns{display:flex;gap:12px}.column{width:260px;background:#eee;padding:8px}.head{display:flex;justify-content:space-between}.card{background:#fff;margin:8px 0;padding:8px;cursor:pointer}.foot{display:flex;justify-content:space-between}`,
    body: '<div id="app"></div>',
    script: await bundle(board),
  }),
  view('Shop, Vue', {
    css: `.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:8px}.card{border:1px solid #ddd;padding:8px}.photo{height:80px;background:#eee}.buy,.heart{cursor:pointer}`,
    body: '<div id="app"></div>',
    script: await bundle(shop),
  }),
]
