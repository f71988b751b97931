import { findBrowser } from '../../src/drivers/cdp/browser/find.ts'

/** The environment of a program that was built into a temporary folder, from where @sparticuz/chromium cannot be resolved. */
export async function browserEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { executablePath, libraryPath, fontsFile } = await findBrowser()
  return {
    ...process.env,
    PAGEHAND_CHROME: executablePath,
    ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
    ...(fontsFile && { FONTCONFIG_FILE: fontsFile }),
  }
}
