import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import { wordsOf } from '../../../src/render/rank/relevance.ts'

/** The lines of the matches, in their order. */
async function found(name: 'observe' | 'extract', words: string, html: string): Promise<string[]> {
  const query = name === 'observe' ? { task: words } : { query: words }
  const result = await derivedCommandsLayer()(htmlDriver(html))({ name, ...query, offset: 0, maxChars: 20_000 })
  if (!result.ok) throw new Error(result.error.message)
  const { text, matching } = result.data as { text: string; matching: number }
  return text.split('\n').slice(1, 1 + matching)
}

const page = `<h1>宜兴紫砂壶 朱泥西施</h1>
  <dl><dt>价　　格<dd>¥268.00</dl><dl><dt>快递<dd>满99包邮</dl>
  <p>上市三年，5星好评超过两千条。</p><p>iPhone手机壳另售</p>
  <a href=/cart>购物车0件</a> <button>加入购物车</button> <button>立即购买</button> <button>收 藏</button>
  <a href=/s>搜　索</a> <a href=/login>登录</a> <button>匯出</button> <input aria-label="姓　名">`

test.each([
  ['extract', '价格', '价 格'],
  ['extract', '多少钱', '价 格'],
  ['extract', '好评', '5星好评'],
  ['extract', '手机', 'iPhone手机壳'],
  ['extract', '物流', '快递'],
  ['observe', '搜索', '搜 索'],
  ['observe', '查询', '搜 索'],
  ['observe', '登陆', '登录'],
  ['observe', '收藏', '收 藏'],
  ['observe', '买', '立即购买'],
  ['observe', '立即購買', '立即购买'],
  ['observe', '导出 汇出', '匯出'],
  ['observe', '姓名', '姓 名'],
  ['observe', '加购物车', '加入购物车'],
] as const)('%s finds %s first where the page says %s, which is printed as it is (C17)', async (name, words, says) => {
  expect((await found(name, words, page))[0]).toContain(says)
})

test('words that the page does not say in any form find nothing', async () => {
  for (const words of ['发票', '租车', '天气', '龙']) {
    expect(await found('extract', words, page)).toEqual([])
    expect(await found('observe', words, page)).toEqual([])
  }
})

test('letters and digits beside Chinese are words of their own', () => {
  expect(wordsOf('iPhone手机 5星好评')).toEqual(['iphone', '手机', '5', '星好', '好评', '~评价'])
  expect(wordsOf('提　交')).toEqual(['提交'])
  expect(wordsOf('ラーメン2杯')).toEqual(['ラー', 'ーメ', 'メン', '2', '杯'])
})
