import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '../../../components/button.tsx'
import { choiceLink } from '../../../components/choice-link.ts'
import { Failure } from '../../../components/failure.tsx'
import { priceMessages } from '../../../components/metered/messages.ts'
import { Pager } from '../../../components/pager.tsx'
import { Badge, Empty, Loading } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useRead } from '../../../lib/market.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { meteredMessages } from '../messages.ts'
import { sessionMessages } from './session-messages.ts'

export type Session = Output<'streams.get'>
type Side = 'buyer' | 'worker'
type ListProps = { readonly role: Side; readonly cursor: string | undefined }

const perPage = 20

/** The sessions that a person pays, or earns by. */
export function SessionList({ role, cursor }: ListProps): ReactNode {
  const say = useMessages(sessionMessages)
  const common = useMessages(commonMessages)
  const page = { limit: perPage, ...(cursor === undefined ? {} : { cursor }) }
  const { data, error, refetch } = useRead('streams.list', { role, ...page }, { refetchInterval: 15_000 })
  const next = data?.next_cursor ?? null
  return (
    <div className="grid gap-4">
      <nav aria-label={say('sides')} className="flex flex-wrap gap-2">
        <Link to="/sessions" search={{}} {...choiceLink}>
          {say('buyer')}
        </Link>
        <Link to="/sessions" search={{ role: 'worker' }} {...choiceLink}>
          {say('worker')}
        </Link>
      </nav>
      {error !== null && data === undefined && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data?.sessions.length === 0 && (
        <Empty title={say(role === 'buyer' ? 'noneBuyer' : 'noneWorker')}>
          {role === 'buyer' && <LinkButton to="/agents">{say('find')}</LinkButton>}
        </Empty>
      )}
      <ul className="card rows py-1 empty:hidden">
        {data?.sessions.map((session) => (
          <Row key={session.session_id} session={session} role={role} />
        ))}
      </ul>
      <Pager
        previous={cursor === undefined ? undefined : { to: '/sessions', search: { role } }}
        next={next === null ? undefined : { to: '/sessions', search: { role, cursor: next } }}
      />
    </div>
  )
}

function Row({ session, role }: { readonly session: Session; readonly role: Side }): ReactNode {
  const say = useMessages(sessionMessages)
  const states = useMessages(meteredMessages)
  const units = useMessages(priceMessages)
  const format = useFormat()
  const { session_id: id, note, unit, state, is_over: isOver } = session
  const isRunning = !isOver && state === 'open'
  const price = format.usd(Number(session.price_per_unit))
  const amount = format.usd(role === 'worker' ? session.worker_usd : session.consumed_usd)
  return (
    <li className="relative flex items-start justify-between gap-4 py-3">
      <span className="grid min-w-0 justify-items-start gap-1.5">
        <Link
          to="/sessions"
          search={{ role, id }}
          className="font-label wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {note ?? say('session', { unit: units(`unit_${unit}`) })}
        </Link>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          <Badge tone={isRunning ? 'good' : 'plain'} icon={isRunning ? 'clock-bold' : 'minus-circle-bold'}>
            {isOver && state === 'unbound' ? say('over') : states(`state_${state}`)}
          </Badge>
          {states('priceOf', { price, unit: units(`unit_${unit}`) })}
        </span>
      </span>
      <span className="numbers grid flex-none justify-items-end">
        <span className="font-strong">{amount}</span>
        <span className="text-sm text-quiet">{say('ofCap', { cap: format.usd(session.cap_usd) })}</span>
      </span>
    </li>
  )
}
