import type { Frame } from './live-connection.ts'

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** Draws a picture at its own resolution; CSS scales the canvas. Resolves when it is on the canvas. */
export const drawFrame = async (canvas: HTMLCanvasElement, frame: Frame): Promise<void> => {
  const bitmap = await createImageBitmap(new Blob([bytesOf(frame.base64)], { type: frame.mime }))
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width
    canvas.height = bitmap.height
  }
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
}
