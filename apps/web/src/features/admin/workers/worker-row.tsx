import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Address } from '../../../components/address.tsx'
import { LinkButton } from '../../../components/button.tsx'
import { Portrait } from '../../../components/portrait.tsx'
import { Badge, Card } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Search } from '../../../lib/search.ts'
import { commonMessages } from '../../../messages/common-messages.ts'
import { wordMessages } from '../../../messages/words.ts'
import { Detail } from '../detail.tsx'
import { adminWorkerMessages } from './messages.ts'

export type KnownWallet = Output<'admin.workers'>['workers'][number]

/**
 * One wallet: what it is known as, whether it is banned and why, and what the operator can do. `here` is the list it
 * is in.
 */
export function WorkerRow({ known, here }: { readonly known: KnownWallet; readonly here: Search }): ReactNode {
  const say = useMessages(adminWorkerMessages)
  const common = useMessages(commonMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  const { worker, wallet_address: wallet } = known
  const isBanned = known.status === 'banned'
  const name = worker === null ? say('neverWorked') : (worker.display_name ?? say('noName'))
  return (
    <Card as="li" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="flex min-w-0 items-center gap-3">
          <Portrait address={wallet} party={worker?.executor_type} name={worker?.display_name} />
          <div className="min-w-0">
            <h3 className="wrap-anywhere">
              {worker === null || isBanned ? (
                name
              ) : (
                <Link to="/people/$workerId" params={{ workerId: worker.id }} className="hover:underline">
                  {name}
                </Link>
              )}
            </h3>
            <p className="text-sm text-quiet">
              {worker !== null && <>{words(`party.${worker.executor_type}`)} · </>}
              <Address value={wallet} />
            </p>
          </div>
        </div>
        <Badge tone={isBanned ? 'bad' : 'good'}>{say(known.status)}</Badge>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-sm lg:grid-cols-4">
        {worker !== null && (
          <>
            <Detail name={say('score')}>
              {worker.effective_reputation_score === null
                ? common('unrated')
                : say('ofHundred', { score: worker.effective_reputation_score })}
            </Detail>
            <Detail name={say('completed')}>{format.number(worker.tasks_completed)}</Detail>
            <Detail name={say('since')}>{format.dateTime(worker.created_at)}</Detail>
            {worker.erc8004_agent_id !== null && (
              <Detail name={say('agentId')}>{String(worker.erc8004_agent_id)}</Detail>
            )}
          </>
        )}
        {known.banned_at !== null && <Detail name={say('bannedAt')}>{format.dateTime(known.banned_at)}</Detail>}
        {known.banned_by !== null && <Detail name={say('bannedBy')}>{known.banned_by}</Detail>}
        {known.ban_reason !== null && (
          <Detail name={say('banReason')} wide>
            {known.ban_reason}
          </Detail>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/admin/workers" search={{ ...here, ban: wallet }} resetScroll={false}>
          {say(isBanned ? 'lift' : 'ban')}
          <span className="visually-hidden">{`: ${name}, ${wallet}`}</span>
        </LinkButton>
        <LinkButton to="/admin/audit" search={{ subject: wallet }} kind="quiet">
          {say('audit')}
          <span className="visually-hidden">{`: ${name}, ${wallet}`}</span>
        </LinkButton>
      </div>
    </Card>
  )
}
