import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentPrompt, agentToolList, browserPrompt, browserToolList, systemPrompt, toOpenAI, webToolList } from '../../../src/tools.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const web = webToolList({ allowEval: true })

/** the files under contracts/ and their content according to the code */
const files: { readonly [file: string]: string } = {
  'web-tools.openai.json': json(toOpenAI(web)),
  'web-tools.openai-responses.json': json(toOpenAI(web, 'responses')),
  'agent-tools.openai.json': json(toOpenAI(agentToolList)),
  'browser-tool.openai.json': json(toOpenAI(browserToolList)),
  'web-tools.prompt.md': systemPrompt(),
  'agent-tools.prompt.md': agentPrompt(),
  'browser-tool.prompt.md': browserPrompt(),
}

for (const [file, now] of Object.entries(files))
  test(`contracts/${file} is up to date (S2-07, S2-49, S4-31)`, () => {
    const path = fileURLToPath(new URL(`../../../contracts/${file}`, import.meta.url))
    if (process.env.UPDATE) writeFileSync(path, now)
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '', 'run `npm run gen` and commit the diff').toBe(now)
  })
