import { isJoint, type JointCommand, joint, wholesOf } from '../contract/joint-commands.ts'
import type { AbortSignalLike, AnyCommand, AnyRun } from '../contract/run.ts'
import { type ExplainOptions, type Explanation, inspectTargets, judge } from './explain.ts'
import { areOneQuestion, joinVerdicts, withoutFragment } from './joint-verdict.ts'
import { isSame, subjectOf } from './request.ts'

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
  readonly verdicts: ReadonlyMap<AnyCommand, Explanation>
}

/** The forms and calls that a person has approved, while they are carried out. */
export class Permits {
  readonly #given = new WeakMap<object, { readonly question: JointQuestion; readonly approval: string }>()

  add(question: JointQuestion, approval: string): void {
    this.#given.set(question.whole, { question, approval })
  }

  /** The approval that covers a part; what the part turns out to be now must be what the person was asked about. */
  approvalFor(part: Part): string | undefined {
    return questionsAbout(part)
      .flatMap(whole => this.#given.get(whole) ?? [])
      .find(({ question }) => covers(question, part))?.approval
  }

  /** What a person can be asked instead of the part alone, the most first. */
  async questions(run: AnyRun, part: Part, { signal, ...options }: ExplainOptions): Promise<readonly JointQuestion[]> {
    const questions: JointQuestion[] = []
    for (const whole of questionsAbout(part)) {
      // it was approved and does more than that now
      if (this.#given.has(whole)) continue
      const question = isJoint(whole)
        ? await callQuestion(run, { whole, part }, { ...options, signal })
        : await formQuestion(run, whole, { ...options, signal })
      if (question && covers(question, part)) questions.push(question)
    }
    return questions
  }
}

function questionsAbout({ given }: Part): readonly AnyCommand[] {
  const { form, call } = wholesOf(given)
  return [...(call ? [call] : []), ...(form ? [form] : [])]
}

async function verdictOn(run: AnyRun, command: AnyCommand, options: ExplainOptions): Promise<Explanation | undefined> {
  const found = await inspectTargets(run, command, options.signal as AbortSignalLike | undefined)
  return 'failure' in found ? undefined : judge(command, found, options)
}

async function formQuestion(run: AnyRun, whole: AnyCommand, options: ExplainOptions): Promise<JointQuestion | undefined> {
  const verdict = await verdictOn(run, whole, options)
  return verdict?.rule === 'ask' ? { whole, command: whole, verdict, verdicts: new Map([[whole, verdict]]) } : undefined
}

/** The rest of a call, from the action that asks now. */
async function callQuestion(
  run: AnyRun,
  { whole, part }: { readonly whole: JointCommand; readonly part: Part },
  options: ExplainOptions,
): Promise<JointQuestion | undefined> {
  const verdicts = new Map<AnyCommand, Explanation>()
  for (const command of whole.commands.slice(whole.commands.indexOf(memberOf(part)))) {
    const verdict = await verdictOn(run, command, options)
    if (!verdict) return undefined
    if (verdict.rule !== 'allow') verdicts.set(command, verdict)
  }
  const asking = [...verdicts.values()]
  return areOneQuestion(asking) ? { whole, command: joint([...verdicts.keys()]), verdict: joinVerdicts(asking), verdicts } : undefined
}

/** The action of the call that a part belongs to. */
const memberOf = ({ given }: Part): AnyCommand => wholesOf(given).form ?? given

function covers({ verdicts }: JointQuestion, part: Part): boolean {
  const asked = verdicts.get(memberOf(part))
  if (!asked) return false
  const { verdict } = part
  const isSmaller = verdict.asks.every(each => asked.asks.includes(each))
  return isSmaller && (wholesOf(part.given).form ? isPartOf(asked, part) : isSame(subjectOf(asked), subjectOf(verdict)))
}

/** Whether an answer about a form is one about this part of it. */
const isPartOf = (form: Explanation, { command, verdict }: Part): boolean =>
  verdict.origin === form.origin &&
  withoutFragment(verdict.url) === withoutFragment(form.url) &&
  (verdict.destination === undefined || verdict.destination === form.destination) &&
  (command.name !== 'click' || isDefaultButton(form, verdict))

/** The button says what sending the form does, so its words must be those that were judged. */
function isDefaultButton({ targets }: Explanation, { targets: [button] }: Explanation): boolean {
  const asked = targets.find(({ enterSubmits }) => enterSubmits?.button !== undefined)?.enterSubmits?.button
  return asked === undefined || asked === button?.name
}
