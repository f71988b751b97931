import { memo } from 'react'
import { type Components, Streamdown } from 'streamdown'
import { AnswerLink } from './answer-link.tsx'

interface MarkdownNode {
  readonly value?: string
  readonly children?: readonly object[]
}

/** The text of a part of the answer. */
const textOf = (node: MarkdownNode = {}): string => node.value ?? (node.children ?? []).map(each => textOf(each)).join('')

const components: Components = {
  a: ({ href = '', children, node }) => (
    <AnswerLink href={href} words={textOf(node)}>
      {children}
    </AnswerLink>
  ),
  // an image of a model would be a request to wherever a page asked for it
  img: ({ alt }) => <span>[{alt}]</span>,
}

const Markdown = ({ text, running }: { text: string; running: boolean }) => (
  <div className="prose-answer">
    <Streamdown components={components} controls={false} isAnimating={running} linkSafety={{ enabled: false }}>
      {text}
    </Streamdown>
  </div>
)
export default memo(Markdown)
