import { builtInsReplaced } from '../runtime/errors.ts'

// Runs if a page script could not load, because the page replaced built-ins by others that throw. The host gets failed responses instead of
// an exception. Nothing here may call a built-in.

const seal = '__PAGEHAND_SEAL__'
const page = globalThis as { __agentBrowser?: { readonly seal?: unknown; readonly [name: string]: unknown } }

const failure = (type: string) => ({
  code: type === 'snapshot' || type === 'query' ? 'snapshot_failed' : 'action_failed',
  message: builtInsReplaced,
})
const respond = (type: string) => () => ({ ok: false, type, error: failure(type) })
const call = (type: string) => `{"ok":false,"type":"${type}","error":{"code":"${failure(type).code}","message":"${builtInsReplaced}"}}`

// a script that was injected earlier keeps working
if (page.__agentBrowser?.seal !== seal)
  page.__agentBrowser = {
    seal,
    call,
    ...{ snapshot: respond('snapshot'), action: respond('action'), query: respond('query'), page: respond('page') },
  }
