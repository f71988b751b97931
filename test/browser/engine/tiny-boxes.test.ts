import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { nodes, openScriptPage } from '../../support/script-page.ts'

const css = `<style>body{font:16px/20px sans-serif} main{padding:30px} main > *{margin-right:200px}
  .tiny{position:relative;display:inline-block;width:1px;height:1px;padding:0;border:0;white-space:nowrap;overflow:visible;background:none}
  .zero{position:relative;display:inline-block;width:0;height:0;padding:0;border:0;white-space:nowrap;overflow:visible;background:none}
  .drawn::before{content:"";position:absolute;left:20px;top:-10px;width:40px;height:30px;background:#36c}
  .words::after{content:"Buy it";position:absolute;left:20px;top:-10px;width:60px;height:30px}
  .box{position:absolute;left:30px;top:-5px;width:40px;height:20px;background:#36c}
  .trap{overflow:hidden} .clipped{clip-path:inset(50%)}</style>`

/** Controls that are drawn, although their own box is tiny or absent. */
const drawn: readonly string[] = [
  '<button style="display:contents">Buy</button>',
  '<a href="#x" style="display:contents">Buy</a>',
  '<a href="#x" style="display:contents"><span>Buy</span></a>',
  '<div role=button tabindex=0 style="display:contents"><b><i>Buy</i></b></div>',
  '<div onclick="1" style="display:contents"><div style="display:contents">Buy</div></div>',
  '<a href="#x" aria-label=Buy style="display:contents"><svg width=30 height=30><rect width=30 height=30 /></svg></a>',
  '<button class=tiny>Buy</button>',
  '<a href="#x" class=tiny>Buy</a>',
  '<button class=zero>Buy</button>',
  '<a href="#x" class=zero>Buy</a>',
  '<div role=button tabindex=0 class=zero><b>Buy</b></div>',
  '<button class=tiny aria-label=Buy><span class=box></span></button>',
  '<a href="#x" class=tiny aria-label=Buy><span class=tiny><span class=box></span></span></a>',
  '<button class="tiny drawn" aria-label=Buy></button>',
  '<a href="#x" class="zero drawn" aria-label=Buy></a>',
  '<a href="#x" class="tiny words" aria-label=Buy></a>',
]

/** Controls of which nothing is drawn. */
const traps: readonly string[] = [
  '<button class="tiny trap">Buy</button>',
  '<a href="#x" class="tiny trap">Buy</a>',
  '<a href="#x" class="zero trap"><span>Buy</span></a>',
  '<a href="#x" class="tiny" aria-label=Buy></a>',
  '<button class="tiny" aria-label=Buy></button>',
  '<button class="tiny clipped">Buy</button>',
  '<div class="tiny trap"><button class="tiny">Buy</button></div>',
  '<a href="#x" class="tiny" aria-label=Buy><span class="tiny trap"><span class=box></span></span></a>',
  '<button class="tiny drawn trap" aria-label=Buy></button>',
  '<a href="#x" class="tiny"><span style="display:none">Buy</span></a>',
  '<a href="#x" class="tiny" style="font-size:0">Buy</a>',
  '<button style="display:contents;visibility:hidden">Buy</button>',
  '<div style="display:none"><button style="display:contents">Buy</button></div>',
  '<img src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>" width=1 height=1 onclick="1" alt=Buy>',
]

const pageOf = (html: string) => `${css}<main><p>Shop</p><section>${html}</section></main>
  <script>hits = []; addEventListener('click', event => hits.push(event.target.closest('[data-it]') !== null), true)
  document.querySelector('main section').querySelectorAll('button,a,[role=button],[onclick]')[0].dataset.it = 1</script>`

test.each(drawn)('a control that is drawn outside its own tiny box has a ref and takes clicks: %s', async html => {
  await using script = await openScriptPage(pageOf(html))
  const found = nodes(await script.snapshot()).find(each => each.interactive)
  expect(`${found?.name} ${found?.text}`).toContain('Buy')
  expect(await script.act(found?.ref ?? '', 'click')).toMatchObject({ ok: true })
  expect(await script.evaluate('hits')).toEqual([true])

  await using session = await openCdpPage(pageOf(html))
  const node = (await session.nodes()).find(each => each.interactive)
  await session.do('click', { ref: node?.ref })
  expect(await session.evaluate('hits')).toEqual([true])
})

test.each(traps)('a control of which nothing is drawn has no ref: %s', async html => {
  await using script = await openScriptPage(pageOf(html))
  for (const interactiveOnly of [true, false])
    expect((await script.text({ interactiveOnly })).replace(/.*\bmain\b.*/, '')).not.toMatch(/Buy|button|link/)
})
