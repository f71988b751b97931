/** How much of a node its line contains, in characters. */
export interface Detail {
  /** of a name, a text or a value */
  readonly text: number
  readonly attribute: number
  readonly href: number
  /** of the href of a link that has a name */
  readonly namedHref: number
  readonly boxes: boolean
  /** attributes other than placeholder and href, on elements that have a name */
  readonly more: boolean
}

/** One step of saving characters. */
export interface DetailStep {
  readonly detail: Detail
  /** the omitted details, in words for the model */
  readonly omits: string
}

/** The first so many steps are taken for any node that would not fit, the last one only for nodes in view. */
export const mildSteps = 4

/** Details are omitted before nodes are. Each step includes the ones before it. */
export function detailSteps(maxText: number, { summary = false } = {}): readonly DetailStep[] {
  const atMost = (chars: number) => Math.min(maxText, chars)
  const full: Detail = { text: maxText, attribute: maxText, href: maxText, namedHref: summary ? 0 : maxText, boxes: true, more: true }
  const shortHrefs: Detail = { ...full, href: atMost(60), namedHref: Math.min(full.namedHref, 60), boxes: false }
  const noNamedHrefs: Detail = { ...shortHrefs, namedHref: 0 }
  const shortText: Detail = { ...noNamedHrefs, text: atMost(80), attribute: atMost(60) }
  const minimal: Detail = { ...shortText, text: atMost(40), attribute: atMost(30), href: atMost(30), more: false }
  return [
    { omits: '', detail: full },
    { omits: 'hrefs beyond 60 characters', detail: shortHrefs },
    { omits: 'hrefs of named links', detail: noNamedHrefs },
    { omits: 'hrefs of named links, text beyond 80 characters', detail: shortText },
    { omits: 'hrefs and attributes of named elements, text beyond 40 characters', detail: minimal },
  ]
}
