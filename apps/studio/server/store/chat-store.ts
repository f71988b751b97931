import { desc, eq, ilike, inArray, sql } from 'drizzle-orm'
import type { StudioMessage } from 'pagehand/agent'
import type { StudioSettings } from 'pagehand/wire'
import type { RunParts } from '../chats/agent-run.ts'
import type { Database } from './database.ts'
import * as schema from './schema.ts'

export type RunRow = typeof schema.run.$inferSelect

/** Chats, their messages and runs, and the settings. */
export class ChatStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async createChat(id: string, title: string): Promise<void> {
    await this.#db.insert(schema.chat).values({ id, title }).onConflictDoNothing()
  }

  async chats(): Promise<readonly (typeof schema.chat.$inferSelect)[]> {
    return this.#db.select().from(schema.chat).orderBy(desc(schema.chat.updated)).limit(500)
  }

  async chat(id: string): Promise<typeof schema.chat.$inferSelect | undefined> {
    return (await this.#db.select().from(schema.chat).where(eq(schema.chat.id, id)))[0]
  }

  async renameChat(id: string, title: string): Promise<void> {
    await this.#db.update(schema.chat).set({ title }).where(eq(schema.chat.id, id))
  }

  /** Removes a chat with its messages and runs. */
  async removeChat(id: string): Promise<void> {
    await this.#db.transaction(async tx => {
      const runs = tx.select({ id: schema.run.id }).from(schema.run).where(eq(schema.run.chat, id))
      await tx.delete(schema.journal).where(inArray(schema.journal.id, runs))
      await tx.delete(schema.chat).where(eq(schema.chat.id, id))
    })
  }

  async messages(chat: string): Promise<StudioMessage[]> {
    const rows = await this.#db
      .select({ content: schema.message.content })
      .from(schema.message)
      .where(eq(schema.message.chat, chat))
      .orderBy(schema.message.seq)
    return rows.map(({ content }) => content)
  }

  /** Adds a message, or replaces the one with its id. */
  async saveMessage(chat: string, message: StudioMessage): Promise<void> {
    await this.#db.transaction(async tx => {
      // messages of one chat are numbered one after another
      await tx.select().from(schema.chat).where(eq(schema.chat.id, chat)).for('update')
      const seq = sql`(select coalesce(max(seq), 0) + 1 from message where chat = ${chat})`
      await tx
        .insert(schema.message)
        .values({ chat, id: message.id, seq: seq as unknown as number, content: message })
        .onConflictDoUpdate({ target: [schema.message.chat, schema.message.id], set: { content: message } })
      await tx.update(schema.chat).set({ updated: sql`now()` }).where(eq(schema.chat.id, chat))
    })
  }

  /** Adds a run, or replaces what is known about it. */
  async saveRun(chat: string, parts: RunParts): Promise<void> {
    const { runId: id, goal, state, stopReason = null, summary = null } = parts.run
    const change = {
      state: state === 'queued' ? ('running' as const) : state,
      stopReason,
      summary,
      detail: parts,
      ended: (state === 'ended' ? sql`now()` : null) as unknown as string,
    }
    await this.#db
      .insert(schema.run)
      .values({ id, chat, goal, ...change })
      .onConflictDoUpdate({ target: schema.run.id, set: change })
  }

  async runs({
    search = '',
    limit = 100,
  }: {
    readonly search?: string | undefined
    readonly limit?: number | undefined
  }): Promise<RunRow[]> {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
    return this.#db
      .select()
      .from(schema.run)
      .where(search ? ilike(schema.run.goal, pattern) : undefined)
      .orderBy(desc(schema.run.started))
      .limit(limit)
  }

  async run(id: string): Promise<RunRow | undefined> {
    return (await this.#db.select().from(schema.run).where(eq(schema.run.id, id)))[0]
  }

  /** Runs that had not ended when the server did. */
  async openRuns(): Promise<RunRow[]> {
    return this.#db
      .select()
      .from(schema.run)
      .where(inArray(schema.run.state, ['running', 'waiting', 'handoff']))
  }

  async settings(): Promise<Partial<StudioSettings>> {
    const rows = await this.#db.select().from(schema.setting)
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  }

  /** Replaces the named settings. Rules are added to the others: two windows may change two of them at once. */
  async saveSettings(settings: Partial<StudioSettings>): Promise<void> {
    const { name: target, value: before } = schema.setting
    for (const [name, value] of Object.entries(settings)) {
      const set = { value: name === 'policy' ? sql`${before} || excluded.value` : value }
      await this.#db.insert(schema.setting).values({ name, value }).onConflictDoUpdate({ target, set })
    }
  }
}
