import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src/', import.meta.url))
const entries = readdirSync(root).filter(file => /^\w+\.ts$/.test(file))

/** The names that a file exports, each with the file that declares it and its name there. */
function exportsOf(entry: string): { readonly name: string; readonly file: string; readonly declared: string }[] {
  const source = readFileSync(join(root, entry), 'utf8')
  return [...source.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(([, list = '', from = '']) =>
    list
      .split(',')
      .map(each => each.trim().replace(/^type /, ''))
      .filter(Boolean)
      .map(each => {
        const [declared = '', name = declared] = each.split(' as ')
        return { name, declared, file: join(dirname(entry), from) }
      }),
  )
}

/** The JSDoc comment of a declaration; of several overloads the first. */
function docOf(file: string, name: string): string {
  const source = readFileSync(join(root, file), 'utf8')
  const doc = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function|const|class|interface|type) ${name}\\b`,
  ).exec(source)
  return doc?.[1] ?? ''
}

test.each(entries)('every export of %s has a JSDoc comment with an example', entry => {
  const exported = exportsOf(entry)
  expect(exported.length).toBeGreaterThan(1)
  const without = exported.filter(({ file, declared }) => !/@example/.test(docOf(file, declared))).map(({ name }) => name)
  expect(without).toEqual([])
})

test.each(entries)('every option of %s that has a default says so with @default', entry => {
  const missing = exportsOf(entry)
    .filter(({ name }) => /Options$/.test(name))
    .flatMap(({ file, declared }) => {
      const source = readFileSync(join(root, file), 'utf8')
      const body = new RegExp(`interface ${declared}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? ''
      // "default:" in prose is a default that an editor does not show
      return [...body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\?/g)]
        .filter(([, doc = '']) => /\b(unless given|by default|default:)/i.test(doc) && !/@default/.test(doc))
        .map(([, , field]) => `${declared}.${field}`)
    })
  expect(missing).toEqual([])
})
