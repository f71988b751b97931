import { index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { StudioMessage } from 'pagehand/wire'

// PostgreSQL throughout: embedded by PGlite, or a server. migrations.ts creates these tables.

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

export const chat = pgTable('chat', {
  id: text().primaryKey(),
  title: text().notNull(),
  created: at('created').notNull().defaultNow(),
  updated: at('updated').notNull().defaultNow(),
})

export const message = pgTable(
  'message',
  {
    chat: text().notNull(),
    seq: integer().notNull(),
    id: text().notNull(),
    content: jsonb().$type<StudioMessage>().notNull(),
  },
  table => [primaryKey({ columns: [table.chat, table.seq] })],
)

export const run = pgTable(
  'run',
  {
    id: text().primaryKey(),
    chat: text().notNull(),
    goal: text().notNull(),
    state: text().$type<'running' | 'waiting' | 'handoff' | 'ended'>().notNull(),
    stopReason: text('stop_reason'),
    summary: text(),
    detail: jsonb().$type<object>().notNull(),
    started: at('started').notNull().defaultNow(),
    ended: at('ended'),
  },
  table => [index('run_started').on(table.started)],
)

export const setting = pgTable('setting', { name: text().primaryKey(), value: jsonb().$type<unknown>().notNull() })
