import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
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
          <TotalsCard totals={totalsOf(shown)} />
          <ReceiptList receipts={shown} />
        </>
      )}
    </>
  )
}

const newestFirst = (one: Receipt, other: Receipt): number => (other.movedAt ?? '').localeCompare(one.movedAt ?? '')

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
      <ul className="grid gap-3">
        {receipts.map((receipt) => (
          <ReceiptCard key={receipt.taskId} receipt={receipt} />
        ))}
      </ul>
    </section>
  )
}
