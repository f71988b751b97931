import { posix, win32 } from 'node:path'

interface SystemInfo {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly headless: boolean
}

/** The paths at which a browser may be installed, best first: headless shells, then Chrome, Chromium, Edge. */
export function knownLocations({ env, platform, headless }: SystemInfo): string[] {
  if (platform === 'win32') return windows(env)
  const { join } = posix
  const folders = (env.PATH ?? '').split(':').filter(folder => folder.startsWith('/'))
  const names = headless ? [...shells, ...browsers] : browsers
  const inPath = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...new Set([...inPath, ...(platform === 'darwin' ? mac(env) : linux)])]
}

const shells = ['chrome-headless-shell', 'chromium-headless-shell']
const browsers = [
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
]

const linux = [
  '/opt/google/chrome/chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/opt/microsoft/msedge/msedge',
]

function mac(env: NodeJS.ProcessEnv): string[] {
  const applications = ['/Applications', ...(env.HOME ? [posix.join(env.HOME, 'Applications')] : [])]
  return ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap(name =>
    applications.map(folder => posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
  )
}

function windows(env: NodeJS.ProcessEnv): string[] {
  const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(root => root !== undefined)
  const programs = [
    'Google\\Chrome\\Application\\chrome.exe',
    'Chromium\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ]
  return programs.flatMap(program => roots.map(root => win32.join(root, program)))
}
