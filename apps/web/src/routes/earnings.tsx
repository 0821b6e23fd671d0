import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { ReadFault } from '../components/read-fault.tsx'
import { Icon } from '../components/icon.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Loading } from '../components/surface.tsx'
import { byPeriod, spans } from '../features/earnings/by-period.ts'
import { EarningsChart } from '../features/earnings/earnings-chart.tsx'
import { earningsMessages } from '../features/earnings/messages.ts'
import { statementOf, yearsOf } from '../features/earnings/statement.ts'
import { MoneySides } from '../features/money/money-sides.tsx'
import { WalletBand } from '../features/money/wallet-band.tsx'
import { csvOf, saveAs } from '../lib/csv.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { sumUsd } from '../lib/sum-usd.ts'
import { useSplit } from '../lib/use-split.ts'
import { useTaskTitle } from '../lib/use-task-title.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/earnings')
const perPage = 100
const leastColumns = 6

type Payment = Output<'workers.earnings'>['payments'][number]

/** What reached the person as a worker. */
export function EarningsScreen(): ReactNode {
  const say = useMessages(earningsMessages)
  const { wallet, workerId } = useSession()
  return (
    <Page title={say('title')} wide actions={<MoneySides />}>
      {wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : workerId === null ? (
        <div className="grid max-w-2xl gap-8">
          <WalletBand wallet={wallet} />
          <Empty title={say('notWorker')}>
            <LinkButton to="/find" kind="primary">
              {say('find')}
            </LinkButton>
          </Empty>
        </div>
      ) : (
        <Earnings workerId={workerId} wallet={wallet} />
      )}
    </Page>
  )
}

function Earnings({ workerId, wallet }: { readonly workerId: string; readonly wallet: string }): ReactNode {
  const say = useMessages(earningsMessages)
  const common = useMessages(commonMessages)
  const market = useMarket()
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
  const [first] = data?.pages ?? []
  if (data === undefined || first === undefined)
    return error === null ? <Loading says={common('loading')} /> : <ReadFault of={{ error, refetch }} />
  const payments = data.pages.flatMap((page) => page.payments)
  return (
    <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="grid min-w-0 gap-8">
        <WalletBand wallet={wallet} />
        <ReadFault of={{ error, refetch }} />
        {payments.length === 0 ? (
          <Empty title={say('none')} />
        ) : (
          <EarnedChart payments={payments} paidUsd={paidOf(first)} />
        )}
      </div>
      <div className="grid min-w-0 gap-8">
        <Totals of={first} />
        {payments.length > 0 && <Payments payments={payments} isAll={!hasNextPage} />}
        {hasNextPage && (
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              void fetchNextPage()
            }}
          >
            {common('more')}
          </Button>
        )}
      </div>
    </div>
  )
}

const paidOf = ({ paid }: Output<'workers.earnings'>): number => sumUsd(paid.map(({ payout_usd: usd }) => usd))

/** What is on its way, after the fee where that is known. */
function Totals({ of }: { readonly of: Output<'workers.earnings'> }): ReactNode {
  const say = useMessages(earningsMessages)
  const networkTitle = useNetworkTitle()
  const split = useSplit()
  if (of.pending.length === 0) return null
  return (
    <section aria-labelledby="under-way" className="grid gap-3">
      <h2 id="under-way">{say('pending')}</h2>
      <Card>
        <ul className="rows grid">
          {of.pending.map(({ network, token, gross_usd: gross, count }) => (
            <li key={`${network} ${token}`} className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="grid">
                <span>{say('tasksCount', { n: count })}</span>
                <span className="text-sm text-quiet">
                  {token}, {networkTitle(network)}
                </span>
              </span>
              <Money usd={split === undefined ? gross : split(gross).payoutUsd} inCents />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

type EarnedProps = { readonly payments: readonly Payment[]; readonly paidUsd: number }

function EarnedChart({ payments, paidUsd }: EarnedProps): ReactNode {
  const say = useMessages(earningsMessages)
  const { by } = route.useSearch()
  const span = spans.find((one) => one === by) ?? 'month'
  return (
    <EarningsChart
      title={say('chart')}
      note={say('afterFee')}
      periods={byPeriod(payments, span, leastColumns)}
      paidUsd={paidUsd}
    >
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
    </EarningsChart>
  )
}

type PaymentsProps = { readonly payments: readonly Payment[]; readonly isAll: boolean }

/** Each payment leads to its receipt; each year is a statement. */
function Payments({ payments, isAll }: PaymentsProps): ReactNode {
  const say = useMessages(earningsMessages)
  const titleOf = useTaskTitle()
  const format = useFormat()
  return (
    <section aria-labelledby="payments" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="payments">{say('all')}</h2>
        <div className="flex flex-wrap">
          {yearsOf(payments).map((year) => (
            <Button
              key={year}
              kind="quiet"
              onClick={() => {
                saveAs(`earnings-${year}.csv`, csvOf(statementOf(payments, year)), 'text/csv')
              }}
            >
              <Icon name="download-simple-bold" /> {say('csvOf', { year })}
            </Button>
          ))}
        </div>
      </div>
      {!isAll && <p className="text-sm text-quiet">{say('loaded', { n: payments.length })}</p>}
      <Card>
        <ul className="rows grid">
          {payments.map((one) => (
            <li key={`${one.task_id} ${one.paid_at}`} className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="grid min-w-0 grow basis-24">
                <Link to="/receipts/$taskId" params={{ taskId: one.task_id }} className="font-label hover:underline">
                  {titleOf(one)}
                </Link>
                <time dateTime={one.paid_at} className="text-sm text-quiet">
                  {format.dateTime(one.paid_at)}
                </time>
              </span>
              <Money usd={one.payout_usd} inCents />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
