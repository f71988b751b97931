import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

test('a canvas, a video and an embedded document have a line with their size and a ref, and the text says what shows them', async () => {
  await using page = await openScriptPage(`<style>body { margin: 0 } canvas, video, object { display: block }</style>
    <canvas width=300 height=150 aria-label="Sales"></canvas><canvas width=8 height=8></canvas><video width=320 height=180 title=Trailer></video>
    <object data="data:text/plain,x" type=text/plain width=200 height=100></object><canvas role=img aria-label=Logo width=90 height=90></canvas>
    <canvas width=400 height=200 hidden></canvas><button>Play</button>`)
  const text = await page.text()
  const lines = text.split('\n').map(line => line.trim())
  expect(lines.filter(line => /^- (canvas|video|embed)/.test(line))).toEqual([
    expect.stringMatching(/^- canvas "Sales" \[size="300x150"\] \[ref=e\d+\]/),
    expect.stringMatching(/^- video "Trailer" \[size="320x180"\] \[ref=e\d+\]/),
    expect.stringMatching(/^- embed \[type="text\/plain"\] \[size="200x100"\] \[ref=e\d+\]/),
  ])
  expect(text).toContain('… a canvas, video or embedded document is drawn and not read: take a screenshot of its ref')
})

test('a page without drawn content says nothing about it', async () => {
  await using page = await openScriptPage('<button>Play</button>')
  expect(await page.text()).not.toContain('drawn and not read')
})
