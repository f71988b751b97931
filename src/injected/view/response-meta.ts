import { cut } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import { maxUrlLength } from './page-info.ts'

/** `performance.timeOrigin` of the document; older WebViews lack the property */
export const documentStartedAt = Math.round(native.wallClock() - native.now())

/** when and in which document a response was made */
export const responseMeta = () => ({
  ts: native.wallClock(),
  url: cut(native.documentURL(document) ?? '', maxUrlLength),
  startedAt: documentStartedAt,
})
