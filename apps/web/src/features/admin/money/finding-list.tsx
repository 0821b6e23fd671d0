import type { ReactNode } from 'react'
import { moneyFindingKinds, type MoneyFindingKind } from '@ergon/contract'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { moneyMessages } from './messages.ts'

const places = { status: '/status', settings: '/admin/settings', tasks: '/admin/tasks', audit: '/admin/audit' } as const
/** Where what is to be done about a kind is done. */
const ways: Readonly<Record<MoneyFindingKind, readonly (keyof typeof places)[]>> = {
  expired: ['tasks'],
  stuck: ['status', 'tasks'],
  orphaned: ['tasks', 'audit'],
  unnamed: [],
  mismatch: ['settings'],
  reorged: ['tasks'],
  rating_hash: [],
  unclaimed: ['audit'],
  behind: ['status'],
}

/**
 * Every kind of difference with how many are open, what it means and what to do; what is open comes first and is
 * unfolded.
 */
export function FindingList({ counts }: { readonly counts: Readonly<Record<MoneyFindingKind, number>> }): ReactNode {
  const open = moneyFindingKinds.filter((kind) => counts[kind] > 0)
  return (
    <div className="divide-y divide-line rounded-2xl border border-line bg-surface">
      {[...open, ...moneyFindingKinds.filter((kind) => counts[kind] === 0)].map((kind) => (
        <FindingKind key={`${kind} ${String(counts[kind] > 0)}`} kind={kind} count={counts[kind]} />
      ))}
    </div>
  )
}

function FindingKind({ kind, count }: { readonly kind: MoneyFindingKind; readonly count: number }): ReactNode {
  const say = useMessages(moneyMessages)
  return (
    <details open={count > 0} className="group px-4">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="size-3 shrink-0 fill-none stroke-current stroke-2 transition-transform group-open:rotate-90"
        >
          <path d="m5 2 6 6-6 6" />
        </svg>
        <span className="min-w-0 font-semibold">{say(`kind.${kind}`)}</span>
        <span className="ml-auto shrink-0">
          <Badge tone={count > 0 ? 'bad' : 'good'}>{say('open', { n: count })}</Badge>
        </span>
      </summary>
      <div className="grid max-w-5xl gap-x-8 gap-y-3 pt-1 pb-4 md:grid-cols-2">
        <code className="text-sm text-quiet md:col-span-2">{kind}</code>
        <div>
          <h4 className="text-sm font-semibold text-quiet">{say('means')}</h4>
          <p>{say(`means.${kind}`)}</p>
        </div>
        <div>
          <h4 className="text-sm font-semibold text-quiet">{say('todo')}</h4>
          <p>{say(`todo.${kind}`)}</p>
        </div>
        {ways[kind].length > 0 && (
          <p className="flex flex-wrap gap-x-4 md:col-start-2">
            {ways[kind].map((way) => (
              <Link key={way} to={places[way]} className="link inline-flex min-h-6 items-center">
                {say(`go.${way}`)}
              </Link>
            ))}
          </p>
        )}
      </div>
    </details>
  )
}
