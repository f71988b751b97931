import { expect, test } from 'vitest'
import { LoopDetector } from '../../src/agent/loop-detector.ts'

test('the same call with the same answer is a loop, also if each answer counts its repetitions (S3-38 E3)', () => {
  const detector = new LoopDetector()
  const answer = (count: number) =>
    `${count > 2 ? `[no_progress] the same answer ${count} times: act, or look elsewhere\n` : ''}<page ${'abcdefghijklmno'}${count} url="x">\n- button "A" [ref=e1]`
  const verdicts = [1, 2, 3, 4].map(count => detector.add('browser-observe', { task: 'a' }, answer(count)))
  expect(verdicts.at(-1)).toBe('loop')
  expect(verdicts.slice(0, -1)).not.toContain('loop')
  expect(new LoopDetector().add('browser-observe', {}, answer(9))).toBe('ok')
})
