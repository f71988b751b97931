import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { defaultRoots } from '../../../src/drivers/cdp/storage/allowed-paths.ts'

test('the working directory is the default root, but neither the root of the file system nor the home folder (E5)', () => {
  expect(defaultRoots()).toEqual([process.cwd()])
  expect(defaultRoots('docs')).toEqual([resolve('docs')])
  expect(defaultRoots('/')).toEqual([])
  expect(defaultRoots(homedir())).toEqual([])
  expect(defaultRoots(`${homedir()}/.`)).toEqual([])
})
