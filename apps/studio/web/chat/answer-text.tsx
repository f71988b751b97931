import { lazy, Suspense } from 'react'

const Markdown = lazy(() => import('./markdown.tsx'))

/** Text of the model. It is readable before the Markdown renderer has arrived. */
export const AnswerText = ({ text, running }: { text: string; running: boolean }) =>
  text === '' ? null : (
    <Suspense fallback={<p className="prose-answer whitespace-pre-wrap">{text}</p>}>
      <Markdown text={text} running={running} />
    </Suspense>
  )
