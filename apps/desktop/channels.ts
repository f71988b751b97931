// The names of the messages between the page of the studio and the main process. S3-11 names the second one.
export const channels = {
  openBrowser: 'openBrowser',
  runBrowserCommand: 'runBrowserCommand',
  setAgentWorking: 'setAgentWorking',
  closeBrowser: 'closeBrowser',
  placeBrowser: 'placeBrowser',
  openLive: 'openLive',
  sendLive: 'sendLive',
  closeLive: 'closeLive',
  /** to the page: connection, message */
  live: 'live',
} as const

/** How the preload script learns the id of this client before it asks for anything. */
export const clientArgument = '--pagehand-client='
