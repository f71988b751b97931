// Words by which the relay, the extension and the driver recognize why a tab cannot be used.

/** the reason of `Inspector.detached` when the user takes a tab back */
export const takenBackReason = 'The user took the tab back.'
/** the error for every command once the browser of the user has been away for a moment */
export const browserAwayReason = 'The browser of the user is not connected: it was closed, or its extension does not run'
/** the beginning of the error for a page that extensions may not debug: chrome:// pages, the Web Store, pages with a frame of another extension */
export const notDebuggable = 'Chrome does not let extensions debug this page'
