// Words that pages and pagehand write anyway. To redact them would change the sense of a page, and show which word the secret is.

/** about logging in */
const loginWords =
  'password|passwords|passwd|passcode|passphrase|pass|login|logon|logout|signin|signup|user|username|users|guest|admin|administrator|root|account|email|mail|phone|name|welcome|hello|home|wrong|invalid|incorrect|correct|error|failed|failure|success|forgot|forgotten|reset|change|confirm|continue|cancel|remember|show|hide|hidden|enter|sign|code|codes|token|secret|secrets|verify|verification|security|secure|access|private|public|number|card|test|demo|example|default|changeme|letmein|your|with|this|that|from|have|please|again|true|false|null|none|undefined'

/** of HTML, ARIA and snapshots: tags, roles, types, attributes and states */
const markupWords =
  'html|body|head|main|header|footer|aside|article|section|form|label|legend|fieldset|input|button|select|option|options|textarea|output|table|caption|tbody|cell|span|text|textbox|searchbox|search|combobox|listbox|list|listitem|item|checkbox|radio|radiogroup|switch|slider|spinbutton|link|heading|image|figure|graphic|navigation|banner|complementary|contentinfo|region|group|generic|dialog|alertdialog|alert|status|timer|menu|menubar|menuitem|tree|treeitem|grid|gridcell|row|rowgroup|columnheader|rowheader|column|tablist|tabpanel|toolbar|tooltip|progressbar|meter|iframe|frame|canvas|video|audio|date|time|month|week|color|file|range|submit|type|title|value|class|style|href|action|method|placeholder|content|checked|unchecked|selected|expanded|collapsed|pressed|disabled|enabled|readonly|required|optional|current|page|step|location|grammar|spelling|multiple|editable|focus|focused|modal|covered|inert|visible|level|snapshot|browser|session|element|field|fields|effect|note|click|fill|press|scroll|wait|open|close|tabs|http|https|localhost'

const words: ReadonlySet<string> = new Set(`${loginWords}|${markupWords}`.split('|'))

/** Whether a value is one of the words that pages write anyway, also if it is written as "log in" or "log-in". */
export const isOrdinaryWord = (value: string): boolean => words.has(value.toLowerCase().replace(/[\s-]/g, ''))

/** One short word or number, which a page may show without any relation to a secret. Everything else is as good as random. */
export const isPlain = (value: string): boolean => /^(?:\p{L}?[\p{Ll}\p{Lo}]{2,9}|\p{Lu}{3,10}|\d{3,5})$/u.test(value)

const maxWords = 20_000

/** The plain words and short numbers that a session has shown. */
export class ShownWords {
  readonly #words = new Set<string>()

  has(value: string): boolean {
    return this.#words.has(value.toLowerCase())
  }

  /** Adds the strings of a JSON value, except what fields hold: a value that was entered is not text of the page. */
  add(given: unknown): void {
    if (typeof given === 'string') this.#addText(given)
    else if (typeof given === 'object' && given !== null)
      for (const [key, inner] of Object.entries(given)) if (!omittedKeys.has(key)) this.add(inner)
  }

  #addText(text: string): void {
    for (const [word] of text.matchAll(/\p{L}+|\d+/gu)) {
      if (!isPlain(word)) continue
      this.#words.add(word.toLowerCase())
      if (this.#words.size > maxWords) for (const oldest of this.#words) if (this.#words.delete(oldest)) break
    }
  }
}
const omittedKeys: ReadonlySet<string> = new Set(['value', 'effect', 'base64'])
