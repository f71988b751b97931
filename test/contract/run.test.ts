import { expectTypeOf, test } from 'vitest'
import type { CommandData } from '../../src/contract/results.ts'
import type { AnyRun, Result, Run } from '../../src/contract/run.ts'
import type { Snapshot } from '../../src/contract/snapshot.ts'

declare const run: Run

test('a misspelled verb, a missing argument and an argument of the wrong type do not compile', () => {
  // @ts-expect-error: there is no verb clik
  const misspelled = () => run({ name: 'clik', ref: 'e1' })
  // @ts-expect-error: click needs a ref
  const incomplete = () => run({ name: 'click' })
  // @ts-expect-error: values is a list
  const wrong = () => run({ name: 'select', ref: 'e1', values: 'a' })
  expectTypeOf([misspelled, incomplete, wrong]).toBeArray()
})

test('the data of a result has the type of its verb', () => {
  const snapshot = () => run({ name: 'snapshot' })
  const back = () => run({ name: 'back' })
  expectTypeOf(snapshot).returns.resolves.toEqualTypeOf<Result<CommandData['snapshot']>>()
  expectTypeOf<CommandData['snapshot']>().toExtend<Snapshot>()
  expectTypeOf(back).returns.resolves.toEqualTypeOf<Result<CommandData['back']>>()
})

test('a typed run can be passed where layers and surfaces take an untyped one, and not the other way round', () => {
  expectTypeOf<Run>().toExtend<AnyRun>()
  expectTypeOf<AnyRun>().not.toExtend<Run>()
})
