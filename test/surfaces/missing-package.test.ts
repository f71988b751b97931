import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agentInstallCommand, installCommand, missingPackage } from '../../src/surfaces/missing-package.ts'

const { peerDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  peerDependencies: { readonly [name: string]: string }
}

test('an import that finds no package is explained with the version to install', () => {
  const notFound = (name: string) =>
    Object.assign(new Error(`Cannot find package '${name}' imported from /app/dist/studio/server.js`), { code: 'ERR_MODULE_NOT_FOUND' })
  expect(missingPackage(notFound('@electric-sql/pglite'))).toBe('@electric-sql/pglite')
  expect(missingPackage(new Error("Cannot find package 'pg'"))).toBeUndefined()
  expect(missingPackage(undefined)).toBeUndefined()
})

test('the versions to install are those of package.json', () => {
  for (const [name, range] of Object.entries(peerDependencies).filter(([, each]) => !each.startsWith('>=')))
    expect(installCommand(name)).toBe(`npm install ${name}@${range.replace('^', '')}`)
  expect(installCommand('left-pad', 'pg')).toBe('npm install left-pad pg@8')
})

test('the package of OpenAI is named only to those who use it', () => {
  const key = { OPENAI_API_KEY: 'k' }
  expect(agentInstallCommand('ai', ['buy tea'], {})).toBe('npm install ai@7')
  expect(agentInstallCommand('ai', ['buy tea'], key)).toBe('npm install ai@7 @ai-sdk/openai@4')
  expect(agentInstallCommand('ai', ['buy tea', '--model', 'rules'], key)).toBe('npm install ai@7')
  expect(agentInstallCommand('ai', ['buy tea', '--model=rules'], key)).toBe('npm install ai@7')
  expect(agentInstallCommand('ws', ['buy tea'], key)).toBe('npm install ws')
})
