import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { AddressDetails } from '../../components/address-details.tsx'
import { Moment } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { taskMessages } from './messages.ts'

type CheckProps = { readonly task: Output<'tasks.get'> }

/** The publisher's address, whole, and when it was published: behind a word, because most never ask. */
export function ForThoseWhoCheck({ task }: CheckProps): ReactNode {
  const say = useMessages(taskMessages)
  return (
    <details>
      <summary className="link inline-flex min-h-11 items-center">{say('check')}</summary>
      <div className="grid gap-1 pt-2">
        <p className="text-sm text-quiet">{say('publisherAddress')}</p>
        <AddressDetails address={task.agent_id} network={task.payment_network} />
        <p className="text-sm text-quiet">
          {say('published')} <Moment at={task.created_at} />
        </p>
      </div>
    </details>
  )
}
