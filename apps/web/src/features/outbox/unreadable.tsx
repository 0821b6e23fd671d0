import type { ReactNode } from 'react'
import { outboxMessages } from '../../components/outbox/messages.ts'
import { useIsReadable } from '../../components/outbox/outbox-keeper.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'

/** What this device keeps may be more than the page can see of it. */
export function Unreadable(): ReactNode {
  const say = useMessages(outboxMessages)
  if (useIsReadable() !== false) return null
  return (
    <Note tone="warn" role="status" title={say('unreadable')}>
      <p>{say('unreadableHelp')}</p>
    </Note>
  )
}
