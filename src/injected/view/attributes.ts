/** attributes that the engine sets in the page */
export const refAttribute = 'data-agent-ref'
export const hoverAttribute = 'data-agent-hover'
