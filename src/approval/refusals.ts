// What a model reads if an action was not performed. No sentence says how to approve.
import type { ApprovalRecord } from '../contract/approval.ts'
import { messageOf } from '../contract/error-message.ts'
import { say, term } from '../contract/message.ts'
import { type AnyCommand, fail, type Result } from '../contract/run.ts'

export const unwritten = say`The approval could not be recorded. The action was not performed.`

export const notLogged = ({ name }: AnyCommand, error: unknown): Result =>
  fail('not_logged', say`${term(name)} was not run, because the use of its approval could not be recorded.`, {
    page: { error: messageOf(error) },
  })

export const clientDeclined =
  'The client declined the question; it is not known whether the user has seen it, so this is not their answer. The request stays open.'

export const required = (id: string, where: string | undefined): Result =>
  fail(
    'approval_required',
    say`A person must approve this first: request ${term(id)}. The action was not performed.${term(where === undefined ? '' : ` ${where}`)}`,
  )

export const denied = ({ decision }: Pick<ApprovalRecord, 'request' | 'state' | 'decision'>): Result =>
  // the reason is the word of the person who runs this, not of the page
  fail(
    'approval_denied',
    say`The user did not approve this${term(decision?.reason ? `: ${JSON.stringify(decision.reason)}` : '')}. The action was not performed.`,
  )

const staleWords: { readonly [because in 'page' | 'act']: string } = {
  page: 'the page is not the one that the user was shown: its URL, the element, or the data that would be sent has changed',
  act: 'something else was done on the page after the user was asked',
}

export const stale = (id: string, because: 'page' | 'act'): Result =>
  fail('approval_stale', say`Request ${term(id)} is over: ${term(staleWords[because])}. The action was not performed.`)
