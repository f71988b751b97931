/**
 * Why a command has a class. Each is one sentence in our own words; other languages translate its code.
 *
 * @example
 * const sentence = riskReasons.send_form
 */
export const riskReasons = {
  unknown_command: 'It is not a command that pagehand knows.',
  reads: 'It only reads.',
  shows: 'It changes only what is shown.',
  back: 'It goes back in the history of the tab.',
  forward: 'It goes forward in the history of the tab.',
  reload: 'It loads the page again.',
  send_again: 'The page is the answer to a form, which loading it again sends again.',
  unknown_load: 'It is not known how the page was loaded, so loading it again may send a form again.',
  own_page: 'It opens a page of the sites of this run, or an empty one.',
  other_site: 'It opens another site than those of this run.',
  page_part: 'The link goes to a part of this page.',
  script_link: 'The link runs a script of the page.',
  download_link: 'The link downloads a file.',
  download_began: 'The page has begun to download a file.',
  click: 'It clicks on the page.',
  unknown_element: 'The element could not be inspected, so it may send a form.',
  words_pay: 'Its words mean to pay or order.',
  words_delete: 'Its words mean to delete or end something.',
  words_submit: 'Its words mean to send or publish something.',
  words_download: 'Its words mean to download a file.',
  dialog_pay: 'The dialog that it confirms is about paying or ordering.',
  dialog_delete: 'The dialog that it confirms is about deleting or ending something.',
  dialog_submit: 'The dialog that it confirms is about sending or publishing something.',
  dialog_download: 'The dialog that it confirms is about downloading a file.',
  shows_amount: 'It shows an amount of money, and only a script decides what it does.',
  unknown_words: 'Its words are in a language that is not understood here, and only a script decides what it does.',
  many_controls: 'It contains more controls than were inspected, so it may send a form.',
  set_field: 'It sets a field.',
  fill_field: 'It fills in a field.',
  named_secret: 'It enters a named secret.',
  fill_secret: 'It fills in a password, a code or a card number.',
  unknown_field: 'The field could not be inspected, so it may be a password.',
  unknown_fields: 'The fields could not be inspected.',
  drag: 'It moves an element of the page.',
  give_files: 'It gives files of this machine to the page.',
  choose_files: 'It chooses files of this machine.',
  run_code: 'It runs code in the page.',
  dismiss_dialog: 'It dismisses a dialog.',
  confirm_dialog: 'It confirms what a dialog of the page asks.',
  close_dialog: 'It closes a dialog of the page.',
  send_form: 'It sends a form.',
  form_to_other_site: 'The form goes to another site than those of this run.',
  send_key: 'Many editors send their text with this key.',
  move_focus: 'It moves the focus or the caret.',
  change_value: 'It may change the value of a field.',
  page_shortcut: 'No text field has the focus, so the key may be a shortcut of the page.',
  type_secret: 'It types into a password, a code or a card number.',
  type_text: 'It types into the page.',
  unknown_focus: 'The focused element could not be inspected, and Enter may send a form.',
  enter_may_send: 'Enter may send what was typed: chat, comment and mail boxes do that without a form.',
} as const

/**
 * The code of a reason.
 *
 * @example
 * const reason: RiskReason = 'send_form'
 */
export type RiskReason = keyof typeof riskReasons
