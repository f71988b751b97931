import { type Device, deviceNames, devices, findDevice } from '../../../contract/devices.ts'
import { quoted, say, term } from '../../../contract/message.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { PagehandError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'

/** What the pages of a session are made to believe about their browser. */
export interface Emulation {
  /** undefined: that of the window */
  readonly viewport: Device['viewport'] | undefined
  readonly scale: number
  readonly mobile: boolean
  /** undefined: that of the browser */
  readonly userAgent: string | undefined
  readonly platform: string | undefined
}

interface BrowserDefaults {
  readonly viewport: Device['viewport'] | undefined
  /** HeadlessChrome/147.0.0.0 */
  readonly product: unknown
}

/** Fails with `invalid_input` for an unknown device. */
export function emulationOf({ device: name, viewport, userAgent }: SessionOptions, browser: BrowserDefaults): Emulation {
  const known = name === undefined ? undefined : findDevice(name)
  if (name !== undefined && !known)
    throw new PagehandError('invalid_input', say`There is no device ${quoted(name, 40)}. There are: ${term(deviceNames.join(', '))}.`)
  const device: Device | undefined = known && devices[known]
  const version = /\/(\d+)/.exec(String(browser.product))?.[1] ?? '140'
  return {
    viewport: viewport ?? device?.viewport ?? browser.viewport,
    scale: device?.scale ?? 1,
    mobile: device?.mobile ?? false,
    userAgent: userAgent ?? device?.userAgent?.replace('{version}', version),
    platform: device?.platform,
  }
}

interface ScreenOptions {
  readonly emulation: Emulation
  /** whether it is a tab among those of a user, who may look at another one */
  readonly mayBeHidden: boolean
}

/** Applies the viewport to a tab. */
export async function emulateScreen(target: Pick<CdpSession, 'send'>, { emulation, mayBeHidden }: ScreenOptions): Promise<void> {
  const { viewport, scale, mobile } = emulation
  await Promise.all([
    viewport && target.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: scale, mobile }),
    !viewport && mayBeHidden && ensureSize(target),
    mobile && target.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ])
}

/** A tab that was put to sleep has no size until its user looks at it: nothing in it could be seen or clicked. */
async function ensureSize(target: Pick<CdpSession, 'send'>): Promise<void> {
  const { cssLayoutViewport } = await target.send('Page.getLayoutMetrics')
  if (cssLayoutViewport?.clientWidth !== 0) return
  await target.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 720, deviceScaleFactor: 0, mobile: false })
}

/** Applies the user agent to the requests and scripts of a tab, of a frame in another process, or of a worker. */
export async function emulateUserAgent(session: Pick<CdpSession, 'send'>, { userAgent, platform }: Emulation): Promise<void> {
  if (userAgent === undefined) return
  await session.send('Emulation.setUserAgentOverride', { userAgent, ...(platform && { platform }) })
}
