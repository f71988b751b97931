import { type ComponentType, lazy, Suspense } from 'react'

interface AnswerTextProps {
  readonly text: string
  readonly running: boolean
}

const PlainText = ({ text }: Pick<AnswerTextProps, 'text'>) => <p className="prose-answer whitespace-pre-wrap">{text}</p>

// a server that stops at this moment cannot send the renderer, and an answer is readable without it
const Markdown = lazy(
  (): Promise<{ default: ComponentType<AnswerTextProps> }> => import('./markdown.tsx').catch(() => ({ default: PlainText })),
)

/** Text of the model. It is readable before the Markdown renderer has arrived. */
export const AnswerText = ({ text, running }: AnswerTextProps) =>
  text === '' ? null : (
    <Suspense fallback={<PlainText text={text} />}>
      <Markdown text={text} running={running} />
    </Suspense>
  )
