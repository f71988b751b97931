/** Fields that say only by their visible label or by their value that they are secret; VALUE is where the value is. */
export const labelledSecrets: readonly (readonly [title: string, html: string])[] = [
  ['a label that is justified with an ideographic space', '<label>密　　码<input value="VALUE"></label>'],
  ['a label with spaces between all characters', '<label>验 证 码：<input value="VALUE"></label>'],
  ['a label with other white space and invisible characters', '<label>查\u2003询\u00a0密\u200b码<input value="VALUE"></label>'],
  ['a placeholder with spaces', '<input placeholder="请 输 入 口 令" value="VALUE">'],
  ['a Traditional label', '<label>信用卡卡號<input value="VALUE"></label>'],
  ['a Traditional label with spaces', '<label>驗　證　碼<input value="VALUE"></label>'],
  ['a Traditional identity card', '<label>身分證字號<input value="VALUE"></label>'],
  ['full-width letters', '<label>ＣＶＮ２<input value="VALUE"></label>'],
  ['the number of a document', '<label>证件号码<input value="VALUE"></label>'],
  ['the number of a social insurance', '<label>社会保障号<input value="VALUE"></label>'],
  ['a bank account', '<label>银行账号<input value="VALUE"></label>'],
  ['a Traditional bank account', '<label>銀行帳號<input value="VALUE"></label>'],
  ['a passport', '<label>护照号<input value="VALUE"></label>'],
  ['an SMS code', '<label>短信码<input value="VALUE"></label>'],
  ['a random code', '<label>随机码<input value="VALUE"></label>'],
  ['a dynamic code', '<label>动态口令<input value="VALUE"></label>'],
  ['the cell before it', '<table><tr><td>密码：</td><td><input value="VALUE"></td></tr></table>'],
  [
    'the cell before it, in a row of several fields',
    '<table><tr><td>姓名：</td><td><input value=Li></td><td><b>*</b>身份证号：</td><td><div><input value="VALUE"></div></td></tr></table>',
  ],
  ['a header cell', '<table><tr><th>支付密码</th><td><input value="VALUE"></td></tr></table>'],
  [
    'the header of its column',
    '<table><thead><tr><th>户名<th>银行卡号</thead><tbody><tr><td><input value=Li><td><input value="VALUE"></tbody></table>',
  ],
  ['the dt before it', '<dl><dt>姓名<dd><input value=Li><dt>身份证号<dd><input value="VALUE"></dl>'],
  [
    'a label without for, beside a block with the field',
    '<div class=layui-form-item><label class=layui-form-label>银行卡号</label><div class=layui-input-block><input name=yhk value="VALUE"></div></div>',
  ],
  [
    'a label without for, the second in a row',
    '<div><div><label>手机号</label><div><input value=1></div></div><div><label>验证码</label><div><input name=yzm value="VALUE"></div></div></div>',
  ],
  ['a span before it', '<p><span>支付密码：</span><input value="VALUE"></p>'],
  ['a bare text before it', '<div>您的密码：<input value="VALUE"></div>'],
  ['a text in a block before it', '<div><div>短信验证码</div><div><div><input value="VALUE"></div></div></div>'],
  [
    'a label, with a list and a link between it and the field',
    '<p>证件号码 <a href=#>帮助</a><select><option>身份证<option>护照</select><input value="VALUE"></p>',
  ],
  ['a label that floats above the field', '<div><input placeholder=" " value="VALUE"><label>Password</label></div>'],
  ['an English label without for', '<div><label>Security code</label><div><input name=f7 value="VALUE"></div></div>'],
  ['an English text before it', '<p>Card number <input name=f8 value="VALUE"></p>'],
]

export const valuedSecrets: readonly (readonly [title: string, value: string])[] = [
  ['a Chinese identity card', '11010519491231002X'],
  ['a Visa card', '4539148803436467'],
  ['a card in groups', '5105 1051 0510 5100'],
  ['a UnionPay card of nineteen digits', '6212345678901234569'],
  ['an American Express card', '371449635398431'],
]

/** What a page shows beside or in a field that only resembles a secret. */
export const openFields: readonly (readonly [title: string, html: string])[] = [
  ['the number of a membership card', '<label>会员卡号<input value="VALUE"></label>'],
  ['a text behind the label of a password', '<p>密码：<input type=password><br>昵称：<input value="VALUE"></p>'],
  ['a field after another without a label', '<p>密码：<input type=password> <input placeholder=昵称 value="VALUE"></p>'],
  ['a heading', '<h2>修改密码</h2><div><input placeholder=昵称 value="VALUE"></div>'],
  ['a link', '<p><a href=#>忘记密码</a> <input placeholder=昵称 value="VALUE"></p>'],
  ['the row above', '<table><tr><td>密码<td><input type=password><tr><td>备注<td><input value="VALUE"></table>'],
  ['another column', '<table><tr><th>密码<th>备注<tr><td><input type=password><td><input value="VALUE"></table>'],
  ['a search after a sentence about codes', '<p>Verification code</p><input type=search value="VALUE">'],
  ['a paragraph', `<p>${'我们不会向您索要密码。'.repeat(6)}</p><input value="VALUE">`],
]
export const openValues: readonly string[] = [
  '4539148803436468', // the check digit is wrong
  '110105194912310021', // the check character is wrong
  '1763459123456', // a time in milliseconds
  '20261118123456789', // the number of an order
  '490154203237518', // an IMEI, which has a Luhn digit too
  '6901234567892', // an article
]
