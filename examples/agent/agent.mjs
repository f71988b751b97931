// A task, a model and a page: one loop over anything that speaks Chat Completions, and the evidence of what it did.
import { openSession } from 'pagehand/browser'
import { startRun } from 'pagehand/evidence'
import { systemPrompt, toOpenAI, webTools, wrap } from 'pagehand/tools'

/** Lets a model work on a task until it answers without calling a tool. Whatever comes of it is in the record. */
export async function perform(task, { model, shelf, maxSteps = 15, session: given, secrets = [], check }) {
  const record = await startRun(shelf, { label: task, secrets: [model.key, model.url.replace(/\/$/, ''), ...secrets] })
  const run = { text: '', steps: 0, usage: { input: 0, output: 0 } }
  let session = given
  try {
    session ??= await openSession()
    const tools = record.tools(webTools(wrap(session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
    run.text = await work(task, { model, tools, run, maxSteps }).catch(stopped)
    for (const [says, held] of (await check?.(run.text, session)) ?? []) await record.assert(says, held)
  } catch (error) {
    run.text = stopped(error)
  } finally {
    if (!given) await session?.close()
  }
  return { text: run.text, folder: record.folder, report: await record.end(run) }
}

const stopped = error => `Stopped: ${error.message}`

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
    for (const call of message.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: (await answer(tools, call)).text })
  }
  return `Not done after ${maxSteps} turns.`
}

/** what is no JSON is no argument: the tool says so, and the model tries again */
function answer(tools, { function: { name, arguments: given } }) {
  let args = given
  try {
    args = JSON.parse(given || '{}')
  } catch {}
  return tools.execute(name, args)
}

async function ask({ url, name, key }, question) {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: name, ...question }),
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  const { choices, usage } = await response.json()
  if (!choices?.[0]?.message) throw new Error('the model answered nothing')
  return { message: choices[0].message, usage }
}
