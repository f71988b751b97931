import { notDebuggable } from '../../src/contract/relay-reasons.ts'
import type { SharedTab } from '../../src/relay/protocol.ts'

export type TargetDescription = Pick<SharedTab, 'targetId' | 'title' | 'url' | 'openerFrameId'>

const attached = new Set<number>()

export const isAttached = (tabId: number): boolean => attached.has(tabId)
export const forgetAttached = (tabId: number): boolean => attached.delete(tabId)

/** Attaches the debugger anew, so that nothing of an earlier attachment is left. Returns what the target says about itself. */
export async function attach(tabId: number): Promise<TargetDescription> {
  // a tab that sleeps would answer nothing
  if ((await chrome.tabs.get(tabId)).discarded) await chrome.tabs.reload(tabId)
  await chrome.debugger.attach({ tabId }, '1.3').catch(async (error: Error) => {
    if (!/already attached/i.test(error.message)) throw new Error(`${notDebuggable}: ${error.message}`)
    // before the service worker was stopped
    await chrome.debugger.detach({ tabId })
    await chrome.debugger.attach({ tabId }, '1.3')
  })
  attached.add(tabId)
  return describe(tabId)
}

/**
 * Attaches the debugger to a tab that a page has just opened. Nothing is awaited before Page is enabled: a dialog that the tab shows sooner
 * could only be answered by the user, and would block its opener too.
 */
export async function attachNew(tabId: number): Promise<TargetDescription> {
  const attaching = chrome.debugger.attach({ tabId }, '1.3')
  chrome.debugger.sendCommand({ tabId }, 'Page.enable').catch(() => {}) // attaching failed
  await attaching
  attached.add(tabId)
  return describe(tabId)
}

/** What the target of an attached tab says about itself. */
export async function describe(tabId: number): Promise<TargetDescription> {
  const { targetInfo } = (await sendCommand({ tabId }, 'Target.getTargetInfo')) as {
    targetInfo: TargetDescription
  }
  const { targetId, title, url, openerFrameId } = targetInfo
  return { targetId, title, url, ...(openerFrameId !== undefined && { openerFrameId }) }
}

export async function detach(tabId: number): Promise<void> {
  if (!attached.delete(tabId)) return
  await chrome.debugger.detach({ tabId }).catch(() => {}) // the tab is gone
}

export async function sendCommand(target: chrome.debugger.Debuggee, method: string, params?: object): Promise<object> {
  try {
    return (await chrome.debugger.sendCommand(target, method, params)) ?? {}
  } catch (error) {
    throw toCdpError(error as Error)
  }
}

/** Chrome puts the error of CDP as JSON into the message. */
function toCdpError({ message }: Error): Error {
  try {
    const parsed = JSON.parse(message) as { code?: number; message: string }
    return Object.assign(new Error(parsed.message), { code: parsed.code })
  } catch {
    return new Error(message)
  }
}
