/** How much of a node its line tells. */
export interface Detail {
  /** characters of a name, a text, a value */
  readonly text: number
  readonly attribute: number
  readonly href: number
  /** characters of the href of a link that has a name */
  readonly namedHref: number
  readonly boxes: boolean
  /** attributes other than placeholder and href, on elements that have a name */
  readonly more: boolean
}

/** One step of saving characters, with the words that tell the model what is missing. */
export interface Step {
  readonly says: string
  readonly detail: Detail
}

/** so many of these are taken for any node that would not fit; the last only for the sake of what is in view */
export const mildSteps = 4

/** What is shed before a node is: each step includes those before it. */
export function steps(most: number): readonly Step[] {
  const full: Detail = { text: most, attribute: most, href: most, namedHref: most, boxes: true, more: true }
  const short: Detail = { ...full, href: Math.min(most, 60), namedHref: Math.min(most, 60), boxes: false }
  const unlinked: Detail = { ...short, namedHref: 0 }
  const brief: Detail = { ...unlinked, text: Math.min(most, 80), attribute: Math.min(most, 60) }
  const bare: Detail = { ...brief, text: Math.min(most, 40), attribute: Math.min(most, 30), href: Math.min(most, 30), more: false }
  return [
    { says: '', detail: full },
    { says: 'hrefs beyond 60 characters', detail: short },
    { says: 'hrefs of named links', detail: unlinked },
    { says: 'hrefs of named links, text beyond 80 characters', detail: brief },
    { says: 'hrefs and attributes of named elements, text beyond 40 characters', detail: bare },
  ]
}
