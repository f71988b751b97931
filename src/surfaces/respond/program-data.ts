import type { ParsedCommand } from '../../contract/commands.ts'
import { jsonKinds } from './format-value.ts'

/** The data of a result for a program: values that are JSON are parsed, and the bytes of a screenshot are left to its file. */
export function programData(call: ParsedCommand, data: unknown): unknown {
  const { base64: _, ...rest } = data as { readonly base64?: string; readonly value?: unknown; readonly truncated?: boolean }
  const isJson = call.name === 'evaluate' || (call.name === 'query' && jsonKinds.has(call.kind))
  if (!isJson || rest.truncated || typeof rest.value !== 'string') return rest
  try {
    return { ...rest, value: JSON.parse(rest.value) }
  } catch {
    return rest // undefined, which JSON does not have
  }
}
