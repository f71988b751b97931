import type { LanguageModel } from 'ai'
import { messageOf } from '../contract/error-message.ts'
import { cut } from '../contract/text.ts'
import { installCommand } from '../surfaces/missing-package.ts'

/** A model of the AI SDK that is not only a name. */
export type ModelObject = Exclude<LanguageModel, string>

/** The model that is used with OPENAI_API_KEY if no name is given. */
const defaultOpenAiModel = 'gpt-5-mini'

type Environment = { readonly [name: string]: string | undefined }

/**
 * The model for a name, or for the environment.
 *
 * - an object of the AI SDK is used as it is
 * - `provider/model` loads the package `@ai-sdk/provider`, which must be installed
 * - a name without a provider is a model of OpenAI's Responses API, at OPENAI_BASE_URL if that is set
 * - without a name: OPENAI_API_KEY or OPENAI_BASE_URL give the Responses API; otherwise `rulesModel`, which is not an AI model
 *
 * @example
 * const model = await resolveModel('openai/gpt-5-mini')
 */
export async function resolveModel(given?: LanguageModel, env: Environment = process.env): Promise<ModelObject> {
  if (typeof given === 'object') return given
  if (given === undefined && !env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) return builtInModel()
  if (given === 'rules') return builtInModel()
  const name = given ?? env.PAGEHAND_MODEL ?? defaultOpenAiModel
  const [provider, ...rest] = name.split('/')
  if (rest.length === 0 || provider === 'openai') return openAiModel(rest.length === 0 ? name : rest.join('/'), env)
  return providerModel(provider as string, rest.join('/'))
}

/** The stand-in without a key, which is no AI. It is loaded only if it is used. */
async function builtInModel(): Promise<ModelObject> {
  const { rulesModel } = await import('./rules-model.ts')
  return rulesModel()
}

/** OpenAI's Responses API, also of local servers; those often need no key. */
async function openAiModel(name: string, env: Environment): Promise<ModelObject> {
  const { createOpenAI } = await loadPackage<typeof import('@ai-sdk/openai')>('@ai-sdk/openai')
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = env
  if (!apiKey && !baseURL) throw new TypeError(`the model ${name} needs OPENAI_API_KEY, or OPENAI_BASE_URL of a local server`)
  return createOpenAI({ apiKey: apiKey || 'none', ...(baseURL && { baseURL }) }).responses(name)
}

/** A package of the AI SDK exports its provider under its own name: `@ai-sdk/anthropic` has `anthropic`. */
async function providerModel(provider: string, name: string): Promise<ModelObject> {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(provider)) throw new TypeError(`${JSON.stringify(cut(provider, 60))} is not the name of a provider`)
  const loaded = await loadPackage<{ readonly [name: string]: unknown }>(`@ai-sdk/${provider}`)
  const create = loaded[provider.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
  if (typeof create !== 'function') throw new TypeError(`@ai-sdk/${provider} does not export a provider`)
  return (create as (name: string) => ModelObject)(name)
}

async function loadPackage<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T
  } catch (error) {
    throw new Error(`${name} cannot be loaded. Run: ${installCommand(name)} (${cut(messageOf(error), 200)})`)
  }
}

/** The name of a model for logs and price tables. */
export const modelName = (model: ModelObject): string => model.modelId

/**
 * Options that providers understand: one call per step, and nothing is stored by the provider. Local servers do not store either, so
 * references to stored items would fail there.
 */
export const providerOptions = {
  openai: { parallelToolCalls: false, store: false },
  anthropic: { disableParallelToolUse: true },
}

/** A model error in a few words, without the key and without the URL of the API (S2-61). */
export function describeModelError(error: unknown, env: Environment = process.env): { readonly code: string; readonly message: string } {
  const cause = lastError(error)
  const status = (cause as { statusCode?: unknown } | null)?.statusCode
  const code = typeof status === 'number' ? `model_error_${status}` : 'model_error'
  const secrets = [env.OPENAI_API_KEY, env.OPENAI_BASE_URL, env.OPENAI_BASE_URL?.replace(/\/$/, '')]
  const url = (cause as { url?: unknown } | null)?.url
  const hidden = [...secrets, ...(typeof url === 'string' && url ? [url] : [])].filter(
    each => each !== undefined && each.length > 3,
  ) as string[]
  const message = hidden.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), messageOf(cause))
  return { code, message: cut(message.replace(/https?:\/\/\S+/g, '[url]'), 300) }
}

/** Retries end with an error that lists the others. */
const lastError = (error: unknown): unknown => (error as { lastError?: unknown } | null)?.lastError ?? error

/**
 * Whether the answer broke off, so that the same call may work: nothing of a step is carried out before its answer is complete. Errors
 * with a status were tried again by the AI SDK already, if that could help.
 */
export function isDisconnect(error: unknown): boolean {
  const { lastError: retried, statusCode } = (error ?? {}) as { readonly lastError?: unknown; readonly statusCode?: unknown }
  return retried === undefined && (statusCode === undefined || statusCode === 200)
}
