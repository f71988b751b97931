import { useId } from 'react'
import type { ApprovalPart } from '../../../../src/wire/parts.ts'
import { reasonWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { elementWords, pathWords, whereWords } from '../timeline/step-words.ts'

/** What would be sent, as the person should see it before anybody else does. */
const SentData = ({ data }: { data: NonNullable<ApprovalPart['data']> }) => {
  const { approval: texts } = useMessages()
  const title = useId()
  const { fields, more = 0, hidden = 0 } = data
  const others = [more > 0 ? texts.moreData(more) : '', hidden > 0 ? texts.hiddenData(hidden) : ''].filter(Boolean)
  if (fields.length === 0 && others.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <p id={title} className="text-xs text-faint">
        {texts.data}
      </p>
      <div className="max-h-48 overflow-y-auto rounded-lg border">
        <table aria-labelledby={title} className="w-full table-fixed text-xs">
          <tbody>
            {fields.map(({ label, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same label, and the list never changes
              <tr key={index} className="border-t align-top first:border-t-0">
                <th scope="row" className="w-2/5 px-2 py-1 text-left font-normal text-muted [overflow-wrap:anywhere]">
                  {label}
                </th>
                <td className="px-2 py-1 font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.length === 0 ? null : <p className="text-2xs text-muted">{others.join(texts.actions.separator)}</p>}
    </div>
  )
}

/** Classes, place, target, reasons and data of a question. */
export const Facts = ({ approval }: { approval: ApprovalPart }) => {
  const messages = useMessages()
  const texts = messages.approval
  const { target, classes, reasons, url, verb, code, destination, dialog, data } = approval
  const isNamed = destination === undefined || verb === 'open' || verb === 'tabs'
  return (
    <div className="flex flex-col gap-2">
      {approval.kind === 'plan' ? <p className="text-xs text-muted">{texts.planHint}</p> : null}
      <ul className="flex flex-wrap gap-1">
        {classes.map(each => (
          <li key={each} className="rounded-full border border-warn-line bg-warn-soft px-2 py-px text-2xs font-medium text-warn">
            {texts.classes[each] ?? each}
          </li>
        ))}
      </ul>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs">
        <dt className="text-faint">{texts.where}</dt>
        <dd className="truncate" title={url}>
          {approval.kind === 'plan' ? approval.origin : whereWords(approval, messages)}
        </dd>
        {isNamed ? null : (
          <>
            <dt className="text-faint">{texts.destination}</dt>
            <dd className="[overflow-wrap:anywhere]">{destination}</dd>
          </>
        )}
        {target === undefined ? null : (
          <>
            <dt className="text-faint">{texts.target}</dt>
            <dd className="[overflow-wrap:anywhere]">
              {elementWords(target, messages)}
              <span className="block text-faint">{pathWords(target.path, messages)}</span>
            </dd>
          </>
        )}
        {dialog === undefined ? null : (
          <>
            <dt className="text-faint">{texts.dialog}</dt>
            <dd className="[overflow-wrap:anywhere]">“{dialog}”</dd>
          </>
        )}
        {reasons.length === 0 || approval.kind === 'plan' ? null : (
          <>
            <dt className="text-faint">{texts.why}</dt>
            <dd>{reasonWords(approval, messages)}</dd>
          </>
        )}
      </dl>
      {data === undefined ? null : <SentData data={data} />}
      {code === undefined ? null : <pre className="max-h-40 overflow-auto rounded-lg border bg-sunken p-2 text-xs">{code}</pre>}
    </div>
  )
}
