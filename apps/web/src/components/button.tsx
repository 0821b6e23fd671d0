import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link, type LinkComponentProps } from '@tanstack/react-router'

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 py-2 text-center font-semibold leading-tight transition-colors disabled:cursor-not-allowed disabled:opacity-60'
const kinds = {
  primary: 'bg-brand text-on-brand hover:brightness-110',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-brand hover:bg-brand-soft',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
} as const
export type ButtonKind = keyof typeof kinds

export const buttonClass = (kind: ButtonKind = 'secondary', further = ''): string =>
  `${shape} ${kinds[kind]} ${further}`

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: ButtonKind
  /** Something is under way: the button says so and takes no second click. */
  readonly busy?: boolean
}

/** A button; `busy` keeps it in the order of focus, so that nobody is thrown to the top of the page. */
export function Button({
  kind,
  busy = false,
  className = '',
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      className={buttonClass(kind, className)}
      onClick={
        busy
          ? (event) => {
              event.preventDefault()
            }
          : onClick
      }
    >
      {busy && (
        <span
          aria-hidden="true"
          className="size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
        />
      )}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  kind,
  className = '',
  ...rest
}: LinkComponentProps<'a'> & { readonly kind?: ButtonKind; readonly className?: string | undefined }): ReactNode {
  return <Link {...rest} className={buttonClass(kind, className)} />
}
