import type { AgentApprovals } from '../../src/agent.ts'

/** A person who approves everything, for tests about something else. */
export const approveAll: AgentApprovals = { approve: async () => ({ approved: true, scope: 'once' }) }
