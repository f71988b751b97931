import { useMessages } from '../messages/language.tsx'

/** The panels before the chat has arrived. */
export const ChatSkeleton = () => {
  const { app } = useMessages()
  return (
    <main className="flex h-full" aria-busy>
      <p role="status" className="sr-only">
        {app.loading}
      </p>
      <div className="flex flex-1 flex-col justify-end bg-surface p-3 min-[820px]:max-w-[40%] min-[820px]:border-r">
        <div className="h-20 animate-breathe rounded-xl border bg-raised" />
      </div>
      <div className="hidden flex-1 flex-col min-[820px]:flex">
        <div className="h-11 border-b bg-surface" />
      </div>
    </main>
  )
}
