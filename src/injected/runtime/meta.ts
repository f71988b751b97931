import { cut } from '../../engine/text.ts'
import { began, maxUrl } from '../view/snapshot.ts'
import * as native from './natives.ts'

/** when and where an answer was given, and by which document */
export const answered = () => ({ ts: native.wallClock(), url: cut(native.documentURL(document) ?? '', maxUrl), startedAt: began })
