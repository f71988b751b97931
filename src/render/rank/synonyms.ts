// Chinese pages use other words than tasks do. Short lists: a word that means several things finds too much.
const groups = [
  '价格 价钱 多少钱 售价 单价 到手价',
  '登录 登陆 登入',
  '注册 开户 申请账号',
  '搜索 查询 查找 检索',
  '购买 下单 抢购 订购 买它',
  '运费 邮费 快递费 配送费 包邮',
  '物流 快递 配送 发货 送货 运费',
  '退货 退款 退换',
  '评价 评论 好评 差评',
  '客服 人工服务 联系我们',
  '优惠券 优惠 折扣 红包',
  '收藏 关注 想要',
  '库存 现货 有货 缺货',
  '电话 手机号 联系方式',
  '结算 结账 去支付 付款',
].map(words => words.split(' '))

/** A token for each group of synonyms that a folded text has a word of. It cannot be a word of a page. */
export const groupsOf = (folded: string): readonly string[] =>
  /\p{Script=Han}/u.test(folded) ? groups.flatMap(words => (words.some(word => folded.includes(word)) ? [`~${words[0]}`] : [])) : []

export const isGroup = (token: string): boolean => token.startsWith('~')
