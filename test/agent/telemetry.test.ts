import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowserAgent } from '../../src/agent.ts'
import { ok } from '../../src/contract/run.ts'
import { call, close, scriptedModel } from '../support/scripted-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-spans-'))
const exporter = new InMemorySpanExporter()
beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
})
afterAll(() => {
  trace.disable()
  context.disable()
  rmSync(folder, { recursive: true, force: true })
})

test('a run has spans for itself, its steps, model calls, tools and commands, without any text (S3-41)', async () => {
  const model = scriptedModel([call('browser-wait', { timeout: 1 }), close('The word is xyzzy.')])
  const page = { url: 'https://a.example/', title: 'xyzzy' }
  const agent = await createBrowserAgent({
    model,
    run: async () => ok({ page, met: true, waitedMs: 1 }),
    goal: 'Say the word',
    evidence: folder,
  })
  const { run, reason } = await agent.run()
  expect(reason).toBe('closed')
  const spans = exporter.getFinishedSpans()
  const byId = new Map(spans.map(span => [span.spanContext().spanId, span]))
  const pathOf = (span: (typeof spans)[number]): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '')
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name
  }
  const paths = spans.map(pathOf)
  for (const path of [
    'invoke_agent pagehand',
    'invoke_agent pagehand > step 1',
    'invoke_agent pagehand > step 1 > chat scripted',
    'invoke_agent pagehand > step 1 > execute_tool browser-wait',
    'invoke_agent pagehand > step 1 > execute_tool browser-wait > command wait',
    'invoke_agent pagehand > step 2 > execute_tool close',
  ])
    expect(paths).toContain(path)
  expect(spans.find(({ name }) => name === 'chat scripted')?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 1_000,
    'gen_ai.usage.output_tokens': 20,
  })
  expect(spans.find(({ name }) => name === 'invoke_agent pagehand')?.attributes).toMatchObject({
    'gen_ai.conversation.id': run,
    'pagehand.stop_reason': 'closed',
  })
  expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('xyzzy')
})
