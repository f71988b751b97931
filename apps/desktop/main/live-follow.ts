import type { LiveTabInfo, LiveView } from 'pagehand/browser'

export interface LiveFollowOptions {
  /** the tab in front and its live view; undefined if no tab is open */
  current(): Promise<{ readonly id: string; readonly live: LiveView } | undefined>
  /** all tabs; the session of one knows only that one */
  tabs(): Promise<readonly LiveTabInfo[]>
  /** Calls the listener when the tabs have changed. Returns the function that removes the listener. */
  onChanged(listener: () => void): () => void
  /** Calls the listener when another tab is in front, or its session is a new one. Returns the function that removes the listener. */
  onMoved(listener: () => void): () => void
}

/** The live view of the tab in front, whichever that is. */
export function followLive({ current, tabs, onChanged, onMoved }: LiveFollowOptions): LiveView {
  const require = async (): Promise<LiveView> => {
    const front = await current()
    if (!front) throw new Error('No tab is open.')
    return front.live
  }
  /** Keeps `attach` in force on the tab in front; `attach` returns the function that undoes it. */
  const follow = (attach: (live: LiveView, id: string) => () => void): (() => void) => {
    let detach = () => {}
    let turn = 0
    const move = async () => {
      const mine = ++turn
      detach()
      detach = () => {}
      const front = await current().catch(() => undefined)
      if (front && mine === turn) detach = attach(front.live, front.id)
    }
    const unsubscribe = onMoved(() => void move())
    void move()
    return () => {
      turn = Number.POSITIVE_INFINITY
      unsubscribe()
      detach()
    }
  }
  return {
    watch(onFrame) {
      let ready = () => {}
      const stop = follow((live, tab) => {
        const watcher = live.watch(frame => onFrame({ ...frame, tab }))
        ready = () => watcher.ready()
        return () => {
          ready = () => {}
          watcher.stop()
        }
      })
      return { ready: () => ready(), stop }
    },
    onFailure: listener => follow(live => live.onFailure(listener)),
    onChange: listener => follow(live => live.onChange(listener)),
    onTarget: listener => follow(live => live.onTarget(listener)),
    tabs,
    onTabs(listener) {
      const ends = [onChanged(listener), follow(live => live.onTabs(listener))]
      return () => {
        for (const end of ends) end()
      }
    },
    mouse: async event => (await require()).mouse(event),
    key: async event => (await require()).key(event),
    text: async text => (await require()).text(text),
  }
}
