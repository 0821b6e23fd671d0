import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { PersonChip } from '../../components/person.tsx'
import { useRead } from '../../lib/market.tsx'

type PartyProps = {
  readonly side: 'publisher' | 'worker'
  readonly dispute: Pick<Output<'disputes.get'>, 'publisher_wallet' | 'worker_wallet' | 'executor_id'>
  /** As far as the reader sees it. */
  readonly task:
    | Pick<
        Output<'tasks.get'>,
        'publisher_type' | 'publisher_name' | 'publisher_picture_url' | 'executor_name' | 'executor_picture_url'
      >
    | undefined
  readonly size?: 44
}

/** A side of a dispute by its face and name, the same wherever it is shown. */
export function PartyChip({ side, dispute, task, ...size }: PartyProps): ReactNode {
  const { executor_id } = dispute
  const { data: worker } = useRead('workers.get', { executor_id }, { staleTime: 600_000, enabled: side === 'worker' })
  return side === 'publisher' ? (
    <PersonChip
      address={dispute.publisher_wallet}
      party={task?.publisher_type}
      name={task?.publisher_name}
      picture={task?.publisher_picture_url}
      {...size}
    />
  ) : (
    <PersonChip
      address={dispute.worker_wallet}
      party={worker?.executor_type}
      name={worker?.display_name ?? task?.executor_name}
      picture={worker?.picture_url ?? task?.executor_picture_url}
      {...size}
    />
  )
}
