import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Address } from '../../../components/address.tsx'
import { LinkButton } from '../../../components/button.tsx'
import { Money } from '../../../components/money.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { PersonChip } from '../../../components/person.tsx'
import { StatusBadge } from '../../../components/status.tsx'
import { Moment } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Search } from '../../../lib/search.ts'
import { Detail } from '../detail.tsx'
import { forcible } from './forcible.ts'
import { adminTaskMessages } from './messages.ts'

export type AdminTask = Output<'admin.tasks'>['tasks'][number]

/**
 * One task, with who is in it, where its money is, and what the operator can do. `here` is the list it is in.
 */
export function TaskRow({ task, here }: { readonly task: AdminTask; readonly here: Search }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const format = useFormat()
  // Their pages open to their parties alone (spec §3), and the operator is none of them.
  const isClosed = task.status === 'draft' || task.status === 'cancelled' || task.status === 'expired'
  return (
    <li className="grid gap-2 p-4 sm:px-5">
      <div className="grid items-start gap-x-6 gap-y-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]">
        <div className="grid gap-1.5">
          <div className="flex items-baseline justify-between gap-x-4">
            <h3 className="min-w-0 wrap-anywhere">
              {isClosed ? (
                task.title
              ) : (
                <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="hover:underline">
                  {task.title}
                </Link>
              )}
            </h3>
            <Money usd={task.bounty_usd} className="flex-none" />
          </div>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <StatusBadge status={task.status} />
            <span className="text-sm text-quiet">{say(`escrow.${task.escrow_status}`)}</span>
          </div>
        </div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-[1fr_1fr_10rem]">
          <Detail name={say('publisher')}>
            <Link to="/publishers/$wallet" params={{ wallet: task.agent_id }} className="flex min-w-0 hover:underline">
              <PersonChip
                address={task.agent_id}
                party={task.publisher_type}
                name={task.publisher_name}
                picture={task.publisher_picture_url}
                size={24}
              />
            </Link>
          </Detail>
          <Detail name={say('worker')}>
            {task.executor_id === null ? (
              say('noWorker')
            ) : (
              <Link to="/people/$workerId" params={{ workerId: task.executor_id }} className="link wrap-anywhere">
                {task.executor_name ?? <Address value={task.executor_id} />}
              </Link>
            )}
          </Detail>
          <Detail name={say('deadline')}>{format.dateTime(task.deadline)}</Detail>
        </dl>
      </div>
      <div className="flex flex-wrap items-start gap-x-1">
        <TaskDetails task={task} />
        {forcible[task.status].length > 0 && (
          <LinkButton
            to="/admin/tasks"
            search={{ ...here, force: task.id }}
            resetScroll={false}
            kind="quiet"
            className="min-h-11 px-3 text-sm"
          >
            {say('force')}
            <span className="visually-hidden">{`: ${task.title}`}</span>
          </LinkButton>
        )}
      </div>
    </li>
  )
}

/** What an operator seldom asks: where the money is, when it was published and changed, the whole ID. */
function TaskDetails({ task }: { readonly task: AdminTask }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  return (
    <details className="fold min-w-24 grow text-sm open:basis-full">
      <summary>
        {say('details')}
        <span className="visually-hidden">{`: ${task.title}`}</span>
      </summary>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 pt-1 pb-2 lg:grid-cols-4">
        <Detail name={say('network')}>{`${task.payment_token} · ${networkTitle(task.payment_network)}`}</Detail>
        <Detail name={say('published')}>{format.dateTime(task.created_at)}</Detail>
        <Detail name={say('changed')}>
          <Moment at={task.updated_at} />
        </Detail>
        <Detail name={say('id')}>
          <Address value={task.id} />
        </Detail>
      </dl>
      <Link to="/admin/audit" search={{ subject: task.id }} className="link inline-flex min-h-11 items-center">
        {say('audit')}
        <span className="visually-hidden">{`: ${task.title}`}</span>
      </Link>
    </details>
  )
}
