import { index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { StudioMessage } from 'pagehand/agent'

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

/** A run's log; `key` is removed when it has ended. */
export const journal = pgTable('journal', { id: text().primaryKey(), key: text(), started: at('started').notNull().defaultNow() })

/** `line` is the exact line of events.jsonl, since `hash` is about its characters. */
export const runEvent = pgTable(
  'run_event',
  {
    run: text().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    line: text().notNull(),
    hash: text().notNull(),
  },
  table => [primaryKey({ columns: [table.run, table.seq] }), index('run_event_type').on(table.type, table.run)],
)

export const approval = pgTable(
  'approval',
  {
    id: text().primaryKey(),
    run: text().notNull(),
    request: text().notNull(),
    decision: text(),
    asked: at('asked').notNull().defaultNow(),
    decided: at('decided'),
  },
  table => [index('approval_run').on(table.run)],
)

export const lastingGrant = pgTable('lasting_grant', {
  id: text().primaryKey(),
  rule: text().notNull(),
  scope: text().$type<'run' | 'site' | 'always'>().notNull(),
  run: text(),
  createdAt: text('created_at').notNull(),
  by: text('decided_by').notNull(),
})
