import { openPage } from '../open-page.ts'
import type { Engine } from './engine.ts'

/** The Chromium that the other tests share. */
export async function openChromium(): Promise<Engine> {
  const page = await openPage()
  const { product } = await page.tab.send('Browser.getVersion')
  return {
    name: 'Chromium',
    version: product.replace(/^.*\//, ''),
    goto: url => page.navigate(url),
    evaluate: expression => page.evaluate<string>(expression),
    close: () => page.close(),
  }
}
