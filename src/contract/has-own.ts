const { hasOwnProperty: has } = Object.prototype

/** `Object.hasOwn`, which WebViews have only since Chromium 93 and Safari 15.4 */
export const hasOwn = (owner: object, key: PropertyKey): boolean => has.call(owner, key)
