import { fieldsSetBy, isJoint, type JointCommand, joint, wholesOf } from '../contract/joint-commands.ts'
import type { AnyCommand, AnyRun } from '../contract/run.ts'
import { type ExplainOptions, type Explanation, inspectTargets, judge } from './explain.ts'
import { areOneQuestion, joinVerdicts, uniqueFields, withoutFragment } from './joint-verdict.ts'
import { isSame, subjectOf } from './request.ts'
import { fieldsOf } from './sent-by.ts'

/** A command that asks, with what it is a part of. */
export interface Part {
  readonly command: AnyCommand
  readonly verdict: Explanation
  /** the command as it was given: what it is a part of is known by it */
  readonly given: AnyCommand
}

/** A form or a call as one question. */
export interface JointQuestion {
  readonly whole: AnyCommand
  /** what a person is asked about: the form, or the actions of the call that ask */
  readonly command: AnyCommand
  readonly verdict: Explanation
  /** what each of its actions was judged to be, without the fields that are set before it */
  readonly members: ReadonlyMap<AnyCommand, { readonly verdict: Explanation; readonly except: readonly string[] }>
}

interface Permit {
  readonly question: JointQuestion
  readonly approval: string
  /** the execution that an action was carried out for: the same object again is another action */
  readonly executions: Map<AnyCommand, object>
}

/** The forms and calls that a person has approved, while they are carried out. */
export class Permits {
  readonly #given = new WeakMap<object, Permit>()

  add(question: JointQuestion, approval: string, part: Part): void {
    this.#given.set(question.whole, { question, approval, executions: new Map([[memberOf(part), executionOf(part)]]) })
  }

  /** The approval that covers a part; what the part turns out to be now must be what the person was asked about. */
  async approvalFor(run: AnyRun, part: Part, options: ExplainOptions): Promise<string | undefined> {
    for (const whole of questionsAbout(part)) {
      const permit = this.#given.get(whole)
      const member = memberOf(part)
      const asked = permit?.question.members.get(member)
      if (!permit || !asked || !isFirst(permit, part)) continue
      const verdict = asked.except.length > 0 ? await verdictOn(run, part.command, { ...options, except: asked.except }) : part.verdict
      if (!verdict || !covers(asked.verdict, { ...part, verdict })) continue
      permit.executions.set(member, executionOf(part))
      return permit.approval
    }
    return undefined
  }

  /** What a person can be asked instead of the part alone, the most first. */
  async questions(run: AnyRun, part: Part, options: ExplainOptions): Promise<readonly JointQuestion[]> {
    const questions: JointQuestion[] = []
    for (const whole of questionsAbout(part)) {
      const permit = this.#given.get(whole)
      // it was approved and does more than that now
      if (permit && isFirst(permit, part)) continue
      const question = isJoint(whole) ? await callQuestion(run, { whole, part }, options) : await formQuestion(run, whole, options)
      const asked = question?.members.get(memberOf(part))
      if (question && asked && covers(asked.verdict, part, { isBefore: true })) questions.push(question)
    }
    return questions
  }
}

function questionsAbout({ given }: Part): readonly AnyCommand[] {
  const { form, call } = wholesOf(given)
  return [...(call ? [call] : []), ...(form ? [form] : [])]
}

/** The action of the call that a part belongs to. */
const memberOf = ({ given }: Part): AnyCommand => wholesOf(given).form ?? given

/** The parts of a form share one; an action that is carried out again has another one. */
const executionOf = ({ given, command }: Part): object => wholesOf(given).execution ?? command

/** Whether the action was not carried out before, or the part belongs to the same execution of it. */
function isFirst({ executions }: Permit, part: Part): boolean {
  const before = executions.get(memberOf(part))
  return before === undefined || (wholesOf(part.given).form !== undefined && before === executionOf(part))
}

async function verdictOn(run: AnyRun, command: AnyCommand, options: ExplainOptions): Promise<Explanation | undefined> {
  const found = await inspectTargets(run, command, options)
  return 'failure' in found ? undefined : judge(command, found, options)
}

async function formQuestion(run: AnyRun, whole: AnyCommand, options: ExplainOptions): Promise<JointQuestion | undefined> {
  const verdict = await verdictOn(run, whole, options)
  return verdict?.rule === 'ask'
    ? { whole, command: whole, verdict, members: new Map([[whole, { verdict, except: fieldsSetBy(whole) }]]) }
    : undefined
}

/** The rest of a call, from the action that asks now. */
async function callQuestion(
  run: AnyRun,
  { whole, part }: { readonly whole: JointCommand; readonly part: Part },
  options: ExplainOptions,
): Promise<JointQuestion | undefined> {
  const members = new Map<AnyCommand, { readonly verdict: Explanation; readonly except: readonly string[] }>()
  const words: Explanation[] = []
  const set: string[] = []
  for (const command of whole.commands.slice(whole.commands.indexOf(memberOf(part)))) {
    const before = [...set]
    const verdict = await verdictOn(run, command, { ...options, except: before })
    if (!verdict) return undefined
    set.push(...fieldsSetBy(command))
    if (verdict.rule !== 'allow') members.set(command, { verdict, except: command.name === 'fillForm' ? [...set] : before })
    // a person reads what is typed, whether or not typing it asks
    else words.push({ ...verdict, data: { fields: fieldsOf(command, verdict.targets) } })
    if (verdict.rule !== 'allow') words.push(verdict)
  }
  const asking = [...members.values()].map(({ verdict }) => verdict)
  if (!areOneQuestion(asking)) return undefined
  const verdict = joinVerdicts(asking)
  const fields = uniqueFields(words.flatMap(each => each.data?.fields ?? []))
  const sets = [...members].map(([command, { except }]) => except.filter(ref => !fieldsSetBy(command).includes(ref)))
  return {
    whole,
    command: joint([...members.keys()], sets),
    verdict: { ...verdict, ...((verdict.data || fields.length > 0) && { data: { ...verdict.data, fields } }) },
    members,
  }
}

/**
 * Whether an answer about an action is one about this part of it.
 *
 * @param isBefore nothing was set yet, so what would be sent is not compared
 */
function covers(asked: Explanation, part: Part, { isBefore = false } = {}): boolean {
  const { verdict } = part
  const isSmaller = verdict.asks.every(each => asked.asks.includes(each))
  if (!isSmaller) return false
  if (wholesOf(part.given).form) return isPartOf(asked, part, { isBefore })
  const [was, is] = [subjectOf(asked), subjectOf(verdict)]
  return isSame(was, isBefore ? { ...is, ...(was.digest !== undefined && { digest: was.digest }) } : is)
}

/** Whether an answer about a form is one about this part of it. */
const isPartOf = (form: Explanation, { command, verdict }: Part, { isBefore }: { readonly isBefore: boolean }): boolean =>
  verdict.origin === form.origin &&
  withoutFragment(verdict.url) === withoutFragment(form.url) &&
  (verdict.destination === undefined || verdict.destination === form.destination) &&
  (command.name !== 'click' || isDefaultButton(form, verdict)) &&
  (isBefore || !sends.has(command.name) || (verdict.method === form.method && verdict.data?.digest === form.data?.digest))

/** how `fillForm` sends a form */
const sends: ReadonlySet<string> = new Set(['click', 'press'])

/** The button says what sending the form does, so its words must be those that were judged. */
function isDefaultButton({ targets }: Explanation, { targets: [button] }: Explanation): boolean {
  const asked = targets.find(({ enterSubmits }) => enterSubmits?.button !== undefined)?.enterSubmits?.button
  return asked === undefined || asked === button?.name
}
