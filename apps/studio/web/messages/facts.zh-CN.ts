import { redacted } from '../../../../src/contract/page-api.ts'
import { dialogName } from './dialog-name.ts'
import type { FactMessages } from './fact-messages.ts'
import { problemsZhCN } from './problems.zh-CN.ts'

const quoted = (texts: readonly string[]) => texts.map(text => `“${text}”`).join('、')
const dialogs: { readonly [type: string]: string } = {
  alert: '提示框',
  confirm: '确认框',
  prompt: '输入框',
  beforeunload: '离开页面的确认',
}

export const factsZhCN: FactMessages = {
  reasons: {
    unknown_command: '这不是 pagehand 认识的命令。',
    reads: '它只读取内容。',
    shows: '它只改变显示的内容。',
    back: '它在标签页的历史中后退。',
    forward: '它在标签页的历史中前进。',
    reload: '重新加载页面。',
    send_again: '此页面是提交表单后的结果，重新加载会再次提交表单。',
    unknown_load: '不清楚此页面是如何加载的，重新加载可能会再次提交表单。',
    own_page: '它打开本次运行站点内的页面，或空白页。',
    other_site: '它打开本次运行站点以外的站点。',
    page_part: '链接指向本页的某个部分。',
    script_link: '链接会运行页面的脚本。',
    download_link: '链接会下载文件。',
    download_began: '页面已开始下载一个文件。',
    click: '它在页面上点击。',
    unknown_element: '无法检查该元素，因此它可能会提交表单。',
    words_pay: '从文字看，它会付款或下单。',
    words_delete: '从文字看，它会删除或终止某项内容。',
    words_submit: '从文字看，它会发送或发布内容。',
    words_download: '从文字看，它会下载文件。',
    dialog_pay: '它所确认的对话框与付款或下单有关。',
    dialog_delete: '它所确认的对话框与删除或终止某项内容有关。',
    dialog_submit: '它所确认的对话框与发送或发布内容有关。',
    dialog_download: '它所确认的对话框与下载文件有关。',
    shows_amount: '其中显示了金额，而点击的结果只由页面脚本决定。',
    unknown_words: '其文字所用的语言不在识别范围内，而点击的结果只由页面脚本决定。',
    many_controls: '其中的控件太多，无法逐一检查，因此可能会提交表单。',
    set_field: '它设置一个字段。',
    fill_field: '它填写一个字段。',
    named_secret: '填入一个已命名的密钥。',
    fill_secret: '它填写密码、验证码或卡号。',
    unknown_field: '无法检查该字段，因此它可能是密码。',
    unknown_fields: '无法检查这些字段。',
    drag: '它移动页面上的元素。',
    give_files: '它把本机的文件交给页面。',
    choose_files: '它选择本机的文件。',
    run_code: '它在页面中运行代码。',
    dismiss_dialog: '它关闭一个对话框。',
    confirm_dialog: '它确认页面对话框所询问的内容。',
    close_dialog: '它关闭页面的对话框。',
    send_form: '它提交表单。',
    form_to_other_site: '表单会发送到本次运行站点以外的站点。',
    send_key: '许多编辑器用这个按键发送内容。',
    move_focus: '它移动焦点或光标。',
    change_value: '可能会改变字段的值。',
    page_shortcut: '焦点不在文本框中，这个按键可能是页面的快捷键。',
    type_secret: '它在密码、验证码或卡号字段中输入。',
    type_text: '它在页面中输入文字。',
    unknown_focus: '无法检查当前焦点所在的元素，而回车键可能会提交表单。',
    enter_may_send: '按回车键可能会发送已输入的内容。',
  },
  clause: ({ classes, origin, isTo }) => {
    if (isTo) return origin === undefined ? '前往任何站点' : `前往 ${origin}`
    return `${origin === undefined ? '在任何站点上' : `在 ${origin} 上`}${classes.join('、')}`
  },
  clauseSeparator: '；',
  effects: {
    value: value => (value === redacted ? '已填写' : value === '' ? '现在为空' : `现在为${quoted([value])}`),
    characters: characters => `${characters.toLocaleString('zh-CN')} 个字符`,
    checked: checked => (checked === 'mixed' ? '部分勾选' : checked ? '已勾选' : '已取消勾选'),
    selected: options => (options.length === 0 ? '未选择任何项' : `选择了${quoted(options)}`),
    expanded: expanded => (expanded ? '已展开' : '已收起'),
    pressed: pressed => (pressed === 'mixed' ? '部分开启' : pressed ? '已开启' : '已关闭'),
    files: files => `文件${quoted(files)}`,
    submitted: submitted => (submitted ? '表单已提交' : '页面自行处理表单'),
    invalid: ({ message }) => `表单未提交：${quoted([message])}`,
    url: url => `现在位于 ${url}`,
    dialog: dialog => (dialogName(dialog) === '' ? '打开了对话框' : `打开了对话框：${quoted([dialogName(dialog)])}`),
    answered: ({ type, message, accepted }) =>
      `${accepted ? '接受' : '取消'}了${dialogs[type] ?? '对话框'}${message === '' ? '' : quoted([message])}`,
    focus: () => '',
    scroll: () => '已滚动',
    gone: () => '元素已消失',
    changed: ({ added, removed, altered, text }) => {
      const counts = [added && `新增 ${added}`, removed && `移除 ${removed}`, altered && `更改 ${altered}`].filter(Boolean).join('，')
      return text === undefined || text === '' ? `页面有变化（${counts}）` : `页面新内容：${quoted([text])}`
    },
  },
  noEffect: '未观察到变化',
  fields: count => `${count} 个字段`,
  read: characters => `读取了 ${characters.toLocaleString('zh-CN')} 个字符`,
  separator: '，',
  ends: {
    max_steps: '在达成目标之前，运行已达到步数上限。',
    max_cost: '在达成目标之前，运行已用尽预算。',
    max_time: '在达成目标之前，运行已达到时间上限。',
    loop: '运行重复了相同的调用，但没有任何变化。',
    aborted: '运行已被停止。',
    denied: '运行请求的操作被拒绝。',
    needs_approval: '运行正在等待决定。',
  },
  problems: problemsZhCN,
}
