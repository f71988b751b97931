import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { approvalHeadline } from '../../approval/question-words.ts'
import type { ApprovalAnswer, ApprovalScope, Approve } from '../../contract/approval.ts'
import { describeApproval } from '../respond/describe-approval.ts'

/** Asks the person at the client. The model neither sees the form nor can it answer it. */
export interface Elicitation {
  readonly approve: Approve
  connect(server: Server): void
}

const choices: { readonly [choice: string]: ApprovalScope } = {
  'allow once': 'once',
  'allow in this run': 'run',
  'allow on this site': 'site',
}
const deny = 'deny'
/** the longest timer of Node: a person may take as long as the client waits */
const maxTimeout = 2 ** 31 - 1

/**
 * A client that cannot show a form, or closes it without an answer, leaves the request open: `pagehand approve` decides it. `decline` does so
 * too: clients that run without a person decline by themselves, and the message does not tell who did it. A person who says no chooses `deny`.
 *
 * https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation#response-actions
 */
export function createElicitation(): Elicitation {
  let server: Server | undefined
  return {
    connect(given) {
      server = given
    },
    async approve(request, signal) {
      if (!server?.getClientCapabilities()?.elicitation) return 'pending'
      const { action, content } = await server.elicitInput(
        {
          message: [`${approvalHeadline(request)}?`, ...describeApproval(request), `request: ${request.id}`].join('\n'),
          requestedSchema: {
            type: 'object',
            properties: {
              decision: { type: 'string', title: 'Decision', enum: [...Object.keys(choices), deny] },
              reason: { type: 'string', title: 'Reason, if you deny it' },
            },
            required: ['decision'],
          },
        },
        { timeout: maxTimeout, ...(signal instanceof AbortSignal && { signal }) },
      )
      if (action === 'decline') return 'declined'
      const decision = action === 'accept' ? String(content?.decision) : ''
      if (decision === deny) return denied(content?.reason)
      const scope = Object.hasOwn(choices, decision) ? choices[decision] : undefined
      return scope ? { approved: true, scope, by: 'the user of the client' } : 'pending'
    },
  }
}

const denied = (reason: unknown): ApprovalAnswer => ({
  approved: false,
  scope: 'once',
  by: 'the user of the client',
  ...(typeof reason === 'string' && reason !== '' && { reason }),
})
