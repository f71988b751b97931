import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { findBrowser } from '../../src/drivers/cdp/browser/find.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const built = join(root, 'dist/studio/web')

/** The folder of the built page of the studio; it is built again if a source is newer. */
export async function studioPageFolder(): Promise<string> {
  const page = await stat(join(built, 'index.html')).catch(() => undefined)
  const sources = await Promise.all(['apps/studio', 'src/wire', 'package.json'].map(newestChange))
  if (page === undefined || sources.some(time => time > page.mtimeMs))
    await build({ configFile: join(root, 'apps/studio/vite.config.ts'), logLevel: 'error' })
  return built
}

async function newestChange(path: string): Promise<number> {
  const names = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter(entry => entry.isFile() && !entry.parentPath.includes('/dev') && !entry.parentPath.includes('/server'))
  const times = await Promise.all(files.map(async entry => (await stat(join(entry.parentPath, entry.name))).mtimeMs))
  return Math.max((await stat(join(root, path))).isFile() ? (await stat(join(root, path))).mtimeMs : 0, ...times)
}

/** A browser in which a person would open the studio. */
export async function launchPersonsBrowser(): Promise<Browser> {
  const { executablePath, libraryPath, fontsFile } = await findBrowser()
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
    env: {
      ...(process.env as { [name: string]: string }),
      ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }),
      ...(fontsFile === undefined ? {} : { FONTCONFIG_FILE: fontsFile }),
    },
  })
}
