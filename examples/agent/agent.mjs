// An agent loop over any Chat Completions API, with evidence of each run.
import { openSession } from 'pagehand/browser'
import { startRun } from 'pagehand/evidence'
import { executeToolCalls, systemPrompt, toOpenAI, webTools, wrap } from 'pagehand/tools'

/** Lets a model work on a task until it answers without calling a tool. The run is recorded, whatever the outcome. */
export async function perform(task, { model, folder, maxSteps = 15, session: openedSession, secrets = [], check }) {
  const record = await startRun(folder, { label: task, secrets: [model.key, model.url.replace(/\/$/, ''), ...secrets] })
  const run = { text: '', steps: 0, usage: { input: 0, output: 0 } }
  let session = openedSession
  try {
    session ??= await openSession()
    const tools = record.tools(webTools(wrap(session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
    run.text = await work(task, { model, tools, run, maxSteps }).catch(stopReason)
    for (const [assertion, holds] of (await check?.(run.text, session)) ?? []) await record.assert(assertion, holds)
  } catch (error) {
    run.text = stopReason(error)
  } finally {
    if (!openedSession) await session?.close()
  }
  return { text: run.text, folder: record.folder, report: await record.end(run) }
}

const stopReason = error => `Stopped: ${error.message}`

async function work(task, { model, tools, run, maxSteps }) {
  const messages = [
    { role: 'system', content: systemPrompt() },
    { role: 'user', content: task },
  ]
  while (run.steps < maxSteps) {
    run.steps++
    const { message, usage } = await ask(model, { messages, tools: toOpenAI(tools) })
    run.usage.input += usage?.prompt_tokens ?? 0
    run.usage.output += usage?.completion_tokens ?? 0
    messages.push(message)
    if (!message.tool_calls?.length) return message.content ?? ''
    messages.push(...(await executeToolCalls(tools, message)))
  }
  return `Not done after ${maxSteps} turns.`
}

async function ask({ url, name, key }, request) {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: name, ...request }),
  })
  if (!response.ok) throw new Error(`the model API returned ${response.status}: ${(await response.text()).slice(0, 300)}`)
  const { choices, usage } = await response.json()
  if (!choices?.[0]?.message) throw new Error('the response of the model has no message')
  return { message: choices[0].message, usage }
}
