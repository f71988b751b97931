/** A device whose browser a session can imitate. */
export interface Device {
  /** in CSS pixels, without the bars of the browser */
  readonly viewport: { readonly width: number; readonly height: number }
  /** device pixels per CSS pixel */
  readonly scale: number
  /** the page is laid out by its `<meta name=viewport>`, and touch events exist */
  readonly mobile: boolean
  /** `{version}` is the major version of the browser that runs. @default that of the browser */
  readonly userAgent?: string
  /** `navigator.platform`. @default that of the browser */
  readonly platform?: string
}

const iPhoneAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
// Chrome names every Android device like this: https://www.chromium.org/updates/ua-reduction/
const androidAgent = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Mobile Safari/537.36'
const iPadAgent =
  'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

export const devices = {
  'iPhone SE': { viewport: { width: 375, height: 667 }, scale: 2, mobile: true, userAgent: iPhoneAgent, platform: 'iPhone' },
  'iPhone 15': { viewport: { width: 393, height: 659 }, scale: 3, mobile: true, userAgent: iPhoneAgent, platform: 'iPhone' },
  'Pixel 8': { viewport: { width: 412, height: 839 }, scale: 2.625, mobile: true, userAgent: androidAgent, platform: 'Linux armv81' },
  'Galaxy S24': { viewport: { width: 360, height: 703 }, scale: 3, mobile: true, userAgent: androidAgent, platform: 'Linux armv81' },
  iPad: { viewport: { width: 810, height: 1080 }, scale: 2, mobile: true, userAgent: iPadAgent, platform: 'iPad' },
  'Desktop Chrome': { viewport: { width: 1280, height: 720 }, scale: 1, mobile: false },
  'Desktop Chrome HiDPI': { viewport: { width: 1280, height: 720 }, scale: 2, mobile: false },
} as const satisfies { readonly [name: string]: Device }

/**
 * The devices that a session can imitate.
 *
 * @example
 * const device: DeviceName = 'iPhone 15'
 * await openSession({ device })
 */
export type DeviceName = keyof typeof devices

export const deviceNames = Object.keys(devices) as readonly DeviceName[]

/** The name of a device, whatever its case, or undefined. */
export const findDevice = (name: string): DeviceName | undefined => deviceNames.find(each => each.toLowerCase() === name.toLowerCase())
