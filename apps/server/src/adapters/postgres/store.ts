import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { createAccount } from './account.ts'
import { createAdmin } from './admin.ts'
import { createAudits } from './audits.ts'
import { createCashOuts } from './cash-outs.ts'
import { createChannels } from './channels.ts'
import { createLedgerCheck } from './ledger-check.ts'
import { createCursors } from './cursors.ts'
import { createDisputes } from './disputes.ts'
import { createDueRows } from './due-rows.ts'
import type { EpochReason } from './event-epoch.ts'
import { createEventFeed } from './event-feed.ts'
import { createDebts } from './debts.ts'
import { createFindings } from './findings.ts'
import { createFollowings } from './follow.ts'
import { createListings } from './listings.ts'
import { createPeople } from './people.ts'
import { createPictures } from './pictures.ts'
import { createSharedPublish, publishedUnder } from './publish.ts'
import { createRankings } from './rankings.ts'
import { createReadingLine } from './reading-line.ts'
import { createReads } from './reads.ts'
import { createSettlementLeases } from './settlement-leases.ts'
import { createStanding } from './standing.ts'
import { createTaskMembers } from './task-members.ts'
import { createTaskPages } from './task-pages.ts'
import { createTaskWords } from './task-words.ts'
import { createExtensions } from './extensions.ts'
import { createMessages } from './messages.ts'
import { createOffers } from './offers.ts'
import { createPortfolio } from './portfolio.ts'
import { createSearches } from './searches.ts'
import { createRulings } from './rulings.ts'
import { createTimers } from './timers.ts'
import { inTransaction } from './transaction.ts'
import { sayingBusy } from './trouble.ts'
import { createVerification } from './verification.ts'

/** The marketplace's memory in PostgreSQL. `identityNetwork` is where agent ids of workers are looked up. */
export function createPostgresStore(
  pool: Pool,
  options: {
    readonly identityNetwork: string
    /** Something was committed that others may wait for. */
    readonly onCommitted?: () => void
    /** The database went back, and the stream of events goes on in a new epoch. */
    readonly onEpoch?: (reason: EpochReason) => void
  },
): Store {
  const told = async <T>(writing: Promise<T>): Promise<T> => {
    const written = await writing
    options.onCommitted?.()
    return written
  }
  const reading = createReadingLine(pool)
  const publish = createSharedPublish(pool)
  const channels = createChannels(pool)
  return sayingBusy<Store>({
    transaction: (work) => told(inTransaction(pool, work)),
    publish: (task, event, idempotency) => told(publish(task, event, idempotency)),
    publishedUnder: (wallet, idempotency) => publishedUnder(pool, wallet, idempotency),
    ...createReads(pool, reading, options.identityNetwork),
    ...createTaskPages(pool),
    ...createPeople(pool, reading, options.identityNetwork),
    ...createRankings(pool, options.identityNetwork),
    ...createStanding(pool),
    ...createDueRows(pool),
    ...createSettlementLeases(pool),
    ...createDisputes(pool, options.identityNetwork),
    ...createListings(pool),
    ...createAccount(pool),
    ...createAdmin(pool, options.identityNetwork),
    ...createAudits(pool),
    ...createLedgerCheck(pool),
    ...createFindings(pool),
    ...createEventFeed(pool, options.onEpoch),
    ...createVerification(pool),
    ...createTaskMembers(pool),
    ...createTaskWords(reading),
    ...createTimers(pool),
    ...createOffers(pool),
    ...createMessages(pool),
    ...createExtensions(pool),
    ...createSearches(pool),
    ...createPictures(pool),
    ...createPortfolio(pool),
    ...createRulings(pool),
    ...createCursors(pool),
    ...createDebts(pool),
    ...createFollowings(pool),
    ...createCashOuts(pool),
    ...channels,
    takeTick: (...asked) => told(channels.takeTick(...asked)),
  })
}
