/** Page text never comes longer than asked, and never ends inside a surrogate pair. */
export function cut(text: unknown, most: number): string {
  const whole = String(text)
  if (whole.length <= most) return whole
  const end = /[\ud800-\udbff]/.test(whole[most - 2] ?? '') ? most - 2 : most - 1
  return `${whole.slice(0, end)}…`
}

/** Page text inside a sentence of ours: one line, in quotes, so that it cannot pass for our words. */
export const quote = (text: unknown, most = 200): string =>
  JSON.stringify(cut(text, most)).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, escaped)

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
