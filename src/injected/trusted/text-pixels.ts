import type { Box } from '../../engine/dom.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { intersect, isEmpty } from '../view/boxes.ts'
import type { TextPixels } from '../view/layout.ts'
import { sceneOf } from '../view/scene.ts'

/** texts whose pixels are read for one snapshot */
const maxElements = 60
/** colors this far apart can be told from each other, as in colors.ts */
const minDifference = 12
/** pixels between the two that are compared: the edge of a letter is narrower, and a gradient or a blur is wider */
const edge = 2
/** edges that a few letters have at least */
const minEdges = 8

/** Decides by pixels which texts can be read, where styles do not tell. Only a driver can take the screenshot. */
export interface TextPixelReader extends TextPixels {
  /** the texts of the last snapshot that are undecided and in view, as boxes of this viewport */
  boxes(): readonly Box[]
  /**
   * Reads a screenshot, in Base64, of an area; `boxes` are those of the last call in the area, which has a width in CSS pixels. True if the
   * snapshot was wrong about one of the texts.
   */
  judge(png: string, width: number, boxes: readonly Box[]): Promise<boolean>
}

interface Verdict {
  readonly key: string
  readonly isConcealed: boolean
}

interface Question {
  readonly element: Element
  readonly box: Box
}

export function createTextPixels(session: () => Session): TextPixelReader {
  const verdicts = new WeakMap<Node, Verdict>()
  const undecided = new Set<Element>()
  let questions: readonly Question[] = []
  const verdictOn = (element: Node): Verdict | undefined => {
    const verdict = verdicts.get(element)
    return verdict?.key === keyOf(element) ? verdict : undefined
  }
  return {
    whyUnreadable: element => {
      const verdict = verdictOn(element)
      // what was concealed may be shown later, and is read again each time
      if ((!verdict || verdict.isConcealed) && undecided.size < maxElements) undecided.add(element as Element)
      return verdict?.isConcealed ? 'pixels' : ''
    },
    boxes: () => {
      // what is painted over has no pixels of its own
      const isSeen = (element: Element) => native.isConnected(element) && !session().covers?.hides(element)
      questions = [...undecided].filter(isSeen).flatMap(element => questionsOn(session(), element))
      undecided.clear()
      return questions.map(({ box }) => box)
    },
    judge: async (png, width, boxes) => {
      const image = await createImageBitmap(new Blob([bytesOf(png)], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })
      if (!context) return false
      context.drawImage(image, 0, 0)
      const scale = image.width / width
      const seen = new Map<Element, boolean>()
      questions.forEach(({ element }, i) => {
        const box = boxes[i]
        if (box) seen.set(element, !!seen.get(element) || hasLetters(context, box, scale))
      })
      let isWrong = false
      for (const [element, isSeen] of seen) {
        isWrong = isWrong || (verdictOn(element)?.isConcealed ?? false) === isSeen
        verdicts.set(element, { key: keyOf(element), isConcealed: !isSeen })
      }
      return isWrong
    },
  }
}

/** what is known about a text is not known about another one, nor about one that is drawn in another way */
function keyOf(element: Node): string {
  const { width, height } = native.getBoundingClientRect(element)
  const style = native.styleOf(element)
  const read = (property: string) => native.styleProperty(style, property)
  return `${native.textContent(element)?.length} ${Math.round(width)} ${Math.round(height)} ${read('color')} ${read('background-image')} ${read('filter')}`
}

/** where the texts of an element are drawn, as far as they are in view */
function questionsOn(session: Session, element: Element): Question[] {
  const { dom, layout } = sceneOf(session, element)
  if (!layout) return []
  const viewport = { x: 0, y: 0, width: layout.width, height: layout.height }
  return Array.from(dom.children(element)).flatMap(text => {
    const box = dom.tag(text) || !/\S/.test(dom.text(text)) ? null : layout.box(text)
    if (!box || layout.unseen(text, box) || layout.scrolledAway(text) !== undefined) return []
    const part = intersect(box, viewport)
    return isEmpty(part) ? [] : [{ element, box: part }]
  })
}

function bytesOf(base64: string): ArrayBuffer {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes.buffer
}

/** Whether there are edges, of which letters consist, in a part of a screenshot. */
function hasLetters(context: OffscreenCanvasRenderingContext2D, { x, y, width, height }: Box, scale: number): boolean {
  const [columns, rows] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))]
  const { data } = context.getImageData(Math.round(x * scale), Math.round(y * scale), columns, rows)
  const step = Math.max(1, Math.round(edge * scale))
  let edges = 0
  for (let row = 0; row < rows; row++)
    for (let column = step; column < columns; column++) {
      const [one, other] = [(row * columns + column) * 4, (row * columns + column - step) * 4]
      for (let channel = 0; channel < 3; channel++)
        if (Math.abs((data[one + channel] as number) - (data[other + channel] as number)) >= minDifference) {
          if (++edges >= minEdges) return true
          break
        }
    }
  return false
}
