import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link, type LinkComponentProps } from '@tanstack/react-router'

const kinds = {
  primary: 'btn-primary',
  secondary: 'btn-secondary',
  quiet: 'btn-quiet',
  danger: 'btn-danger',
  /** The primary one on the dark band. */
  night: 'btn-night',
} as const
export type ButtonKind = keyof typeof kinds

export const buttonClass = (kind: ButtonKind = 'secondary', further = ''): string => `btn ${kinds[kind]} ${further}`

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
      className={buttonClass(kind, busy ? `btn-busy ${className}` : className)}
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
