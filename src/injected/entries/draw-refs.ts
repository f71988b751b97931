/** A ref and the box of its element, in pixels of the screenshot. */
export type RefLabel = readonly [ref: string, x: number, y: number, width: number, height: number]

const color = '#d0006f'
const labelHeight = 14

/** Draws boxes and refs on a PNG. Runs in the isolated world, and takes and returns base64. */
export async function drawRefs(base64: string, labels: readonly RefLabel[]): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('there is no 2d context')
  context.drawImage(image, 0, 0)
  context.font = 'bold 12px sans-serif'
  context.textBaseline = 'top'
  for (const [ref, x, y, width, height] of labels) {
    context.strokeStyle = color
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
    const labelWidth = context.measureText(ref).width + 4
    const left = Math.max(0, Math.min(x, image.width - labelWidth))
    const top = Math.max(0, y - labelHeight)
    context.fillStyle = color
    context.fillRect(left, top, labelWidth, labelHeight)
    context.fillStyle = '#fff'
    context.fillText(ref, left + 2, top + 1)
  }
  return toBase64(await canvas.convertToBlob({ type: 'image/png' }))
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const chunkSize = 32_768 // String.fromCharCode takes a limited number of arguments
  let text = ''
  for (let at = 0; at < bytes.length; at += chunkSize) text += String.fromCharCode(...bytes.subarray(at, at + chunkSize))
  return btoa(text)
}
