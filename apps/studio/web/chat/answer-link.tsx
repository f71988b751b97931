import type { ReactNode } from 'react'
import { useMessages } from '../messages/language.tsx'
import { linkTarget } from './link-target.ts'

interface AnswerLinkProps {
  readonly href: string
  readonly words: string
  readonly children: ReactNode
}

/** A link in an answer. A page can make the model write one: it says where it leads, and opens apart from the studio. */
export const AnswerLink = ({ href, words, children }: AnswerLinkProps) => {
  const { chat } = useMessages()
  const { host, isMisleading } = linkTarget(words, href)
  return (
    <>
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {host === undefined ? null : isMisleading ? (
        <strong className="ml-1 rounded bg-warn-soft box-decoration-clone px-1 text-xs font-medium text-warn">{chat.leadsTo(host)}</strong>
      ) : (
        <span className="ml-1 text-xs text-muted">({host})</span>
      )}
    </>
  )
}
