import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Loading, Note } from '../components/surface.tsx'
import { byPeriod, spans } from '../features/earnings/by-period.ts'
import { EarningsChart } from '../features/earnings/earnings-chart.tsx'
import { earningsMessages } from '../features/earnings/messages.ts'
import { DayFilter } from '../features/money/day-filter.tsx'
import { areAll, daysOf, isWithin, mayHaveMoved } from '../features/money/days.ts'
import { moneyMessages } from '../features/money/messages.ts'
import { MoneySides } from '../features/money/money-sides.tsx'
import { ReceiptCard } from '../features/money/receipt-card.tsx'
import { hasMoved, type Receipt } from '../features/money/receipt.ts'
import { TotalsCard } from '../features/money/totals-card.tsx'
import { csvRows, totalsOf } from '../features/money/totals.ts'
import { useReceipts } from '../features/money/use-receipts.ts'
import { csvOf, saveAs } from '../lib/csv.ts'
import { useMessages } from '../lib/i18n.tsx'
import { answerKey, useMarket } from '../lib/market.tsx'
import { sumUsd } from '../lib/sum-usd.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/my/spend')
// Two more reads for each task that money moved for: a page stays far below what a wallet may ask in a minute.
const perPage = 50

/** What the person paid as a publisher. */
export function SpendScreen(): ReactNode {
  const say = useMessages(moneyMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('title')} actions={<MoneySides />}>
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && <Spending wallet={wallet} />}
    </Page>
  )
}

function Spending({ wallet }: { readonly wallet: string }): ReactNode {
  const common = useMessages(commonMessages)
  const say = useMessages(moneyMessages)
  const market = useMarket()
  const days = daysOf(route.useSearch())
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...answerKey('tasks.list'), 'spending', wallet],
    queryFn: ({ pageParam, signal }) =>
      market.tasks.list(
        { publisher: wallet, limit: perPage, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    // The first page has no place to go on from.
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  const tasks = data?.pages.flatMap((page) => page.tasks)
  return (
    <>
      <DayFilter days={days} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {tasks === undefined && error === null && <Loading says={common('loading')} />}
      {tasks !== undefined && <ReceiptsOf tasks={tasks} />}
      {tasks !== undefined && hasNextPage && (
        <Note>
          <p>{say('partly', { n: tasks.length })}</p>
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
        </Note>
      )}
    </>
  )
}

function ReceiptsOf({ tasks }: { readonly tasks: Output<'tasks.list'>['tasks'] }): ReactNode {
  const say = useMessages(moneyMessages)
  const days = daysOf(route.useSearch())
  const { receipts, isReading, missing, error, retry } = useReceipts(
    tasks.filter((task) => hasMoved(task) && mayHaveMoved(days, task)),
  )
  // Sums that still grow would be taken for the whole.
  if (isReading) return <Loading says={say('reading')} />
  const shown = receipts.filter(({ movedAt }) => isWithin(days, movedAt)).toSorted(newestFirst)
  return (
    <>
      {error !== null && (
        <div className="grid gap-3">
          <Note tone="warn" role="status">
            <p>{say('missing', { n: missing })}</p>
          </Note>
          <Failure error={error} retry={retry} />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title={say(areAll(days) ? 'none' : 'noneThen')}>
          {areAll(days) && <LinkButton to="/publish">{say('publish')}</LinkButton>}
        </Empty>
      ) : (
        <>
          <SpentChart receipts={shown} />
          <TotalsCard totals={totalsOf(shown)} />
          <ReceiptList receipts={shown} />
        </>
      )}
    </>
  )
}

const newestFirst = (one: Receipt, other: Receipt): number => (other.movedAt ?? '').localeCompare(one.movedAt ?? '')

const leastColumns = 6

/** What workers and the fee took, by month or by week. */
function SpentChart({ receipts }: { readonly receipts: readonly Receipt[] }): ReactNode {
  const say = useMessages(moneyMessages)
  const earned = useMessages(earningsMessages)
  const search = route.useSearch()
  const span = spans.find((one) => one === search['by']) ?? 'month'
  const paid = receipts.flatMap(({ payoutUsd, feeUsd, movedAt }) =>
    payoutUsd === null || movedAt === null ? [] : [{ paid_at: movedAt, payout_usd: sumUsd([payoutUsd, feeUsd ?? 0]) }],
  )
  if (paid.length === 0) return null
  return (
    <EarningsChart
      title={say('chart')}
      note={say('withFee')}
      periods={byPeriod(paid, span, leastColumns)}
      paidUsd={sumUsd(paid.map(({ payout_usd: usd }) => usd))}
    >
      <nav aria-label={earned('per')} className="flex gap-2">
        {spans.map((one) => (
          <Link
            {...choiceLink}
            key={one}
            to="/my/spend"
            search={{ ...search, by: one === 'month' ? undefined : one }}
            resetScroll={false}
            aria-current={one === span ? 'true' : undefined}
          >
            {earned(`by.${one}`)}
          </Link>
        ))}
      </nav>
    </EarningsChart>
  )
}

function ReceiptList({ receipts }: { readonly receipts: readonly Receipt[] }): ReactNode {
  const say = useMessages(moneyMessages)
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>{say('receipts')}</h2>
        <Button
          onClick={() => {
            saveAs('spending.csv', csvOf(csvRows(receipts)), 'text/csv')
          }}
        >
          {say('csv')}
        </Button>
      </div>
      <p role="status" className="text-quiet">
        {say('receiptsCount', { n: receipts.length })}
      </p>
      <Card>
        <ul className="rows grid">
          {receipts.map((receipt) => (
            <ReceiptCard key={receipt.taskId} receipt={receipt} />
          ))}
        </ul>
      </Card>
    </section>
  )
}
