interface FlagOptions {
  readonly headless: boolean
  readonly sandbox: boolean
  readonly profile: string
  readonly viewport: { readonly width: number; readonly height: number }
}

/** The command line flags of a launched browser: no background traffic, no first-run dialogs, a separate profile. */
export function flags({ headless, sandbox, profile, viewport }: FlagOptions): string[] {
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--window-size=${viewport.width},${viewport.height}`,
    ...(headless ? ['--headless=new', '--hide-scrollbars', '--mute-audio'] : []),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...quiet,
    ...steady,
    'about:blank',
  ]
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
  // containers often have only 64 MB of /dev/shm, which is too little
  '--disable-dev-shm-usage',
]
