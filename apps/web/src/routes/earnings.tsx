import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Address } from '../components/address.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Facts, Loading } from '../components/surface.tsx'
import { byPeriod, spans } from '../features/earnings/by-period.ts'
import { EarningsChart } from '../features/earnings/earnings-chart.tsx'
import { earningsMessages } from '../features/earnings/messages.ts'
import { csvOf, saveAs } from '../lib/csv.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/earnings')
const perPage = 100

type Payment = Output<'workers.earnings'>['payments'][number]

/** What reached the person as a worker. */
export function EarningsScreen(): ReactNode {
  const say = useMessages(earningsMessages)
  const { wallet, workerId } = useSession()
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : workerId === null ? (
        <Empty title={say('notWorker')}>
          <LinkButton to="/find" kind="primary">
            {say('find')}
          </LinkButton>
        </Empty>
      ) : (
        <Earnings workerId={workerId} />
      )}
    </Page>
  )
}

function Earnings({ workerId }: { readonly workerId: string }): ReactNode {
  const say = useMessages(earningsMessages)
  const common = useMessages(commonMessages)
  const market = useMarket()
  const { by } = route.useSearch()
  const span = spans.find((one) => one === by) ?? 'month'
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...answerKey('workers.earnings'), workerId],
    queryFn: ({ pageParam, signal }) =>
      market.workers.earnings(
        { executor_id: workerId, limit: perPage, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    // The first page has no place to go on from.
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  const [first] = data?.pages ?? []
  if (data === undefined || first === undefined) return <Loading says={common('loading')} />
  const payments = data.pages.flatMap((page) => page.payments)
  return (
    <>
      <Totals of={first} />
      <nav aria-label={say('per')} className="flex gap-2">
        {spans.map((one) => (
          <Link
            {...choiceLink}
            key={one}
            to="/earnings"
            search={one === 'month' ? {} : { by: one }}
            aria-current={one === span ? 'true' : undefined}
          >
            {say(`by.${one}`)}
          </Link>
        ))}
      </nav>
      {payments.length === 0 ? <Empty title={say('none')} /> : <EarningsChart periods={byPeriod(payments, span)} />}
      {hasNextPage && <p className="text-quiet">{say('loaded', { n: payments.length })}</p>}
      {payments.length > 0 && <Payments payments={payments} />}
      {hasNextPage && (
        <div>
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              void fetchNextPage()
            }}
          >
            {common('more')}
          </Button>
        </div>
      )}
    </>
  )
}

function Totals({ of }: { readonly of: Output<'workers.earnings'> }): ReactNode {
  const say = useMessages(earningsMessages)
  const networkTitle = useNetworkTitle()
  const row = (
    name: string,
    rows: readonly { readonly network: string; readonly token: string; readonly count: number; readonly usd: number }[],
    count: 'payments' | 'tasksCount',
  ): ReactNode =>
    rows.length > 0 && (
      <div className="grid gap-2">
        <h2>{name}</h2>
        <Facts
          rows={rows.map(
            ({ network, token, usd, count: n }) =>
              [
                `${networkTitle(network)}, ${token}`,
                <span key={network}>
                  <Money usd={usd} className="text-lg" />{' '}
                  <span className="text-sm whitespace-nowrap text-quiet">{say(count, { n })}</span>
                </span>,
              ] as const,
          )}
        />
      </div>
    )
  if (of.paid.length === 0 && of.pending.length === 0) return null
  return (
    <Card className="grid gap-5">
      {row(
        say('paid'),
        of.paid.map((one) => ({ ...one, usd: one.payout_usd })),
        'payments',
      )}
      {row(
        say('pending'),
        of.pending.map((one) => ({ ...one, usd: one.gross_usd })),
        'tasksCount',
      )}
    </Card>
  )
}

function Payments({ payments }: { readonly payments: readonly Payment[] }): ReactNode {
  const say = useMessages(earningsMessages)
  const networkTitle = useNetworkTitle()
  const format = useFormat()
  const save = (): void => {
    saveAs(
      'earnings.csv',
      csvOf([
        ['paid_at', 'task_id', 'title', 'gross_usd', 'payout_usd', 'network', 'token', 'payment_tx'],
        ...payments.map((one) => [
          one.paid_at,
          one.task_id,
          one.title,
          one.gross_usd,
          one.payout_usd,
          one.network,
          one.token,
          one.payment_tx,
        ]),
      ]),
      'text/csv',
    )
  }
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>{say('all')}</h2>
        <Button onClick={save}>{say('csv')}</Button>
      </div>
      <ul className="grid gap-2">
        {payments.map((one) => (
          <Card as="li" key={`${one.task_id} ${one.paid_at}`} className="grid gap-1">
            <span className="flex flex-wrap items-baseline justify-between gap-2">
              <Link to="/tasks/$taskId" params={{ taskId: one.task_id }} className="link font-semibold">
                {one.title}
              </Link>
              <Money usd={one.payout_usd} />
            </span>
            <span className="flex flex-wrap gap-x-4 text-sm text-quiet">
              <span>
                {say('gross')} {format.usd(one.gross_usd)}
              </span>
              <time dateTime={one.paid_at}>{format.dateTime(one.paid_at)}</time>
              <span>{networkTitle(one.network)}</span>
              <span>
                {say('transaction')} {one.payment_tx === null ? say('unnamed') : <Address value={one.payment_tx} />}
              </span>
            </span>
          </Card>
        ))}
      </ul>
    </section>
  )
}
