import type { ParsedCommand } from '../../contract/commands.ts'
import { messageOf } from '../../contract/error-message.ts'
import type { ScreenshotData } from '../../contract/results.ts'
import { noteLines } from '../../render/text/effect.ts'
import { inline, quote } from '../../render/text/quote.ts'
import type { SavedScreenshot } from './answer.ts'
import type { FormattedAnswer, ResponseContext } from './context.ts'
import { statusAnswer } from './status-answer.ts'

export async function formatScreenshot(
  call: ParsedCommand<'screenshot'>,
  { mime, base64, width, height, page, notes }: ScreenshotData,
  context: ResponseContext,
): Promise<FormattedAnswer> {
  const screenshot: SavedScreenshot = { mime, base64, width, height }
  const { path, failure } = await save(screenshot, call.label, context)
  const kilobytes = Math.ceil((base64.length * 3) / 4 / 1024)
  const { screenshotFile } = context.request
  const outcome = [
    ...(path === undefined ? [] : [`, kept at ${quote(path, 400)}`]),
    ...(failure === undefined ? [] : [`, not saved: ${inline(failure, 200)}`]),
    ...(screenshotFile === undefined ? [] : [`, saved ${screenshotFile}`]),
  ].join('')
  const status = `ok: screenshot ${width}x${height} ${mime}, ${kilobytes} KB${outcome}`
  const { answer, fingerprint } = statusAnswer(status, { page, lines: noteLines(notes) }, { ...context, call })
  return { answer: { ...answer, picture: { ...screenshot, ...(path !== undefined && { path }) } }, fingerprint }
}

/** A full disk is no reason to lose the screenshot (TRUST F5). */
async function save(
  screenshot: SavedScreenshot,
  label: string | undefined,
  { options, request }: ResponseContext,
): Promise<{ readonly path?: string; readonly failure?: string }> {
  if (!options.saveScreenshot || request.screenshotFile !== undefined) return {}
  try {
    return { path: await options.saveScreenshot(screenshot, label) }
  } catch (error) {
    return { failure: messageOf(error) }
  }
}
