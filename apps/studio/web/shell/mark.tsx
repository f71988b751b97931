export const Mark = () => (
  <svg viewBox="0 0 32 32" className="size-5 shrink-0" aria-hidden focusable="false">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path d="M10 8.5v14.2l4.1-3.6 2.6 5.6 3-1.4-2.6-5.5 5.4-.4z" className="fill-on-accent" />
  </svg>
)
