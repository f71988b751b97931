import { normalizeRef } from '../contract/refs.ts'
import { parseActionResult, parsePageResult, parseQueryResult } from '../render/decode/answers.ts'
import { parseSnapshot } from '../render/decode/snapshot.ts'
import { diffSnapshots } from '../render/diff/diff.ts'
import { renderSnapshot } from '../render/text/render.ts'
import { actionJs, getScript, pageJs, queryJs, snapshotJs } from './expressions.ts'

/**
 * The functions for an app that evaluates strings in a page: expressions to evaluate, and parsers for their results. They do no I/O.
 *
 * @example
 * await evaluate(AgentBrowser.getScript())
 * const { text } = AgentBrowser.renderSnapshot(await evaluate(AgentBrowser.snapshotJs()))
 */
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
