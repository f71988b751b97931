import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { connectDatabase } from './database-server.ts'
import { openEmbedded } from './embedded-database.ts'
import { migrations } from './migrations.ts'
import type * as schema from './schema.ts'

/** The same queries for the embedded database and for a server. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

export interface OpenDatabase {
  readonly db: Database
  /** false while the connection to a server is lost: queries wait until it is there again */
  isAvailable(): boolean
  /** resolves if another studio has taken the database while the connection was lost; all queries fail from then on */
  readonly taken: Promise<Error>
  close(): Promise<void>
}

/** Where the data of a studio is: a PostgreSQL server, or a folder with the embedded database. */
export type DatabasePlace = { readonly url: string } | { readonly folder: string }

/** one migration at a time */
const migrationLock = 7243392

export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase> {
  const opened = 'url' in place ? await connectDatabase(place.url) : await openEmbedded(place.folder)
  try {
    await migrate(opened.db)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function migrate(db: Database): Promise<void> {
  await db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${migrationLock})`)
    await tx.execute(
      sql`create table if not exists studio_migration (number integer primary key, applied timestamptz not null default now())`,
    )
    const applied = (await tx.execute(sql`select coalesce(max(number), 0) as number from studio_migration`)) as unknown as {
      rows: readonly { number: number | string }[]
    }
    const done = Number(applied.rows[0]?.number ?? 0)
    if (done > migrations.length) throw new Error('the database was written by a newer version of the studio')
    for (const [index, statements] of migrations.entries()) {
      if (index < done) continue
      for (const statement of statements.split(/;\s*\n/)) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into studio_migration (number) values (${index + 1})`)
    }
  })
}
