import { Component, type ReactNode } from 'react'
import { useMessages } from '../messages/language.tsx'
import { Failed } from './states.tsx'

const Crashed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Failed title={useMessages().app.crashed} error={error} onRetry={onRetry} />
)

/** A part of the page that the server could not send. Browsers remember that, so only loading the page again helps. */
const isMissingPart = (error: unknown) => error instanceof TypeError && /dynamically imported|importing a module/i.test(error.message)

/** Keeps an error in one part of the page from taking down the rest. */
export class Crash extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    if (this.state.error === undefined) return this.props.children
    const { error } = this.state
    return <Crashed error={error} onRetry={() => (isMissingPart(error) ? location.reload() : this.setState({ error: undefined }))} />
  }
}
