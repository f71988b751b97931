import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/**
 * The option `database` of a studio in a test: a new database of the PostgreSQL server in PAGEHAND_TEST_DATABASE_URL. Without a server,
 * studios use the embedded database.
 */
export async function studioDatabase(): Promise<{ readonly database?: string }> {
  const server = process.env.PAGEHAND_TEST_DATABASE_URL
  if (!server) return {}
  const url = new URL(server)
  url.pathname = `pagehand_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${url.pathname.slice(1)}`)
  return { database: url.href }
}

/** Removes a database of `studioDatabase`. */
export async function dropDatabase({ database }: { readonly database?: string }): Promise<void> {
  const server = process.env.PAGEHAND_TEST_DATABASE_URL
  if (server && database) await onServer(server, `drop database if exists ${new URL(database).pathname.slice(1)} with (force)`)
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
