import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { RunStore } from 'pagehand/evidence'
import type { Database } from './database.ts'
import { lastingGrant } from './schema.ts'

/** The lasting decisions of the user. */
export function sqlGrants(db: Database): RunStore['grants'] {
  return {
    async list() {
      const rows = await db.select().from(lastingGrant).orderBy(lastingGrant.createdAt)
      return rows.map(({ run, ...grant }) => ({ ...grant, ...(run !== null && { run }) }))
    },
    async add(given) {
      const grant = { ...given, id: `g${randomBytes(4).toString('hex')}`, createdAt: new Date().toISOString() }
      await db.insert(lastingGrant).values(grant)
      return grant
    },
    async revoke(id) {
      return (await db.delete(lastingGrant).where(eq(lastingGrant.id, id)).returning({ id: lastingGrant.id })).length > 0
    },
  }
}
