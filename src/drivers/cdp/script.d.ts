/** The engine for an isolated world: eyes, and what trusted input needs of a page; scripts/build.mjs writes the values from src/page. */
export const script: string
/** a function, to be called on an element or a window of the page's own world */
export const causes: string
