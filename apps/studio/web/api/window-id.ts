import type { DesktopBridge } from '../../../../src/wire/desktop.ts'

declare global {
  interface Window {
    /** set by the preload script of the desktop app */
    readonly pagehandDesktop?: DesktopBridge
  }
}

const key = 'pagehand-window'

/** The name of this window for the server; the same after a reload. Commands are sent to the window that sent the message. */
export const windowId: string = window.pagehandDesktop?.clientId ?? sessionStorage.getItem(key) ?? crypto.randomUUID().replaceAll('-', '')
sessionStorage.setItem(key, windowId)

/** Sent with every request, so that the server knows which window asks. */
export const windowHeaders = { 'x-window': windowId }
