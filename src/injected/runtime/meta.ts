import { cut } from '../../engine/text.ts'
import { maxUrlLength } from '../view/page-info.ts'
import * as native from './natives.ts'

/** `performance.timeOrigin` of the document; older WebViews lack the property */
export const documentStartedAt = Math.round(native.wallClock() - native.now())

/** when and in which document a response was made */
export const responseMeta = () => ({
  ts: native.wallClock(),
  url: cut(native.documentURL(document) ?? '', maxUrlLength),
  startedAt: documentStartedAt,
})
