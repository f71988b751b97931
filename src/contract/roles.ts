/** A set of words, written as one string. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/**
 * One of many similar elements: its own text tells its controls from those of the next one. `item` is no ARIA role: it is an element without
 * one that looks like its siblings, such as the card of a product.
 */
export const itemRoles = words('row listitem article item')

/** Roles named by their content: https://w3c.github.io/aria/#namefromcontent without row, since Chromium names no plain <tr> either. */
export const namedByContent = words(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab ' +
    'tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref',
)

/** roles of elements whose content is drawn and cannot be read; none is an ARIA role */
export const drawnRoles = words('canvas video embed')

/** Whether an element shows another document. A press on it operates what is in that document, which nobody sees from outside. */
export const isFrameTag = (tag: string): boolean => /^(i?frame|fencedframe|object|embed)$/.test(tag)
