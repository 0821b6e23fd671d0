import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { oauthScopes } from '@ergon/contract'
import { LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Loading } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { toolMessages } from './messages.ts'

type Entry = Output<'grants.log'>['entries'][number]
const perPage = 20

/** What tools were allowed and did with it, a page at a time; `before` is where the page begins. */
export function ToolLog({ before }: { readonly before: string | undefined }): ReactNode {
  const say = useMessages(toolMessages)
  const common = useMessages(commonMessages)
  const cursor = before !== undefined && /^\d{1,18}$/.test(before) ? { cursor: before } : {}
  const { data, error } = useRead('grants.log', { limit: perPage, ...cursor })
  return (
    <section aria-labelledby="tool-log" className="grid gap-3">
      <div>
        <h2 id="tool-log">{say('log')}</h2>
        <p className="text-sm text-quiet">{say('logHelp')}</p>
      </div>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Loading says={common('loading')} rows={1} />}
      {data?.count === 0 && <p className="text-quiet">{say('logNone')}</p>}
      {data !== undefined && data.count > 0 && (
        <ol aria-labelledby="tool-log" className="divide-y divide-line rounded-2xl border border-line bg-surface">
          {data.entries.map((entry) => (
            <LogRow key={`${entry.grant_id} ${entry.kind} ${entry.at} ${entry.submission_id ?? ''}`} entry={entry} />
          ))}
        </ol>
      )}
      <nav aria-label={say('log')} className="flex flex-wrap gap-3">
        {before !== undefined && (
          <LinkButton to="/account/tools" search={{}} resetScroll={false}>
            {say('latest')}
          </LinkButton>
        )}
        {typeof data?.next_cursor === 'string' && (
          <LinkButton to="/account/tools" search={{ before: data.next_cursor }} resetScroll={false}>
            {say('older')}
          </LinkButton>
        )}
      </nav>
    </section>
  )
}

function LogRow({ entry }: { readonly entry: Entry }): ReactNode {
  const say = useMessages(toolMessages)
  const what = useWhat(entry)
  return (
    <li className="grid gap-0.5 px-4 py-3">
      <p className="[overflow-wrap:anywhere]">{what}</p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet [overflow-wrap:anywhere]">
        <span>{entry.client_name}</span>
        <Moment at={entry.at} />
        {entry.times > 1 && <span>{say('times', { n: entry.times })}</span>}
      </p>
    </li>
  )
}

/** What happened, in a sentence. */
function useWhat({ kind, detail, amount_usd: amount }: Entry): string {
  const say = useMessages(toolMessages)
  const format = useFormat()
  const usd = amount === null ? '' : format.usd(amount)
  // A consent tells its scopes and how they were proven; a step up tells one.
  const named = (detail ?? '').split(' ')
  const scopes = format.list(oauthScopes.filter((one) => named.includes(one)).map((one) => say(`scope.${one}`)))
  switch (kind) {
    case 'consented':
    case 'stepped_up':
      return say(`did.${kind}`, { scopes })
    case 'approval_refused':
      return say('did.approval_refused', { why: say(`no.${reasonOf(detail)}`, { usd }) })
    case 'revoked':
      return say('did.revoked', { why: say(`why.${endOf(detail)}`) })
    default:
      return say(`did.${kind}`, { usd })
  }
}

const reasons = [
  'approval_amount_over_limit',
  'approval_count_exhausted',
  'approval_budget_missing',
  'approval_amount_unknown',
] as const
const reasonOf = (detail: string | null): (typeof reasons)[number] | 'other' =>
  reasons.find((one) => one === detail) ?? 'other'

const ends = ['code_reused', 'refresh_reused', 'revoked_by_client', 'revoked_by_owner'] as const
const endOf = (detail: string | null): (typeof ends)[number] =>
  ends.find((one) => one === detail) ?? 'revoked_by_client'
