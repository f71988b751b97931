import type { LiveView } from 'pagehand/browser'

export interface LiveFollowOptions {
  /** the live view of the tab in front; undefined if no tab is open */
  current(): Promise<LiveView | undefined>
  /** Calls the listener when another tab is in front, or its session is a new one. Returns the function that removes the listener. */
  onMoved(listener: () => void): () => void
}

/** The live view of the tab in front, whichever that is. */
export function followLive({ current, onMoved }: LiveFollowOptions): LiveView {
  const require = async (): Promise<LiveView> => {
    const live = await current()
    if (!live) throw new Error('No tab is open.')
    return live
  }
  /** Keeps `attach` in force on the tab in front; `attach` returns the function that undoes it. */
  const follow = (attach: (live: LiveView) => () => void): (() => void) => {
    let detach = () => {}
    let turn = 0
    const move = async () => {
      const mine = ++turn
      detach()
      detach = () => {}
      const live = await current().catch(() => undefined)
      if (live && mine === turn) detach = attach(live)
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
      const stop = follow(live => {
        const watcher = live.watch(onFrame)
        ready = () => watcher.ready()
        return () => {
          ready = () => {}
          watcher.stop()
        }
      })
      return { ready: () => ready(), stop }
    },
    onFailure: listener => follow(live => live.onFailure(listener)),
    mouse: async event => (await require()).mouse(event),
    key: async event => (await require()).key(event),
    text: async text => (await require()).text(text),
  }
}
