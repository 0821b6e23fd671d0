import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { Icon } from './icon.tsx'

export const inputClass = 'input'

/** What a control inside a field is tied to its label, its hint and its error by. */
export type FieldTies = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true }

type FieldProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: (ties: FieldTies) => ReactNode
}

/** A label, a control, what helps to fill it in, and what is wrong with it, tied together for every reader. */
export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId()
  const described = [hint === undefined ? undefined : `${id}-hint`, error === undefined ? undefined : `${id}-error`]
    .filter((one) => one !== undefined)
    .join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-label">
        {label}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm text-bad">
          <Icon name="warning-fill" className="mt-0.5" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

type Shared = { readonly label: ReactNode; readonly hint?: ReactNode; readonly error?: string | undefined }

export function TextField({ label, hint, error, ...input }: Shared & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} className={`${inputClass} ${input.className ?? ''}`} />}
    </Field>
  )
}

export function TextAreaField({
  label,
  hint,
  error,
  ...input
}: Shared & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ties) => <textarea rows={5} {...input} {...ties} className={`${inputClass} ${input.className ?? ''}`} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...input
}: Shared & SelectHTMLAttributes<HTMLSelectElement>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ties) => (
        <select {...input} {...ties} className={`${inputClass} ${input.className ?? ''}`}>
          {children}
        </select>
      )}
    </Field>
  )
}

/** A box with its label behind it; the whole row can be clicked. */
export function CheckField({
  label,
  hint,
  ...input
}: Omit<Shared, 'error'> & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="flex min-h-11 items-center gap-3">
        <input
          {...input}
          id={id}
          type="checkbox"
          {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
          className="size-5 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  )
}
