import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { Button } from './button.tsx'

type FormEndProps = {
  readonly onCancel: () => void
  readonly kind?: 'primary' | 'danger'
  readonly busy: boolean
  readonly disabled?: boolean
  /** What sending does. */
  readonly children: ReactNode
}

/** How a form in a dialog ends: the way out, then what it does. */
export function FormEnd({ onCancel, kind = 'primary', busy, disabled = false, children }: FormEndProps): ReactNode {
  const common = useMessages(commonMessages)
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button onClick={onCancel}>{common('cancel')}</Button>
      <Button kind={kind} type="submit" busy={busy} disabled={disabled}>
        {children}
      </Button>
    </div>
  )
}
