interface FlagOptions {
  readonly headless: boolean
  readonly sandbox: boolean
  readonly profile: string
  readonly viewport: { readonly width: number; readonly height: number }
  /** WebRTC sends nothing past a proxy */
  readonly proxied: boolean
  /** 127.0.0.1:port; undefined: no proxy */
  readonly proxyServer: string | undefined
}

/** The command line flags of a launched browser: no background traffic, no first-run dialogs, a separate profile. */
export function flags({ headless, sandbox, profile, viewport, proxied, proxyServer }: FlagOptions): string[] {
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--window-size=${viewport.width},${viewport.height}`,
    ...(headless ? ['--headless=new', '--hide-scrollbars', '--mute-audio'] : []),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...quiet,
    ...steady,
    ...(proxied ? proxiedWebRtc : []),
    ...(proxyServer ? proxyFlags(proxyServer) : []),
    'about:blank',
  ]
}

// WebRTC otherwise sends UDP packets past every proxy; the headless shell and Chromium have different names for the flag
const proxiedWebRtc = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--webrtc-ip-handling-policy=disable_non_proxied_udp']

const proxyFlags = (server: string) => [
  `--proxy-server=${server}`,
  `--proxy-bypass-list=${proxyBypassList}`,
  // the proxy resolves names, so a lookup by the browser, as for dns-prefetch, is a leak
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** No exceptions: Chromium connects to loopback addresses directly unless this is subtracted. */
export const proxyBypassList = '<-loopback>'

/** Flags of the user that would override those above. */
export const isProxyFlag = (flag: string): boolean =>
  /^(--?|\/)(no-proxy-server|proxy-(server|bypass-list|pac-url|auto-detect)|(force-)?webrtc-ip-handling-policy)(=|$)/i.test(flag)
const resolverFlag = /^(--?|\/)host-resolver-rules=/i
export const isResolverFlag = (flag: string): boolean => resolverFlag.test(flag)
/** The value of --host-resolver-rules; the last one counts. */
export const resolverRulesIn = (args: readonly string[]): string => args.filter(isResolverFlag).at(-1)?.replace(resolverFlag, '') ?? ''

const featureFlag = /^--((?:en|dis)able-features)=(.*)$/

/** Puts the features of all flags into one flag per kind: of several flags Chromium reads the last, and launchers of Linux distributions reorder them. */
export function mergeFeatures(args: readonly string[]): string[] {
  const features = new Map<string, string[]>()
  for (const arg of args) {
    const [, name, list] = featureFlag.exec(arg) ?? []
    if (name && list) features.set(name, [...(features.get(name) ?? []), list])
  }
  return [...args.filter(arg => !featureFlag.test(arg)), ...[...features].map(([name, lists]) => `--${name}=${lists.join()}`)]
}

// no requests except those of the opened pages
const quiet = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-quic',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--disable-features=CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,Translate',
  // no keyring, which would ask the user
  '--password-store=basic',
  '--use-mock-keychain',
]

// Pages in the background run like those in the foreground. The protection against floods of IPC messages stays on: without it, a page
// that calls history.replaceState in a loop blocks the whole browser.
const steady = [
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  // the session limits and reports the tabs that pages open; Chromium would drop them silently, and the headless shell never does
  '--disable-popup-blocking',
  // containers often have only 64 MB of /dev/shm, which is too little
  '--disable-dev-shm-usage',
]
