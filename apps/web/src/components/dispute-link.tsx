import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'
import { LinkButton, type ButtonKind } from './button.tsx'

const messages = defineMessages({
  en: { open: 'See the dispute', over: 'See how the dispute ended' },
  es: { open: 'Ver la disputa', over: 'Ver cómo acabó la disputa' },
})

/** The way of a party to the latest dispute about a task, where there is one. */
export function DisputeLink({ taskId, kind }: { readonly taskId: string; readonly kind?: ButtonKind }): ReactNode {
  const say = useMessages(messages)
  const { data } = useRead('disputes.list', { task_id: taskId, limit: 20 }, { staleTime: 15_000 })
  const latest = data?.disputes.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).at(-1)
  if (latest === undefined) return null
  const isOpen = latest.status === 'open' || latest.status === 'resolving'
  return (
    <LinkButton to="/disputes/$disputeId" params={{ disputeId: latest.id }} {...(kind === undefined ? {} : { kind })}>
      {say(isOpen ? 'open' : 'over')}
    </LinkButton>
  )
}
