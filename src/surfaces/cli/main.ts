#!/usr/bin/env node
import { html, htmlHelp } from './html.ts'

const help = `pagehand: budgeted eyes on web pages for language models

  pagehand html FILE|-   a page from a file or standard input, as a model gets it
  pagehand help [html]   what a command takes

Exit codes: 0 done, 1 the page or the file did not give it (standard error says why), 2 wrong use.
`

const [command, ...given] = process.argv.slice(2)
process.exitCode = await main()

async function main(): Promise<number> {
  if (command === 'html') return html(given)
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    process.stdout.write(given[0] === 'html' ? htmlHelp : help)
    return command === undefined ? 2 : 0
  }
  process.stderr.write(`pagehand: unknown command ${command}. Run: pagehand help\n`)
  return 2
}
