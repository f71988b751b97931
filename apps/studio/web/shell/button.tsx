import type { ComponentProps, ReactNode } from 'react'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
const looks: { readonly [look in Look]: string } = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border border-transparent',
  plain: 'bg-raised text-ink border border-line-strong hover:border-faint hover:bg-sunken',
  quiet: 'text-muted hover:bg-sunken hover:text-ink border border-transparent',
  danger: 'bg-raised text-bad border border-line-strong hover:border-bad hover:bg-bad-soft',
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  size?: 'small' | 'normal'
}

export const Button = ({ look = 'plain', size = 'normal', className = '', type = 'button', ...rest }: ButtonProps) => (
  <button
    type={type}
    className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${
      size === 'small' ? 'h-7 px-2 text-xs' : 'h-8 px-3 text-[0.8125rem]'
    } ${looks[look]} ${className}`}
    {...rest}
  />
)

export interface IconButtonProps extends ComponentProps<'button'> {
  label: string
  active?: boolean
  children: ReactNode
}

/** A button with an icon only; its label is its name and its tooltip. */
export const IconButton = ({ label, active, className = '', children, ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-pressed={active}
    className={`relative grid size-8 shrink-0 place-items-center rounded-md transition-colors hover:bg-sunken hover:text-ink disabled:pointer-events-none disabled:opacity-40 ${
      active === true ? 'bg-accent-soft text-accent' : 'text-muted'
    } ${className}`}
    {...rest}
  >
    {children}
  </button>
)
