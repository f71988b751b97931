import type { Client, Pool } from 'pg'
import type { OpenDatabase } from './database.ts'
import { databaseName } from './database-place.ts'
import * as schema from './schema.ts'

/** number of the advisory lock: one studio per database */
const studioLock = 7243391
const maxDelayMs = 5_000

/** Connects to a PostgreSQL server. */
export async function connectDatabase(url: string): Promise<OpenDatabase> {
  const [{ drizzle }, { default: pg }] = await Promise.all([import('drizzle-orm/node-postgres'), import('pg')])
  const owner = new Ownership(() => new pg.Client({ connectionString: url, keepAlive: true }), databaseName(url))
  await owner.take()
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  // a lost connection is reported by the query that needs it
  pool.on('error', () => {})
  guard(pool, owner)
  return {
    db: drizzle(pool, { schema }),
    isAvailable: () => owner.isHeld,
    taken: owner.taken,
    async close() {
      owner.refuse(new Error('the studio was closed'))
      await pool.end()
      await owner.release()
    },
  }
}

/** Queries wait while the database may belong to another studio. `Pool.query` and transactions both call `connect`. */
function guard(pool: Pool, owner: Ownership): void {
  const connect = pool.connect.bind(pool)
  type Callback = Parameters<Parameters<typeof connect>[0]>
  const connectHeld = (callback?: (...given: Callback) => void) => {
    const connected = owner.held().then(() => connect())
    if (!callback) return connected
    return void connected.then(
      client => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }
  pool.connect = connectHeld as typeof pool.connect
}

/**
 * Runs belong to one process: a connection of its own holds an advisory lock as long as it lives. If that connection ends, the lock is taken
 * again on a new one, unless another studio was faster.
 */
class Ownership {
  readonly #open: () => Client
  /** host and name of the database, for messages */
  readonly #name: string
  #onTaken = (_: Error) => {}
  readonly taken = new Promise<Error>(resolve => {
    this.#onTaken = resolve
  })
  #client: Client | undefined
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  /** why the lock is lost for good */
  #end: Error | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(open: () => Client, name: string) {
    this.#open = open
    this.#name = name
  }

  get isHeld(): boolean {
    return this.#client !== undefined
  }

  /** Resolves when the lock is held; rejects when it is lost for good. */
  held(): Promise<void> {
    if (this.#end) return Promise.reject(this.#end)
    if (this.#client) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Takes the lock; rejects if another studio has it, or the server cannot be reached. */
  async take(): Promise<void> {
    const client = this.#open()
    // `end` follows
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [studioLock])
      if (!rows[0]?.held) throw new Taken('another studio uses this database; close it, or choose another database with --db')
      if (this.#end) throw this.#end
    } catch (error) {
      await client.end().catch(() => {})
      if (error instanceof Taken) throw error
      throw new Error(`the database ${this.#name} cannot be used: ${messageOf(error)}`, { cause: error })
    }
    this.#client = client
    client.once('end', () => {
      this.#client = undefined
      if (!this.#end) this.#retake(0)
    })
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  /** From now on nobody can use the database. */
  refuse(error: Error): void {
    this.#end ??= error
    clearTimeout(this.#timer)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end)
  }

  async release(): Promise<void> {
    await this.#client?.end()
  }

  #retake(attempt: number): void {
    const retry = async () => {
      try {
        await this.take()
      } catch (error) {
        if (this.#end) return
        if (!(error instanceof Taken)) return this.#retake(attempt + 1)
        this.refuse(error)
        this.#onTaken(error)
      }
    }
    this.#timer = setTimeout(() => void retry(), attempt === 0 ? 0 : Math.min(maxDelayMs, 100 * 2 ** attempt))
  }
}

class Taken extends Error {}

/** An error of several addresses has no message of its own. */
const messageOf = (error: unknown): string => {
  const { message, code } = (error ?? {}) as { readonly message?: string; readonly code?: string }
  return message || code || String(error)
}
