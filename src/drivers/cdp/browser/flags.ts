interface Start {
  readonly headless: boolean
  readonly sandbox: boolean
  readonly profile: string
  readonly viewport: { readonly width: number; readonly height: number }
}

/** What every browser is started with: quiet on the network, without first steps, without a shared profile. */
export function flags({ headless, sandbox, profile, viewport }: Start): string[] {
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

// no request but those of the pages that are opened
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
  // nor a keyring that asks its user
  '--password-store=basic',
  '--use-mock-keychain',
]

// a page that nobody looks at must run like one that somebody does
const steady = [
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  // the 64 MB of /dev/shm in a container are too few for a page
  '--disable-dev-shm-usage',
]
