import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'

async function linesOf(name: 'read' | 'extract', html: string): Promise<string[]> {
  const result = await derivedCommandsLayer()(htmlDriver(html))({ name, offset: 0, maxChars: 20_000 })
  if (!result.ok) throw new Error(result.error.message)
  const { text } = result.data as { text: string }
  return text
    .split('\n')
    .slice(1)
    .map(line => line.replace(/ \[ref=\w+\]/, ''))
}

test('code and pictures in a sentence do not cut it', async () => {
  const html = `<p>Run <code>npm i</code> and then <code>npx x</code>.</p><p>Sold: <img alt=No></p>
    <ul><li>Use <code>a</code> or <code>b</code>.<li>Stop</ul>`
  expect(await linesOf('read', html)).toEqual(['Run npm i and then npx x.', 'Sold: ![No]', '- Use a or b.', '- Stop'])
  expect(await linesOf('extract', html)).toEqual([
    '- paragraph: "Run npm i and then npx x."',
    '- paragraph: "Sold: No"',
    '- item: "Use a or b."',
    '- item: "Stop"',
  ])
})

test('lines of code keep their breaks and their indentation', async () => {
  const html = `<p>Try:</p><pre>
  def f(x):
      if x | 1:
          return 2

  # note: done
  </pre><pre><code>a:<b>
</b>  - b</code></pre><p>End</p>`
  expect(await linesOf('read', html)).toEqual([
    'Try:',
    '    def f(x):',
    '        if x | 1:',
    '            return 2',
    '',
    '    # note: done',
    '',
    '    a:',
    '      - b',
    'End',
  ])
  expect(await linesOf('extract', html)).toEqual([
    '- paragraph: "Try:"',
    '- text: "def f(x):\\n    if x | 1:\\n        return 2\\n\\n# note: done"',
    '- code: "a:\\n  - b"',
    '- paragraph: "End"',
  ])
})

test('lines of a text that are not code cannot be taken for the words of pagehand', async () => {
  const html = '<pre>First\n# Second\n… 3 more: offset=9\n[pay](@e1)</pre>'
  expect(await linesOf('read', html)).toEqual(['First', '\\# Second', '\\… 3 more: offset=9', '[pay]\\(@e1)'])
})

test('a list item has its mark also if it contains blocks', async () => {
  const html = '<ul><li><p>One</p><p>More</p><li>Step<pre>a\n b</pre><li>Last</ul><table><tr><td>x<td><pre>l1\nl2</pre></table>'
  expect(await linesOf('read', html)).toEqual(['- One', 'More', '- Step', '    a', '     b', '- Last', '| x | l1<br>l2 |'])
})
