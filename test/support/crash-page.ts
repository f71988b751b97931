import { expect } from 'vitest'
import { sharedBrowser } from './open-page.ts'
import type { TestSession } from './test-session.ts'

/** Crashes the page of a session in the shared browser. */
export async function crashPage({ session, url }: TestSession): Promise<void> {
  const { connection: port } = (await sharedBrowser()).chromium
  const { targetInfos } = await port.send('Target.getTargets')
  const target = targetInfos.find(info => info.url === url && info.type === 'page')
  const { sessionId } = await port.send('Target.attachToTarget', { targetId: target?.targetId ?? '', flatten: true })
  port.send('Page.navigate', { url: 'chrome://crash' }, sessionId).catch(() => {}) // the crashed page cannot answer
  await expect.poll(() => session.status().crashed).toBe(true)
}
