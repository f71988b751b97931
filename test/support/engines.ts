import { openChromium } from './engines/chromium.ts'
import type { Engine } from './engines/engine.ts'
import { findFirefox, openFirefox } from './engines/firefox.ts'
import { findWebKit, openWebKit } from './engines/webkit.ts'

export type { Engine } from './engines/engine.ts'

const firefox = findFirefox()
const webkit = findWebKit()

/** How to open each engine; undefined if it is not installed (scripts/engines installs it). */
export const engines: { readonly [name: string]: (() => Promise<Engine>) | undefined } = {
  Chromium: openChromium,
  Firefox: firefox ? () => openFirefox(firefox) : undefined,
  WebKit: webkit ? () => openWebKit(webkit) : undefined,
}
