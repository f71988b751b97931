/**
 * What `inspect` knows about an element: what it is, where it is, and what a click or Enter on it does by itself, without scripts. Approvals
 * are decided and bound by it.
 *
 * @example
 * const { role, name, submits }: TargetFacts = await session.inspect({ ref: 'e12' })
 * if (submits) console.log(`${role} "${name}" sends a form to ${submits.action}`)
 */
export interface TargetFacts extends ControlFacts {
  /** URL of the page */
  readonly url: string
  /** origin of the document that contains the element, which may be a frame */
  readonly origin: string
  /** the landmarks, containers and items around it, with their names: `main > form "Checkout"` */
  readonly path: string
  /** the form that Enter in the element submits */
  readonly enterSubmits?: FormTarget
  /** the value of the field must not leave the page: a password, a code, a card number */
  readonly secret?: true
  /** it is, or is in, an element whose content can be edited */
  readonly editable?: true
  /** the words of the dialog around it, the first and the last ones of a long text */
  readonly dialog?: string
  /** the other controls that a press on it operates: those at the point that is pressed, or, if it is not in view, all in the element */
  readonly reaches?: readonly ControlFacts[]
  /** it has more controls than `reaches` lists */
  readonly isVague?: true
  /** the fields around an element that sends no form by itself: a script may send them */
  readonly data?: SentData
  /** the texts of the options that `values` chooses */
  readonly chosen?: readonly string[]
}

/**
 * What a control is and says, and what the browser does when it is clicked.
 *
 * @example
 * const isLink = ({ href }: ControlFacts) => href !== undefined
 */
export interface ControlFacts {
  readonly role: string
  readonly name: string
  /** lower-case tag name */
  readonly tag: string
  /** the type of an input or button */
  readonly type?: string
  /** the form that a click on the element submits */
  readonly submits?: FormTarget
  /** the URL of the link that a click follows */
  readonly href?: string
  /** the link, or the one around it, downloads a file */
  readonly download?: true
  /** the words on or in it, the first and the last ones of a long text; never the value of a field */
  readonly text?: string
}

/**
 * Where a form is sent.
 *
 * @example
 * const isLocal = ({ action }: FormTarget) => new URL(action).origin === location.origin
 */
export interface FormTarget {
  /** absolute URL */
  readonly action: string
  readonly method: 'get' | 'post' | 'dialog'
  /** the name of the button that sends it: the one that is clicked, or the default one, which Enter presses */
  readonly button?: string
  /** what is sent */
  readonly data?: SentData
}

/**
 * The data that an action may send: what a person is shown, and a digest of all of it.
 *
 * @example
 * const text = ({ fields }: SentData) => fields.map(({ label, value }) => `${label}: ${value}`).join(', ')
 */
export interface SentData {
  /**
   * a digest of the names and values of all fields, hidden and secret ones too, and of method, URL and encoding. It is keyed by the driver
   * with a random key of its session, which never leaves it: equal digests of one session mean equal data, and nobody else can learn
   * anything from one
   */
  readonly digest?: string
  /** the fields that have a value, in the order of the page */
  readonly fields: readonly SentField[]
  /** number of fields that are not listed, because there are too many */
  readonly more?: number
  /** number of hidden fields, which are part of the digest only */
  readonly hidden?: number
}

/**
 * A field as a person may read it. Both are the page's words, except `[secret]`.
 *
 * @example
 * const isSecret = ({ value }: SentField) => value === '[secret]'
 */
export interface SentField {
  readonly label: string
  /** what is in it, `checked`, the names of files, or `[secret]` */
  readonly value: string
}

/** in place of the value of a password, a code or a card number */
export const secretValue = '[secret]'

/** most fields of a list, and their longest texts in characters */
export const sentDataLimits = { fields: 20, label: 60, value: 100, digest: 40 } as const

/** longest texts of the facts, in characters; `reaches` and `chosen` are numbers of items */
export const targetLimits = { url: 2_000, name: 200, path: 300, text: 200, type: 40, dialog: 400, reaches: 8, chosen: 20 } as const
