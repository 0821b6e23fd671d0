import type { ReactNode } from 'react'
import type { EventName } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Loading } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { eventMessages } from '../../messages/event-words.ts'
import { taskMessages } from './messages.ts'

type TaskEvent = Output<'events.list'>['events'][number]
type HistoryProps = {
  readonly story: readonly TaskEvent[] | undefined
  readonly network: string
  readonly error: Error | null
}

/** What happened to a task, in order, as far as the reader may hear of it. */
export function History({ story, network, error }: HistoryProps): ReactNode {
  const say = useMessages(taskMessages)
  const happened = useMessages(eventMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  // What was written is in the thread.
  const steps = story?.filter(({ type }) => type !== 'message.sent')
  return (
    <section className="grid gap-3">
      <h2>{say('history')}</h2>
      {error !== null && <Failure error={error} />}
      {steps === undefined && error === null && <Loading says={common('loading')} rows={1} />}
      {steps?.length === 0 && <p className="text-quiet">{say('nothingYet')}</p>}
      {steps !== undefined && steps.length > 0 && (
        <ol className="grid gap-3 border-l-2 border-line pl-4">
          {steps.map(({ id, type, created_at, data }) => {
            const hash = hashOf(data)
            return (
              <li key={id} className="grid gap-0.5">
                {/* The contract names the types of this list, and the texts are by the same names. */}
                <span className="font-semibold">{happened(type as EventName)}</span>
                <span className="text-sm text-quiet">
                  <Moment at={created_at} />
                  {/* On paper the moment itself is said in full. */}
                  <span className="no-print">{` · ${format.dateTime(created_at)}`}</span>
                </span>
                {hash !== undefined && (
                  <span className="text-sm">
                    <Transaction hash={hash} network={network} />
                  </span>
                )}
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}

/** The transaction an event names, under one of the names that the catalogue has for it. */
function hashOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const payment = data['payment']
  const paid: unknown =
    typeof payment === 'object' && payment !== null && 'tx_hash' in payment ? payment.tx_hash : undefined
  return [paid, data['escrow_tx'], data['refund_tx'], data['tx_hash']].find((one) => typeof one === 'string')
}
