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

/** Applies the viewport to a tab. */
export async function emulateScreen(target: Pick<CdpSession, 'send'>, { viewport, scale, mobile }: Emulation): Promise<void> {
  await Promise.all([
    viewport && target.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: scale, mobile }),
    mobile && target.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ])
}

/** Applies the user agent to the requests and scripts of a tab, of a frame in another process, or of a worker. */
export async function emulateUserAgent(session: Pick<CdpSession, 'send'>, { userAgent, platform }: Emulation): Promise<void> {
  if (userAgent === undefined) return
  await session.send('Emulation.setUserAgentOverride', { userAgent, ...(platform && { platform }) })
}
