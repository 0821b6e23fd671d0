import type { EventData, EventName } from '@ergon/contract'
import type { TransactionLine } from './transaction-line.ts'

export type WalletEvent<N extends EventName> = {
  readonly id: string
  readonly type: N
  readonly at: Date
  readonly data: EventData<N>
}

/** An event of no task, in the feed of one wallet; the events of tasks find their own recipients. */
export async function tellWallet<N extends EventName>(
  client: TransactionLine,
  wallet: string,
  { id, type, at, data }: WalletEvent<N>,
): Promise<void> {
  await client.query(
    `with told as (insert into outbox (id, type, data, at) values ($1, $2, $3, $4) returning xid, seq)
     insert into event_recipients (wallet, xid, seq) select $5, xid, seq from told`,
    [id, type, JSON.stringify(data), at, wallet],
  )
}
