import { expect, test } from 'vitest'
import { databasePlace, describeDatabase } from '../../apps/studio/server/store/database-place.ts'

test.each(['postgres://ada:secret@db.example:5433/chats', 'postgresql://db.example/chats', 'postgresql:///chats?host=/run/postgresql'])(
  '%s is the URL of a PostgreSQL server',
  url => expect(databasePlace(url)).toEqual({ url }),
)

test.each([
  ['mysql://root:hunter2@db.example/chats', 'mysql://'],
  ['postgre://ada:hunter2@db.example/chats', 'postgre://'],
  ['postgresql+asyncpg://ada:hunter2@db.example/chats', 'postgresql+asyncpg://'],
  ['sqlite:hunter2.db', 'sqlite:'],
  ['file:hunter2.db', 'file:'],
  ['postgres:hunter2', 'postgres:'],
  ['./hunter2.db', 'a path or a name'],
  ['C:\\hunter2\\database', 'a path or a name'],
  ['', 'a path or a name'],
  ['postgres://ada:hunter2#x@db.example:port/chats', 'encode special characters'],
])('%s is an error that names what is accepted, and never the password', (given, found) => {
  expect(() => databasePlace(given)).toThrow('postgres:// or postgresql://')
  expect(() => databasePlace(given)).toThrow(found)
  expect(() => databasePlace(given)).not.toThrow('hunter2')
})

test('a database is described by its host and name, never by its password', () => {
  const of = (url: string) => describeDatabase({ url })
  expect(of('postgres://ada:secret@db.example:5433/my%20chats')).toEqual({ kind: 'postgresql', host: 'db.example:5433', name: 'my chats' })
  expect(of('postgresql:///chats?host=/run/postgresql')).toEqual({ kind: 'postgresql', host: '/run/postgresql', name: 'chats' })
  expect(of('postgres://ada@db.example')).toEqual({ kind: 'postgresql', host: 'db.example', name: 'ada' })
  expect(describeDatabase({ folder: '/data/database' })).toEqual({ kind: 'embedded', folder: '/data/database' })
})
