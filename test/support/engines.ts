import { openChromium } from './engines/chromium.ts'
import type { Engine } from './engines/engine.ts'
import { findFirefox, openFirefox } from './engines/firefox.ts'
import { findOldChromium, openOldChromium } from './engines/old-chromium.ts'
import { findWebKit, openWebKit } from './engines/webkit.ts'

export type { Engine } from './engines/engine.ts'

const firefox = findFirefox()
const webkit = findWebKit()

type Open = () => Promise<Engine>
const oldChromium = (version: number): Open | undefined => {
  const folder = findOldChromium(`chromium-${version}`)
  return folder === undefined ? undefined : () => openOldChromium(folder)
}

/** How to open each engine; undefined if it is not installed: `scripts/engines` and `npm run test:engines` install them. */
export const engines: { readonly [name: string]: Open | undefined } = {
  Chromium: openChromium,
  Firefox: firefox ? () => openFirefox(firefox) : undefined,
  WebKit: webkit ? () => openWebKit(webkit) : undefined,
  'Chromium 109': oldChromium(109),
  'Chromium 92': oldChromium(92),
  'Chromium 90': oldChromium(90),
  'Chromium 80': oldChromium(80),
}
