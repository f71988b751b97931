// An agent for one task, with approvals and evidence.
import { createBrowserAgent } from 'pagehand/agent'
import { openSession } from 'pagehand/browser'

/** Lets an agent work on a task in a browser, and returns the outcome. The run is recorded, whatever the outcome is. */
export async function perform(task, { session: given, ...options } = {}) {
  const session = given ?? (await openSession())
  try {
    const agent = await createBrowserAgent({ ...options, session, goal: task })
    return await agent.run()
  } finally {
    if (!given) await session.close()
  }
}
