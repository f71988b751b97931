import { normalizeRef } from '../contract/refs.ts'
import { parseActionResult, parsePageResult, parseQueryResult } from '../render/decode/answers.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { diffSnapshots } from '../render/diff/diff.ts'
import { renderSnapshot } from '../render/text/render.ts'
import { actionJs, getScript, pageJs, queryJs, snapshotJs } from './expressions.ts'

/** The host's side of a page: strings to evaluate, and what to make of their answers. No input or output of its own. */
export const AgentBrowser = {
  getScript,
  snapshotJs,
  parseSnapshot,
  renderSnapshot,
  diffSnapshots,
  actionJs,
  parseActionResult,
  queryJs,
  parseQueryResult,
  pageJs,
  parsePageResult,
  normalizeRef,
} as const
