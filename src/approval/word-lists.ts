import type { ActionClass } from '../contract/approval.ts'

/** The classes that words can name. */
export type WordClass = Extract<ActionClass, 'pay' | 'delete' | 'submit' | 'download'>

/** Words on a control that say what it does. */
interface WordList {
  readonly class: WordClass
  /** whole words in any case */
  readonly english: readonly string[]
  /** the same words mean something else in these phrases */
  readonly notEnglish: readonly string[]
  /** Chinese has no word boundaries: matched anywhere */
  readonly chinese: readonly string[]
  readonly notChinese: readonly string[]
}

const phrases = (list: string): readonly string[] => list.trim().split(/\s*,\s*/)

export const wordLists: readonly WordList[] = [
  {
    class: 'pay',
    english: phrases(`
      pay, buy, purchase, place order, place your order, place my order, order now, submit order, confirm order, complete order,
      send order, complete purchase, confirm purchase, confirm payment, make payment, submit payment, book now, confirm booking,
      confirm reservation, reserve now, subscribe, start subscription, donate, transfer, send money, top up, place bid, bid now,
      upgrade now, start trial, start free trial, rent now, withdraw
    `),
    notEnglish: phrases(`
      pay attention, pay slip, pay slips, pay stub, pay stubs, pay grade, how to pay, ways to pay, pay scale, why buy, buy list,
      best buy, buy guide, how to buy, where to buy, purchase history, purchase orders, purchase order, transfer history,
      subscribe to newsletter, transfer files, file transfer, customers also buy
    `),
    chinese: phrases(
      `支付, 付款, 购买, 下单, 提交订单, 确认订单, 买单, 充值, 转账, 打赏, 捐款, 捐赠, 提现, 立即预订, 确认预订, 立即订购, 开通会员, 立即开通`,
    ),
    notChinese: phrases(
      `支付方式, 支付设置, 支付记录, 支付说明, 已支付, 付款方式, 付款记录, 已付款, 待付款, 待支付, 购买记录, 购买须知, 购买指南, 已购买, 下单时间, 转账记录, 充值记录, 提现记录, 支付宝帮助`,
    ),
  },
  {
    class: 'delete',
    english: phrases(`
      delete, remove, erase, destroy, wipe, trash, move to trash, move to bin, empty trash, empty bin, clear all, clear history,
      discard, deactivate, terminate, close account, cancel order, cancel subscription, cancel booking, cancel membership,
      cancel account, end subscription, unsubscribe, revoke, uninstall, archive, factory reset, reset all, permanently
    `),
    notEnglish: phrases(`
      remove filter, remove filters, remove tag filter, remove highlight, remove formatting, remove all filters, delete key,
      clear all filters, trash can, internet archive, archive of, news archive, do not delete, recently deleted
    `),
    chinese: phrases(
      `删除, 移除, 清空, 清除记录, 注销, 取消订单, 取消订阅, 取消预订, 退订, 解散, 销毁, 永久, 解绑, 停用, 卸载, 移到回收站, 移至回收站`,
    ),
    notChinese: phrases(`删除线, 已删除, 最近删除, 清空筛选, 移除筛选, 清空搜索, 未删除, 永久链接, 注销说明`),
  },
  {
    class: 'submit',
    english: phrases(`
      publish, post, post comment, send, submit, tweet, reply, sign up, register, create account, apply now, apply for, authorize,
      authorise, grant access, allow access, approve, sign and send, sign document, invite, share publicly, go live, deploy,
      merge pull request, release, send message, send email, confirm
    `),
    notEnglish: phrases(`
      post office, blog post, next post, previous post, post code, posted, view post, read post, older post, latest post,
      cash register, send feedback to, release notes, release date, reply count, by post, top post, this post, post title,
      confirm password, how to apply, press release, sent items, send later options, see release
    `),
    chinese: phrases(`发布, 发送, 提交, 发表, 投稿, 发帖, 回复, 注册, 报名, 授权, 批准, 签署, 邀请, 上线, 确认`),
    notChinese: phrases(
      `发布时间, 发布于, 发布日期, 发送记录, 提交记录, 已发送, 已发布, 已提交, 注册表, 发布会, 回复数, 确认密码, 批准文号, 查看回复`,
    ),
  },
  {
    class: 'download',
    english: phrases(`download, export, save as`),
    notEnglish: phrases(`
      download history, download center, download centre, download page, about the download, export control, export policy
    `),
    chinese: phrases(`下载, 导出, 另存为`),
    notChinese: phrases(`下载记录, 下载中心, 下载量, 下载次数, 已下载`),
  },
]
