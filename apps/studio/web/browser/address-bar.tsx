import { ArrowLeft, ArrowRight, Crosshair, Maximize, Minimize, RotateCw, ScanSearch } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from '../shell/button.tsx'
import { toast } from '../shell/toast.tsx'
import { urlOf } from './address.ts'
import { useLive } from './live-context.tsx'
import type { StageMode } from './stage.tsx'

const Address = () => {
  const { browser } = useMessages()
  const { connection, state } = useLive()
  const url = state.page?.url ?? ''
  const [typed, setTyped] = useState<string | undefined>(undefined)
  // a page that opens while an address is typed does not overwrite it; leaving the field does
  useEffect(() => {
    if (document.activeElement?.id !== 'address') setTyped(undefined)
  }, [])
  return (
    <form
      className="min-w-0 flex-1"
      onSubmit={event => {
        event.preventDefault()
        const target = urlOf(typed ?? url)
        if (target === undefined) return void toast(browser.invalidAddress, 'error')
        connection?.send({ type: 'open', url: target })
        setTyped(undefined)
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      }}
    >
      <input
        id="address"
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        aria-label={browser.address}
        placeholder={browser.addressPlaceholder}
        disabled={connection === undefined}
        value={typed ?? url}
        onFocus={event => event.target.select()}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={event => {
          if (event.key === 'Escape') {
            setTyped(undefined)
            event.currentTarget.blur()
          }
        }}
        className="h-8 w-full rounded-lg border border-transparent bg-sunken px-3 text-[0.8125rem] text-muted outline-none placeholder:text-faint hover:border-line focus:border-accent focus:bg-raised focus:text-ink disabled:opacity-60"
      />
    </form>
  )
}

/** Where the page is, and where to go; what the picture shows on top of the page. */
export const AddressBar = ({ mode, change }: { mode: StageMode; change: (changes: Partial<StageMode>) => void }) => {
  const { browser } = useMessages()
  const { connection, state } = useLive()
  const off = connection === undefined || !state.connected
  const history = (direction: 'back' | 'forward' | 'reload') => () => connection?.send({ type: 'history', direction })
  return (
    <div role="toolbar" aria-label={browser.address} className="flex h-11 shrink-0 items-center gap-0.5 border-b bg-surface px-2">
      <IconButton label={browser.back} disabled={off} onClick={history('back')}>
        <ArrowLeft className="size-4" />
      </IconButton>
      <IconButton label={browser.forward} disabled={off} onClick={history('forward')} className="max-sm:hidden">
        <ArrowRight className="size-4" />
      </IconButton>
      <IconButton label={browser.reload} disabled={off} onClick={history('reload')} className="mr-1">
        <RotateCw className={`size-4 ${state.page?.loading === true ? 'animate-spin' : ''}`} />
      </IconButton>
      <Address />
      <span className="w-1" />
      <IconButton
        label={mode.zoom === 'fit' ? browser.zoom.actual : browser.zoom.fit}
        disabled={off}
        onClick={() => change({ zoom: mode.zoom === 'fit' ? 'actual' : 'fit' })}
        className="max-sm:hidden"
      >
        {mode.zoom === 'fit' ? <Maximize className="size-4" /> : <Minimize className="size-4" />}
      </IconButton>
      <IconButton label={browser.refs} active={mode.refs} disabled={off} onClick={() => change({ refs: !mode.refs })}>
        <ScanSearch className="size-4" />
      </IconButton>
      <IconButton label={browser.pick} active={mode.pick} disabled={off} onClick={() => change({ pick: !mode.pick })}>
        <Crosshair className="size-4" />
      </IconButton>
    </div>
  )
}
