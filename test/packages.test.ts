import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly dev?: boolean
  readonly peer?: boolean
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }
const installed = Object.entries(packages).filter(([path]) => path !== '')
const namesWhere = (matches: (each: LockedPackage) => boolean) => installed.filter(([, each]) => matches(each)).map(([path]) => path)

test('every package has a hash in the lock file, and none comes from a repository or a folder', ({ task }) => {
  task.meta.tries = installed.length
  expect(installed.length).toBeGreaterThan(100)
  expect(namesWhere(({ integrity = '' }) => !/^sha512-/.test(integrity))).toEqual([])
  expect(namesWhere(({ resolved = '' }) => /^(?:git|file|http:)/.test(resolved))).toEqual([])
})

test('every package of production has a permissive licence, and no package of production runs a script when it is installed', ({
  task,
}) => {
  const isProduction = ({ dev, peer }: LockedPackage) => !dev && !peer
  const production = namesWhere(isProduction)
  task.meta.tries = production.length
  expect(production.length).toBeGreaterThan(5)
  expect(namesWhere(each => isProduction(each) && !/^(?:MIT|ISC|BSD-[23]-Clause|0BSD)$/.test(each.license ?? ''))).toEqual([])
  expect(namesWhere(each => each.hasInstallScript === true)).toEqual(['node_modules/esbuild'])
})
