/**
 * What the names of its attributes say about an element, as bits: most elements have only attributes that mean nothing here (class, style,
 * data-…), and then most questions need no look at the attributes.
 */
export const hasAny = 1
export const hasHidden = 2
export const hasInert = 4
export const hasRole = 8
/** any attribute of ARIA */
export const hasAria = 16
export const hasAriaHidden = 32
/** aria-label or aria-labelledby: its name is not its content */
export const hasLabel = 64
/** an attribute that may make it a control, see candidates.ts */
export const hasAction = 128
export const hasDraggable = 256
export const hasTitle = 512
export const hasPlaceholder = 1_024
export const hasId = 2_048

/** the bits by name: a page has few different attributes */
const flagsByName = new Map<string, number>([
  ['hidden', hasAny | hasHidden],
  ['inert', hasAny | hasInert],
  ['role', hasAny | hasRole],
  ['aria-hidden', hasAny | hasAria | hasAriaHidden],
  ['aria-label', hasAny | hasAria | hasLabel],
  ['aria-labelledby', hasAny | hasAria | hasLabel],
  ['tabindex', hasAny | hasAction],
  ['contenteditable', hasAny | hasAction],
  ['controls', hasAny | hasAction],
  ['draggable', hasAny | hasAction | hasDraggable],
  ['title', hasAny | hasTitle],
  ['placeholder', hasAny | hasPlaceholder],
  ['id', hasAny | hasId],
])
const maxNames = 5_000

export function flagOf(name: string): number {
  const flags = flagsByName.get(name)
  return flags === undefined ? readName(name) : flags
}

function readName(name: string): number {
  const flags = hasAny | (name.startsWith('aria-') ? hasAria : isActionAttribute(name) ? hasAction : 0)
  if (flagsByName.size < maxNames) flagsByName.set(name, flags)
  return flags
}

/** The bits of all attributes of an element. */
export function flagsOf(names: readonly string[]): number {
  let flags = 0
  for (let i = 0; i < names.length; i++) flags |= flagOf(names[i] as string)
  return flags
}

// handlers in markup, and what libraries that listen on the document look for: Stimulus, Bootstrap, Google's jsaction, AngularJS, Angular,
// Vue, Alpine, htmx, Livewire, Phoenix, and data attributes of the same meaning; docs/snapshot.md lists them
export const isActionAttribute = (name: string): boolean => name.length > 4 && actionAttributes.test(name)
const actionAttributes =
  /^(on(click|mousedown|mouseup|pointerdown|pointerup)|(data-)?(ng-click|jsaction)|data-(action|route|href|url-to|click|onclick|command|cmd|dismiss|toggle|bs-(toggle|dismiss|slide(-to)?))|\(click\)|(v-on:|@|x-on:|on:)click(\.[\w.]+)?|(data-)?hx-(get|post|put|patch|delete)|wire:click(\.[\w.]+)?|phx-click)$/
