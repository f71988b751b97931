declare global {
  interface Window {
    /** what the desktop app offers to the page: it owns the tabs and executes commands in them */
    readonly pagehandDesktop?: import('../browser/remote-commands.ts').DesktopBridge
  }
}

const key = 'pagehand-window'

/** The name of this window for the server; the same after a reload. Commands are sent to the window that sent the message. */
export const windowId: string = window.pagehandDesktop?.clientId ?? sessionStorage.getItem(key) ?? crypto.randomUUID().replaceAll('-', '')
sessionStorage.setItem(key, windowId)

/** Sent with every request, so that the server knows which window asks. */
export const windowHeaders = { 'x-window': windowId }
