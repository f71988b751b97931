import { redacted } from '../contract/page-api.ts'
import { Scrubber } from '../secrets/scrubber.ts'

/** A goal without what was typed into fields that hide it. A code of three figures counts as well where it is a word: it is not a price here. */
export function withoutWords(goal: string, words: readonly string[]): string {
  const scrubber = new Scrubber()
  scrubber.add(words, () => false)
  const codes = words.filter(word => /^\d{3}$/.test(word))
  return codes.reduce(
    (text, code) => text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${code}(?![\\p{L}\\p{N}])`, 'gu'), redacted),
    scrubber.text(goal),
  )
}

const secretFields =
  'pass ?words?|pass ?codes?|pass ?phrases?|passwd|pwd|pin|otp|token|secrets?|api ?keys?|cvv2?|cvc2?|cvn2?|card ?numbers?|(?:verification|security|login|one.time|access|auth) ?codes?'
const chineseFields = '密\\s*[码碼]|口\\s*令|[验驗]\\s*[证證]\\s*[码碼]|校[验驗][码碼]|卡[号號]|身[份分][证證]号?|令牌|密[钥鑰]|CVN2?'
const value = '(?:"([^"]+)"|\'([^\']+)\'|“([^”]+)”|「([^」]+)」|([^\\s,，。;；、"“「]*[^\\s,，。;；、"“「.!?]))'
const credentials = [
  // type X into Password, 在密码中输入 X
  `(?:type|enter|put|write|fill(?: in)?|use|set)\\s+${value}\\s+(?:in|into|as|for|to)\\s+(?:the |my |a |field )*(?:\\S+ ){0,2}?["“]?(?:${secretFields})`,
  `(?:${chineseFields})[^,，。;；\\w]{0,6}?(?:输入|填写|填入|设为|改为)\\s*${value}`,
  // password: X, password with X, password X, 密码是 X, 密码 X
  `(?:${secretFields})["”]?(?:\\s+(?:field|box))?\\s*(?:\\s(?:is|with|to|as|of)\\s|[:：=])\\s*${value}`,
  `(?:and|with|the|my|,)\\s+(?:${secretFields})\\s+${value}(?=\\s*(?:$|[,.;，。；]|and\\b|then\\b))`,
  `(?:${chineseFields})["”」]?\\s*(?:是|为|填|用|[:：=])?\\s*${value}`,
  // log in as ann / X, 用 li / X 登录
  `(?:log|sign)\\s?in\\s+(?:as|with|using)\\s+\\S+\\s*/\\s*${value}`,
  `用\\s*\\S+?\\s*/\\s*([^\\s,，。;；/]+?)\\s*登`,
].map(pattern => new RegExp(pattern, 'giu'))

/**
 * A goal without the words that it gives for fields of passwords, codes and cards, whether or not they have been typed: for a file that others
 * may read. It can also remove a word that is no secret; the goal of a recording only says what it is for.
 */
export function withoutCredentials(goal: string): string {
  const words = credentials.flatMap(pattern =>
    [...goal.matchAll(pattern)].flatMap(([, ...groups]) => groups.find(each => each !== undefined) ?? []),
  )
  return words
    .filter(word => word !== redacted && !/^(?:field|box|input|page|and|the|into|in|is)$/i.test(word))
    .sort((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, redacted), goal)
}
