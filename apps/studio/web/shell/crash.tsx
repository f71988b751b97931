import { Component, type ReactNode } from 'react'
import { useMessages } from '../messages/language.tsx'
import { Failed } from './states.tsx'

const Crashed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Failed title={useMessages().app.crashed} error={error} onRetry={onRetry} />
)

/** Keeps an error in one part of the page from taking down the rest. */
export class Crash extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    if (this.state.error === undefined) return this.props.children
    return <Crashed error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
  }
}
