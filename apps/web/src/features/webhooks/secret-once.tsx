import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { webhookMessages } from './messages.ts'

type SecretProps = { readonly secret: string; readonly children?: ReactNode; readonly onKept: () => void }

/** A secret, shown until it is said to be kept: no address, no storage and no later answer holds it. */
export function SecretOnce({ secret, children, onKept }: SecretProps): ReactNode {
  const say = useMessages(webhookMessages)
  const note = useRef<HTMLDivElement>(null)
  // What had the focus, the form, is gone.
  useEffect(() => {
    note.current?.focus()
  }, [])
  return (
    <div className="grid gap-4">
      <div ref={note} tabIndex={-1} className="outline-none">
        <Note tone="warn" title={say('secretTitle')}>
          <p>{say('secretSays')}</p>
          {children}
        </Note>
      </div>
      <Copyable text={secret} label={say('secret')} />
      <div className="flex justify-end">
        <Button kind="primary" onClick={onKept}>
          {say('secretKept')}
        </Button>
      </div>
    </div>
  )
}
