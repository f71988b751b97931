/** What is kept first when not everything fits; the engine and the renderer follow the same rules. */

/** The distance of an element from the viewport, for the order in which lines are kept: a field counts as 8 times nearer than a link. */
export const keepDistance = (offset: number, tag: string): number =>
  offset && Math.abs(offset) / (/^(input|select|textarea)$/.test(tag) ? 8 : 1)

/** A select with more options than this is shown without them, unless it is the scope. */
export const maxListedOptions = 10
