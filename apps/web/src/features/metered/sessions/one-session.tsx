import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button, LinkButton } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { priceMessages } from '../../../components/metered/messages.ts'
import { Icon } from '../../../components/icon.tsx'
import { Page } from '../../../components/page.tsx'
import { PersonChip } from '../../../components/person.tsx'
import { Facts, Loading, Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useChange, useRead } from '../../../lib/market.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { useSession } from '../../../wallet/wallet.tsx'
import { MeteredPanel, type MeteredPart } from '../metered-panel.tsx'
import { sessionMessages } from './session-messages.ts'
import type { Session } from './session-list.tsx'
import { WorkClock } from './work-clock.tsx'

type Talk = (task: Output<'tasks.get'>, side: 'publisher' | 'worker') => ReactNode
type OneProps = {
  readonly id: string
  readonly role: string | undefined
  /** What its two sides write to one another. */
  readonly talk: Talk
}

/** One session: its meter, who takes part, and what the reader can do with it. */
export function OneSession({ id, role, talk }: OneProps): ReactNode {
  const common = useMessages(commonMessages)
  const say = useMessages(sessionMessages)
  const units = useMessages(priceMessages)
  const { data, error, refetch } = useRead('streams.get', { session_id: id }, { refetchInterval: 5_000 })
  return (
    <Page
      title={data === undefined ? say('title') : (data.note ?? say('session', { unit: units(`unit_${data.unit}`) }))}
      before={
        <div className="-ml-3.5">
          <LinkButton kind="quiet" to="/sessions" search={role === 'worker' ? { role } : {}}>
            <Icon name="caret-left-bold" /> {say('all')}
          </LinkButton>
        </div>
      }
    >
      {data !== undefined ? (
        <Known session={data} talk={talk} />
      ) : error === null ? (
        <Loading says={common('loading')} rows={4} />
      ) : (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
    </Page>
  )
}

function Known({ session, talk }: { readonly session: Session; readonly talk: Talk }): ReactNode {
  const common = useMessages(commonMessages)
  const say = useMessages(sessionMessages)
  const format = useFormat()
  const { wallet, workerId } = useSession()
  const { session_id: id, is_over: isOver, state, executor_id } = session
  const part: MeteredPart =
    session.buyer_wallet === wallet ? 'publisher' : executor_id === workerId ? 'worker' : 'reader'
  const { data: worker, error: unread } = useRead('workers.get', { executor_id }, { staleTime: 600_000 })
  // A session is a task of its buyer, which says what the buyer goes by.
  const { data: task } = useRead('tasks.get', { task_id: id }, { staleTime: 600_000 })
  const isFundable = state === 'unbound' && !isOver && part !== 'reader'
  return (
    <>
      <Facts
        rows={[
          [
            say('with'),
            worker === undefined ? (
              unread === null ? (
                common('loading')
              ) : (
                say('unknownWorker')
              )
            ) : (
              <PersonChip
                key="worker"
                address={worker.wallet_address}
                name={worker.display_name}
                picture={worker.picture_url}
              />
            ),
          ],
          [
            say('by'),
            part === 'publisher' ? (
              say('you')
            ) : (
              <PersonChip
                key="buyer"
                address={session.buyer_wallet}
                party={task?.publisher_type}
                name={task?.publisher_name}
                picture={task?.publisher_picture_url}
              />
            ),
          ],
          [say('ends'), format.dateTime(session.ends_at)],
        ]}
      />
      {/* What can be done now comes before what the meter says. */}
      {isFundable && <Note title={say(part === 'publisher' ? 'notFunded' : 'notFundedWorker')} />}
      {state === 'open' && part === 'worker' && <WorkClock session={session} />}
      <MeteredPanel
        task={{ id, payment_network: 'solana', status: isOver ? 'completed' : 'accepted', executor_id }}
        part={part}
      />
      {state === 'unbound' && isOver && <Note title={say('stopped')} />}
      {isFundable && <Stop session={session} />}
      {task !== undefined && part !== 'reader' && talk({ ...task, status: isOver ? 'completed' : task.status }, part)}
    </>
  )
}

function Stop({ session }: { readonly session: Session }): ReactNode {
  const say = useMessages(sessionMessages)
  const tell = useToast()
  const stop = useChange('streams.stop', ['streams.get', 'streams.list'])
  return (
    <>
      {stop.error !== null && <Failure error={stop.error} />}
      <div>
        <Button
          busy={stop.isPending}
          onClick={() => {
            stop.mutate(
              { session_id: session.session_id },
              {
                onSuccess: () => {
                  tell(say('stopped'))
                },
              },
            )
          }}
        >
          {say('stop')}
        </Button>
      </div>
    </>
  )
}
