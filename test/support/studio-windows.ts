import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { type RunningStudio, startStudio } from '../../apps/studio/server/index.ts'
import { sharedBrowser } from './open-page.ts'
import type { Turn } from './scripted-model.ts'
import { dropDatabase, studioDatabase } from './studio-database.ts'
import { studioFolder } from './studio-folder.ts'
import { studioModel } from './studio-model.ts'
import { launchPersonsBrowser, studioPageFolder } from './studio-page.ts'

/** A real studio with its page in the browser of a person, and a real browser of the agent; only the model is scripted. */
export class StudioWindows {
  readonly folder: string
  readonly #store: { readonly database?: string }
  readonly #webFolder: string
  readonly person: Browser
  #running: RunningStudio | undefined
  /** what the browser agent does next */
  script: Turn[] = []

  private constructor(folder: string, webFolder: string, person: Browser, store: { readonly database?: string }) {
    this.folder = folder
    this.#webFolder = webFolder
    this.person = person
    this.#store = store
  }

  static async open(): Promise<StudioWindows> {
    const webFolder = await studioPageFolder()
    const opened = new StudioWindows(await studioFolder(), webFolder, await launchPersonsBrowser(), await studioDatabase())
    await opened.start()
    return opened
  }

  get running(): RunningStudio {
    if (!this.#running) throw new Error('the studio is closed')
    return this.#running
  }

  async start(): Promise<void> {
    const { chromium } = await sharedBrowser()
    this.#running = await startStudio({
      dataFolder: this.folder,
      ...this.#store,
      webFolder: this.#webFolder,
      version: '0.0.0',
      model: studioModel(() => this.script.shift()),
      session: { browser: chromium, allowEval: true },
    })
  }

  /** Closes the studio as its program does when it is stopped. */
  async stop(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  async close(): Promise<void> {
    await this.person.close()
    await this.stop()
    await dropDatabase(this.#store)
    await rm(this.folder, { recursive: true, force: true })
  }

  async openWindow(path = '', locale = 'en'): Promise<Page> {
    const profile = await this.person.newContext({ viewport: { width: 1280, height: 800 }, locale, reducedMotion: 'reduce' })
    const page = await profile.newPage()
    await page.goto(this.running.link)
    await page.locator('#composer').waitFor()
    if (path) await page.goto(new URL(path, this.running.link).href)
    return page
  }
}

export async function send(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text)
  await page.locator('#composer').press('Enter')
}

export const chatOf = (page: Page): string => /#\/chat\/([\w-]+)/.exec(page.url())?.[1] ?? ''
