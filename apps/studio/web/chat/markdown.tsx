import { memo } from 'react'
import { type Components, Streamdown } from 'streamdown'

const components: Components = {
  // a page can make the model write a link: it opens apart from the studio, which it must not learn about
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
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
