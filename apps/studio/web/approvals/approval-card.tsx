import { useMutation } from '@tanstack/react-query'
import { Ban, Check, ClipboardList, Hourglass, ShieldQuestion } from 'lucide-react'
import { useContext, useId, useState } from 'react'
import type { ApprovalPart } from '../../../../src/wire/parts.ts'
import type { ApprovalAnswer } from '../../../../src/wire/studio-api.ts'
import { api, queries } from '../api/client.ts'
import { ChatContext } from '../chat/chat-context.ts'
import type { Messages } from '../messages/en.ts'
import { ruleWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { toast, toastError } from '../shell/toast.tsx'
import { actionWords, planLines } from '../timeline/step-words.ts'
import { Facts } from './approval-facts.tsx'

type Answer = Omit<ApprovalAnswer, 'id'>

const DecidedApproval = ({ approval }: { approval: ApprovalPart }) => {
  const messages = useMessages()
  const texts = messages.approval
  const icons = {
    approved: <Check className="text-good" />,
    denied: <Ban className="text-bad" />,
    stale: <Hourglass className="text-faint" />,
    pending: null,
  }
  const { decision, staleBecause } = approval
  return (
    <p className="flex items-start gap-2 text-[0.8125rem] text-muted [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
      {icons[approval.state]}
      <span>
        <b className="font-medium text-ink">
          {staleBecause !== undefined || decision === undefined
            ? texts.stated(stateWords(approval, texts))
            : texts.decided(texts.states[approval.state], texts.scopes[decision.scope], decision.by)}
        </b>
        {approval.kind === 'plan' ? planLines(approval).join('; ') : actionWords(approval, messages)}
        {decision?.reason === undefined || decision.reason === '' ? null : <q className="ml-1 italic">{decision.reason}</q>}
      </span>
    </p>
  )
}

const stateWords = ({ state, decision, staleBecause: why }: ApprovalPart, texts: Messages['approval']): string => {
  if (state !== 'stale' || why === undefined) return texts.states[state]
  return decision === undefined ? texts.expired[why] : texts.notDone[why]
}

interface DecideProps {
  readonly approval: ApprovalPart
  readonly answer: (answer: Answer) => void
  readonly busy: boolean
  /** nobody can answer any more */
  readonly isOver: boolean
}

const Decide = ({ approval, answer, busy: isBusy, isOver }: DecideProps) => {
  const busy = isBusy || isOver
  const messages = useMessages()
  const { approval: texts, app } = messages
  const [denying, setDenying] = useState(false)
  const [reason, setReason] = useState('')
  if (denying) {
    return (
      <form
        className="flex flex-col gap-2"
        onSubmit={event => {
          event.preventDefault()
          answer({ approved: false, scope: 'once', ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
        }}
      >
        <input
          // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was just pressed
          autoFocus
          value={reason}
          onChange={event => setReason(event.target.value)}
          aria-label={texts.denyReason}
          placeholder={texts.denyReason}
          maxLength={500}
          className="h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-[0.8125rem] outline-none placeholder:text-faint focus:border-accent"
        />
        <div className="flex gap-2">
          <Button type="submit" look="danger" disabled={busy}>
            {texts.denyNow}
          </Button>
          <Button look="quiet" onClick={() => setDenying(false)}>
            {app.cancel}
          </Button>
        </div>
      </form>
    )
  }
  const isPlan = approval.kind === 'plan'
  const runGrant = approval.runRule === undefined ? approval : { rule: approval.runRule, clauses: approval.runClauses ?? [] }
  return (
    <div className="flex flex-col gap-1.5">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <Button look="primary" disabled={busy} onClick={() => answer({ approved: true, scope: isPlan ? 'run' : 'once' })}>
          {isPlan ? texts.plan : texts.once}
        </Button>
        {isPlan ? null : (
          <>
            <Button disabled={busy} onClick={() => answer({ approved: true, scope: 'run' })}>
              {texts.run}
            </Button>
            <Button disabled={busy} onClick={() => answer({ approved: true, scope: 'site' })} title={approval.rule}>
              {texts.site}
            </Button>
          </>
        )}
        <Button look="danger" className="sm:ml-auto" disabled={busy} onClick={() => setDenying(true)}>
          {texts.deny}
        </Button>
      </div>
      {isPlan || isOver ? null : (
        <p className="text-2xs text-faint" title={runGrant.rule}>
          {texts.runHint(ruleWords(runGrant, messages))}
        </p>
      )}
      {isPlan || isOver ? null : (
        <p className="text-2xs text-faint" title={approval.rule}>
          {texts.siteHint(ruleWords(approval, messages))}
        </p>
      )}
    </div>
  )
}

/** A question to the person: the action or plan, its target marked in a picture, and what may be answered. */
export const ApprovalCard = ({ approval }: { approval: ApprovalPart }) => {
  const messages = useMessages()
  const texts = messages.approval
  const chat = useContext(ChatContext)
  const title = useId()
  const decide = useMutation(
    api.approval.decide.mutationOptions({
      onSuccess: ({ outcome, approval: decided }) => {
        if (decided) chat?.noteDecided(decided)
        if (outcome === 'already_decided') void toast(texts.alreadyDecided)
        if (outcome === 'unknown') void toast(texts.unknown, 'error')
      },
      onError: toastError(messages),
      onSettled: () => void queries.invalidateQueries(api.waiting.queryFilter()),
    }),
  )
  // asked before the studio was closed: shown until the person continues or stops the run
  const wasLost = approval.staleBecause === 'browser' && approval.decision === undefined
  const isLost = wasLost && chat?.runs.get(approval.runId)?.handoff?.state === 'waiting'
  if (approval.state !== 'pending' && !isLost) return <DecidedApproval approval={approval} />
  const isPlan = approval.kind === 'plan'
  return (
    <section aria-labelledby={title} className="animate-rise rounded-xl border border-warn-line bg-raised shadow-card">
      <h3
        id={title}
        className="flex items-center gap-2 rounded-t-xl border-b border-warn-line bg-warn-soft px-3 py-2 text-[0.8125rem] font-medium text-warn"
      >
        {isPlan ? <ClipboardList className="size-4" aria-hidden /> : <ShieldQuestion className="size-4" aria-hidden />}
        {isPlan ? texts.planTitle : isLost ? texts.newBrowserTitle : texts.title}
      </h3>
      <div className="flex flex-col gap-3 p-3">
        {isPlan ? (
          <ol className="flex list-decimal flex-col gap-1 pl-5 marker:text-faint">
            {planLines(approval).map(line => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        ) : (
          <p className="font-medium [overflow-wrap:anywhere]">{actionWords(approval, messages)}</p>
        )}
        {isLost ? <p className="text-[0.8125rem] text-warn text-pretty">{texts.newBrowser}</p> : null}
        {approval.picture === undefined || isLost ? null : (
          <img
            src={approval.picture}
            alt={texts.picture(actionWords(approval, messages))}
            className="max-h-56 w-full rounded-lg border bg-sunken object-contain"
          />
        )}
        <Facts approval={approval} />
      </div>
      {/* always in view while the card is, however long it is */}
      <div className="sticky bottom-0 rounded-b-xl border-t bg-raised p-3">
        <Decide
          approval={approval}
          busy={decide.isPending}
          isOver={isLost}
          answer={answer => decide.mutate({ id: approval.id, ...answer })}
        />
      </div>
    </section>
  )
}
