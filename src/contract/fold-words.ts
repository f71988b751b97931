import { simplifiedCharacters } from './simplified-characters.generated.ts'

/**
 * A text as it is compared with other words: NFKC, lower case, one space between words, no invisible characters, no spaces between Han
 * characters, Simplified instead of Traditional characters, and Latin letters for look-alikes in words that mix scripts. Both sides of a
 * comparison must be folded: Japanese words change too. For display, the text stays as it is.
 *
 * A word that mixes scripts is read as Latin if each of its letters looks like a Latin one (`Рay` with a Cyrillic letter), else as Cyrillic
 * if each letter looks like a Cyrillic one (`oплатить`), else it stays (`SMSкод`). Words of one script stay, so that Russian and Greek words
 * are always themselves: `foldLookalikes` is the second reading for callers that must not miss a disguised word.
 */
export function foldWords(text: string): string {
  return fold(text, false)
}

/** `foldWords`, and words of one script whose letters all look like Latin ones are read as Latin: `рау` in Cyrillic letters as `pay`. */
export function foldLookalikes(text: string): string {
  return fold(text, true)
}

/**
 * Each character that `foldWords` replaces by a Han character of this text, followed by that character: for a comparison where the whole
 * table is not known, such as in a page.
 */
export function variantPairs(text: string): string {
  const characters = new Set(foldWords(text).match(/[\u4e00-\u9fff]/g))
  if (characters.size === 0) return ''
  return [...simplified()].flatMap(pair => (characters.has(pair[1]) ? pair : [])).join('')
}

/** Separates the words of camelCase and snake_case names. Before `foldWords`, which loses the case. */
export function splitWords(text: string): string {
  return text
    .replace(/_+/g, ' ')
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
}

/** ASCII without control characters: only case and spaces differ */
const plain = /^[\t\n\r -~]*$/

function fold(text: string, readsAsLatin: boolean): string {
  if (plain.test(text)) return oneSpace(text.toLowerCase())
  const visible = text.replace(invisible, '').normalize('NFKC').replace(invisible, '').replace(phoneticLetters, toLatin)
  const latin = visible.replace(alphabeticWords, word => foldWord(word, readsAsLatin))
  const lower = latin
    .toLowerCase()
    .replace(/[iı]\u0307*/g, 'i')
    .replace(/ς/g, 'σ')
    .normalize('NFKC')
  return oneSpace(lower)
    .replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1')
    .replace(/[\u4e00-\u9fff]/g, character => simplified().get(character) ?? character)
}

const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** zero-width characters, soft hyphens, bidi and other format controls, variation selectors, tags and control characters that are no space */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f]/gu

let simplifiedMap: ReadonlyMap<string, string> | undefined
const simplified = (): ReadonlyMap<string, string> => {
  simplifiedMap ??= toMap(simplifiedCharacters)
  return simplifiedMap
}

/** from characters that alternate: one, its replacement, the next one, … */
function toMap(pairs: string): Map<string, string> {
  const characters = [...pairs]
  return new Map(characters.flatMap((from, index) => (index % 2 === 0 ? [[from, characters[index + 1] ?? from]] : [])))
}

// Letters of other scripts that look like a Latin letter, in one of their cases. Greek capitals and small letters look like different ones.
const cyrillic = 'аaвbсcԁdеeһhнhіiјjкkмmоoрpԛqѕsтtѵvԝwуyүyхx'
const greek = 'ΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxαaβbγyεeηnιiκkνvοoρpσoςoτtυuχxωw'
const armenian = 'հhյjոnզqօoսuցgՏsՍu'
const cherokee = 'ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎫjᏦkᏞlᎷmᏢpᎡrᏚsᎢtᏙvᎳwᎩyᏃz'
const lisu = 'ꓮaꓐbꓚcꓓdꓰeꓝfꓖgꓧhꓲiꓙjꓗkꓡlꓟmꓠnꓳoꓑpꓣrꓢsꓔtꓴuꓦvꓪwꓫxꓬyꓜz'
const lookalikes = toMap(cyrillic + greek + armenian + cherokee + lisu)
for (const [letter, latin] of [...lookalikes]) {
  const small = letter.toLowerCase()
  if (!lookalikes.has(small)) lookalikes.set(small, latin)
}
/** the Cyrillic letters of Russian and Ukrainian words that look like Latin ones */
const cyrillicOf = toMap('aаbвcсeеhнiіkкmмoоpрtтyуxх')

const scripts = 'Cyrillic|Greek|Armenian|Cherokee|Lisu'.split('|')
const otherLetters = scripts.map(script => `\\p{Script=${script}}`).join('')
/** words with a letter of the scripts that have look-alikes */
const alphabeticWords = new RegExp(`[\\p{Script=Latin}\\p{M}]*[${otherLetters}][\\p{Script=Latin}\\p{M}${otherLetters}]*`, 'gu')
const isLatin = /\p{Script=Latin}/u
const isCyrillic = /\p{Script=Cyrillic}/u

function foldWord(word: string, readsAsLatin: boolean): string {
  const letters = [...word].filter(character => !/\p{M}/u.test(character))
  const lookalikeOf = (letter: string) => lookalikes.get(letter) ?? lookalikes.get(letter.toLowerCase())
  const isMixed = letters.some(letter => isLatin.test(letter)) || new Set(letters.map(scriptOf)).size > 1
  if (!isMixed && !readsAsLatin) return word
  if (letters.every(letter => isLatin.test(letter) || lookalikeOf(letter)))
    return [...word].map(letter => (isLatin.test(letter) ? letter : (lookalikeOf(letter) ?? letter))).join('')
  const toCyrillic = (letter: string) => (isCyrillic.test(letter) ? letter : cyrillicOf.get(letter.toLowerCase()))
  if (letters.every(toCyrillic)) return [...word].map(letter => toCyrillic(letter) ?? letter).join('')
  return word
}

const scriptPatterns = scripts.map(script => new RegExp(`\\p{Script=${script}}`, 'u'))
const scriptOf = (letter: string): number => scriptPatterns.findIndex(pattern => pattern.test(letter))

// letters that NFKC keeps: small capitals, script a and g, and the letters in black circles and squares
const smallCapitals = toMap('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzⱭaɑaꞬgɡgꞮiƦr')
const phoneticLetters = new RegExp(`[${[...smallCapitals.keys()].join('')}\\u{1f150}-\\u{1f169}\\u{1f170}-\\u{1f189}]`, 'gu')
const toLatin = (letter: string): string =>
  smallCapitals.get(letter) ?? String.fromCodePoint(0x61 + (((letter.codePointAt(0) ?? 0) - 0x1f150) % 0x20))
