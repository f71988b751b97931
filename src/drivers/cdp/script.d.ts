// Sources that run in a page; scripts/build.mjs writes the values from src/injected/entries.

/** The engine for an isolated world. */
export const script: string
/** A function for an element or a window of the main world: starts a timer tracker there. */
export const timerTracker: string
/** Functions that are called with JSON arguments. */
export const findShadowHosts: string
export const drawRefs: string
export const saveStorage: string
export const restoreStorage: string
