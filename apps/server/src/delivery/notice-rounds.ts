import { isNewsTo, newsTable, type NewsRow } from '@ergon/contract/facts'
import {
  MarketError,
  type DueNotice,
  type Market,
  type NoticeQueue,
  type RecordedEvent,
  type WalletCaller,
} from '@ergon/core'
import { noticeOf, type Notice } from './notice-words.ts'

/** What became of a notice: told or given up, to be tried again, not tried yet, or nobody is there any more. */
export type NoticeStep = 'over' | 'gone' | { readonly againMs: number } | { readonly notBeforeMs: number }

/** A way to tell people of news, each row in its turn. */
export type NoticeRounds<Due extends DueNotice> = {
  readonly rows: Pick<NoticeQueue<Due>, 'heard' | 'failed' | 'postpone'>
  readonly market: Pick<Market, 'events' | 'readTask'>
  /** After a notice: what happens meanwhile comes as one. */
  readonly quietMs: number
  send(due: Due, notice: Notice): Promise<NoticeStep>
  forget(due: Due): Promise<unknown>
}

/** Nothing depends on being told: every row is looked at this often. */
const idleMs = 3_600_000
const pageSize = 50

/** Tells one row of the newest that is news to its wallet; the app tells of the others. */
export async function tellNewest<Due extends DueNotice>(rounds: NoticeRounds<Due>, due: Due): Promise<void> {
  const { rows, market, quietMs } = rounds
  const caller: WalletCaller = { kind: 'wallet', wallet: due.wallet, agentId: null, via: 'signature' }
  const filter = { scope: 'mine', types: null, taskId: null, category: null } as const
  const { events, place, hasMore } = await market.events(caller, filter, due.place, pageSize)
  const notice = await newestNews(market, caller, due, events)
  const restMs = hasMore ? 0 : idleMs
  const step = notice === undefined ? null : await rounds.send(due, notice)
  if (step === null) await rows.heard(due, place, restMs, 0)
  else if (step === 'over') await rows.heard(due, place, restMs, quietMs)
  else await stayOrGo(rounds, due, step)
}

/** What follows a step that was not the end of the notice. */
export async function stayOrGo<Due extends DueNotice>(
  { rows, forget }: Pick<NoticeRounds<Due>, 'rows' | 'forget'>,
  due: Due,
  step: Exclude<NoticeStep, 'over'>,
): Promise<void> {
  if (step === 'gone') await forget(due)
  else if ('againMs' in step) await rows.failed(due, step.againMs)
  else await rows.postpone(due, step.notBeforeMs)
}

async function newestNews(
  market: Pick<Market, 'readTask'>,
  caller: WalletCaller,
  { kinds, language }: DueNotice,
  events: readonly RecordedEvent[],
): Promise<Notice | undefined> {
  for (const event of events.toReversed()) {
    // A newer process may have written what is not known here.
    const row: NewsRow | undefined = newsTable[event.type]
    if (row === undefined || row.newsTo === 'nobody' || !kinds.includes(row.kind)) continue
    const isPublisher = await publishes(market, caller, event.taskId)
    if (isNewsTo(event.type, event.data, isPublisher ? 'publisher' : 'worker'))
      return noticeOf(event, isPublisher, language)
  }
  return undefined
}

async function publishes(
  market: Pick<Market, 'readTask'>,
  caller: WalletCaller,
  taskId: string | null,
): Promise<boolean> {
  if (taskId === null) return false
  try {
    return (await market.readTask(caller, taskId)).publisherWallet === caller.wallet
  } catch (error) {
    if (error instanceof MarketError) return false // it may not be read any more
    throw error
  }
}
