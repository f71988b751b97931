import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserAgentOptions } from 'pagehand/agent'
import type { RunStore } from 'pagehand/evidence'
import { parseGrantRule } from 'pagehand/tools'
import type { ApprovalAnswer, ApprovalPart, Grant, StoredFilePart, StudioSettings } from 'pagehand/wire'

export interface RunApprovalsOptions {
  readonly chatId: string
  readonly settings: StudioSettings
  /** what the user attached; undefined if the browser can neither take nor give files */
  readonly files: readonly StoredFilePart[] | undefined
  /** a request was made or decided */
  onApproval(approval: ApprovalPart): void
}

/** a script is shown from its beginning */
const maxCodeChars = 2_000

export type ApprovalRecord = Awaited<ReturnType<RunStore['approvals']>>[number] & Pick<ApprovalPart, 'staleBecause'>
type ApprovalRequest = ApprovalRecord['request'] & Pick<ApprovalPart, 'data' | 'method' | 'files' | 'onto' | 'dialog'>

/** The questions that runs ask, and the answers of people, in whichever window they are given. */
export class Approvals {
  readonly #runs: RunStore
  readonly #folder: string
  /** the requests of this process: those of earlier ones were asked for another browser */
  readonly #asked = new Set<string>()

  /** @param folder the folder of all runs, where the pictures of requests are kept */
  constructor(runs: RunStore, folder: string) {
    this.#runs = runs
    this.#folder = folder
  }

  async pending(chatOf: (run: string) => string): Promise<readonly ApprovalPart[]> {
    const records = await this.#runs.approvals({ pending: true })
    // a run that was stopped does not wait for its answer any more
    return records
      .filter(({ request }) => this.#isOpen(request))
      .map(record => toApprovalPart(record, chatOf(record.request.run)))
      .filter(({ chatId }) => chatId !== '')
  }

  /** Whether an answer can be used. A plan was made before anything was opened, so it does not depend on a browser. */
  #isOpen({ id, kind }: ApprovalRequest): boolean {
    return kind === 'plan' || this.#asked.has(id)
  }

  async decide({ id, approved, scope, reason }: ApprovalAnswer, chatOf: (run: string) => string) {
    const decision = { approved, scope, by: 'studio', at: new Date().toISOString(), ...(reason !== undefined && { reason }) }
    const asked = (await this.#runs.approvals()).find(({ request }) => request.id === id)
    if (asked && !this.#isOpen(asked.request))
      return { outcome: 'unknown' as const, approval: overBecause(toApprovalPart(asked, chatOf(asked.request.run)), 'browser') }
    const outcome = await this.#runs.decide(id, decision)
    const record = (await this.#runs.approvals()).find(({ request }) => request.id === id)
    return { outcome, approval: record ? toApprovalPart(record, chatOf(record.request.run)) : null }
  }

  /** What became of the questions of a run. */
  async records(run: string): Promise<ReadonlyMap<string, ApprovalRecord>> {
    return new Map((await this.#runs.approvals({ run })).map(record => [record.request.id, record]))
  }

  async grants(): Promise<readonly Grant[]> {
    return (await this.#runs.grants.list()).map(({ id, rule, scope, createdAt }) => ({ id, rule, ...clausesOf(rule), scope, createdAt }))
  }

  revoke(id: string): Promise<boolean> {
    return this.#runs.grants.revoke(id)
  }

  /** The options of an agent whose questions are answered in the studio. */
  forRun({ chatId, settings, files, onApproval }: RunApprovalsOptions): Pick<BrowserAgentOptions, 'approvals' | 'evidence'> {
    return {
      evidence: this.#runs,
      approvals: {
        grants: this.#runs.grants,
        // what is not possible must not be asked
        policy: { classes: { ...settings.policy, ...(files === undefined && { upload: 'deny' as const, download: 'deny' as const }) } },
        approve: async (request, signal) => {
          this.#asked.add(request.id)
          await this.#savePicture(request)
          const show = (record: ApprovalRecord) => onApproval(withSizes(toApprovalPart(record, chatId), files))
          show({ request, state: 'pending' })
          // in whichever window, or by `pagehand approve`: the run waits as long as it takes
          const decision = await this.#runs.decision(request.id, signal)
          show({ request, state: decision.approved ? 'approved' : 'denied', decision })
          return decision
        },
      },
    }
  }

  async #savePicture(request: ApprovalRequest): Promise<void> {
    const { id, run, picture } = request
    if (!picture || !isPictured(request)) return
    const folder = join(this.#folder, run, 'approvals')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, `${id}.png`), Buffer.from(picture.base64, 'base64'), { mode: 0o600 })
  }
}

/** `fillForm, click` for the actions of one call */
const verbsOf = ({ name, commands }: ApprovalRecord['request']['command']): string =>
  Array.isArray(commands) ? commands.map((each: { readonly name: string }) => each.name).join(', ') : name

/** Without an element that is marked, a picture says nothing about the action; of a page that is opened, it shows the one before. */
const isPictured = ({ target }: ApprovalRequest): boolean => target !== undefined

/** A question that nobody can answer any more, or an approval that was not used. */
export const overBecause = (part: ApprovalPart, why: NonNullable<ApprovalPart['staleBecause']>): ApprovalPart => ({
  ...part,
  state: 'stale',
  staleBecause: part.staleBecause ?? why,
})

export function toApprovalPart({ request, state, staleBecause, decision }: ApprovalRecord, chatId: string): ApprovalPart {
  const { id, run, kind, command, classes, reasons, reasonCodes, origin, url, target, destination, picture, rule, runRule, askedAt, plan } =
    request
  const { data, method, onto, dialog, files } = request as ApprovalRequest
  const object = plan ? {} : objectOf(command)
  const words = target ? [target.role, target.name && JSON.stringify(target.name)].filter(Boolean).join(' ') : ''
  return {
    id,
    runId: run,
    chatId,
    kind,
    state: state === 'used' ? 'approved' : state,
    action: plan ? (plan.text ?? '') : [verbsOf(command), object.destination ?? object.key, words].filter(Boolean).join(' '),
    verb: verbsOf(command),
    ...object,
    ...(destination !== undefined && { destination }),
    ...(data && { data }),
    ...(method && { method }),
    ...(onto && { onto: { role: onto.role, name: onto.name, path: onto.path } }),
    ...(dialog !== undefined && { dialog }),
    ...(command.name === 'download' && files && { files }),
    ...(state === 'stale' && { staleBecause: staleBecause ?? ('page' as const) }),
    classes,
    reasons,
    ...(reasonCodes && { reasonCodes }),
    origin: plan ? plan.sites.join(', ') : origin,
    url,
    rule,
    ...clausesOf(rule),
    ...(runRule !== undefined && { runRule, runClauses: clausesOf(runRule).clauses ?? [] }),
    askedAt,
    ...(target && { target: { role: target.role, name: target.name, path: target.path } }),
    ...(picture && isPictured(request) && { picture: `/api/runs/${run}/files/approvals/${id}.png` }),
    ...(decision && { decision }),
  }
}

/** Files of a command are named as the user attached them. */
const withSizes = (part: ApprovalPart, attached: readonly StoredFilePart[] = []): ApprovalPart => {
  const sizeOf = (path: string) => attached.find(({ name }) => name === path)?.bytes
  return part.files ? { ...part, files: part.files.map(({ path, bytes }) => ({ path, ...optionalBytes(bytes ?? sizeOf(path)) })) } : part
}

const optionalBytes = (bytes: number | undefined) => (bytes === undefined ? {} : { bytes })

/** What a command is about besides its element. Typed text was left out of it. */
function objectOf(command: ApprovalRequest['command']): Pick<ApprovalPart, 'destination' | 'key' | 'code' | 'files'> {
  const { url, key, files, js, commands } = command as { readonly [argument: string]: unknown }
  if (Array.isArray(commands)) return Object.assign({}, ...commands.map(objectOf)) as ReturnType<typeof objectOf>
  return {
    ...(typeof url === 'string' && command.name !== 'wait' && { destination: url }),
    ...(typeof key === 'string' && key !== typedMark && { key }),
    ...(typeof js === 'string' && { code: js.slice(0, maxCodeChars) }),
    ...(Array.isArray(files) && { files: files.map(path => ({ path: String(path) })) }),
  }
}

/** in place of a key that is a character */
const typedMark = '[typed]'

const clausesOf = (rule: string): Pick<Grant, 'clauses'> => {
  const clauses = parseGrantRule(rule)?.map(({ classes, origin }) => ({ classes, ...(origin !== undefined && { origin }) }))
  return clauses ? { clauses } : {}
}
