import type { StudioDatabase } from 'pagehand/wire'
import type { DatabasePlace } from './database.ts'

/**
 * The place that `--db` or DATABASE_URL names. Anything but the URL of a PostgreSQL server is an error: an empty embedded database in its
 * place would look as if all chats were gone. The error does not repeat the URL, which may contain a password.
 */
export function databasePlace(url: string): DatabasePlace {
  const expected =
    'the database (--db or DATABASE_URL) must be the URL of a PostgreSQL server, which begins with postgres:// or postgresql://'
  const scheme = /^[a-z][a-z\d+.-]+:(?:\/\/)?/i.exec(url)?.[0] ?? ''
  const isKnown = /^postgres(ql)?:\/\/$/i.test(scheme)
  if (isKnown && URL.canParse(url)) return { url }
  const found = isKnown
    ? 'this one cannot be parsed: encode special characters of the password, for example @ as %40'
    : `${scheme ? `this one begins with ${scheme}` : 'this is a path or a name'}. Without it, the studio uses an embedded database in the folder of --data`
  throw new Error(`${expected}; ${found}`)
}

/** A database in words that may be shown: never its password. */
export function describeDatabase(place: DatabasePlace): StudioDatabase {
  if ('folder' in place) return { kind: 'embedded', folder: place.folder }
  const url = new URL(place.url)
  const host = url.hostname || url.searchParams.get('host') || 'localhost'
  return {
    kind: 'postgresql',
    host: url.port ? `${host}:${url.port}` : host,
    name: decodeURIComponent(url.pathname.slice(1) || url.username) || 'postgres',
  }
}

/** Host and name of a PostgreSQL database. */
export function databaseName(url: string): string {
  const described = describeDatabase({ url })
  return described.kind === 'postgresql' ? `${described.name} on ${described.host}` : ''
}
