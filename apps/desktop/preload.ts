// Runs in the page of the studio, in a world of its own and in the sandbox. It passes on the calls below and nothing else: the page gets
// neither ipcRenderer nor an event of it.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, LiveServerMessage } from 'pagehand/wire'
import { channels, clientArgument } from './channels.ts'

const listeners = new Map<string, (message: LiveServerMessage) => void>()
ipcRenderer.on(channels.live, (_, connectionId: string, message: LiveServerMessage) => listeners.get(connectionId)?.(message))

/** For calls without an answer: a refusal is a bug of the page, and belongs in its console. */
const notify = (channel: string, ...given: unknown[]): void => {
  ipcRenderer.invoke(channel, ...given).catch((error: unknown) => console.error(error))
}

const bridge: DesktopBridge = {
  clientId: process.argv.find(word => word.startsWith(clientArgument))?.slice(clientArgument.length) ?? '',
  openBrowser: chatId => ipcRenderer.invoke(channels.openBrowser, chatId),
  runBrowserCommand: command => ipcRenderer.invoke(channels.runBrowserCommand, command),
  setAgentWorking: (chatId, isWorking) => notify(channels.setAgentWorking, chatId, isWorking),
  closeBrowser: chatId => notify(channels.closeBrowser, chatId),
  placeBrowser: (chatId, box) => notify(channels.placeBrowser, chatId, box),
  connectLive(chatId, onMessage) {
    const connectionId = crypto.randomUUID()
    listeners.set(connectionId, onMessage)
    notify(channels.openLive, connectionId, chatId)
    return {
      send: message => notify(channels.sendLive, connectionId, message),
      close() {
        listeners.delete(connectionId)
        notify(channels.closeLive, connectionId)
      },
    }
  },
}
contextBridge.exposeInMainWorld('pagehandDesktop', bridge)
