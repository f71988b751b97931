// Chromium, for Node.

// what goes wrong
export { Failed } from './drivers/cdp/failed.ts'
// which browser, and starting it
export { type Finding, type Found, findBrowser } from './drivers/cdp/find.ts'
export { type Chromium, type Launching, launch } from './drivers/cdp/launch.ts'
export type { Port } from './drivers/cdp/port.ts'
// its tabs
export { openTab, type Tab } from './drivers/cdp/tab.ts'
