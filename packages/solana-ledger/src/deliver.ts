import type { SolanaLedger, TransactionStatus } from '@ergon/channels'
import { TransactionRefused } from './refusal.ts'

/** A signed transaction as it was recorded before it was first sent. */
export type Delivery = {
  readonly wire: Uint8Array
  readonly signature: string
  /** The last block height whose blocks may still take it. */
  readonly lastValidBlockHeight: bigint
}

/**
 * How a delivery ended. `expired` is proof that it never lands: the finalized height is past what its blockhash allows
 * and the ledger, asked afterwards, does not know it. `undecided` is the end of our patience, and no proof of anything.
 */
export type Delivered =
  | { readonly end: 'landed'; readonly status: Exclude<TransactionStatus, { kind: 'unknown' }> }
  | { readonly end: 'expired'; readonly refusal: TransactionRefused | undefined }
  | { readonly end: 'undecided'; readonly refusal: TransactionRefused | undefined }

export type DeliverOptions = {
  /** From which kind of status on it counts as landed. */
  readonly until?: 'confirmed' | 'finalized'
  readonly pollMs?: number
  readonly resendMs?: number
  /** After this it ends undecided. */
  readonly patienceMs?: number
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<void>
}

/**
 * Sends the same bytes again and again until they have landed or can land no more. The bytes have to be recorded
 * before: after a crash the same call goes on where this one ended.
 */
export async function deliver(
  ledger: Pick<SolanaLedger, 'send' | 'status' | 'blockHeight'>,
  delivery: Delivery,
  options: DeliverOptions = {},
): Promise<Delivered> {
  const { until = 'confirmed', pollMs = 500, resendMs = 2_000, patienceMs = 120_000 } = options
  const now = options.now ?? (() => performance.now())
  const sleep = options.sleep ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))
  const deadline = now() + patienceMs
  let sentAt = -Infinity
  let refusal: TransactionRefused | undefined
  for (;;) {
    if (now() - sentAt >= resendMs) {
      sentAt = now()
      refusal = await sendOnce(ledger, delivery.wire)
    }
    // The height is read first: what is unknown after the last block that could hold it is in none.
    const height = await ledger.blockHeight().catch(() => undefined)
    const status = await ledger.status(delivery.signature).catch(() => undefined)
    if (status !== undefined && status.kind !== 'unknown') {
      if (status.kind === 'finalized' || status.kind === until) return { end: 'landed', status }
    } else if (status !== undefined && height !== undefined && height > delivery.lastValidBlockHeight)
      return { end: 'expired', refusal }
    if (now() >= deadline) return { end: 'undecided', refusal }
    await sleep(pollMs)
  }
}

/** The ledger's refusal if there was one. Whatever else goes wrong leaves open whether the bytes arrived. */
async function sendOnce(ledger: Pick<SolanaLedger, 'send'>, wire: Uint8Array): Promise<TransactionRefused | undefined> {
  try {
    await ledger.send(wire)
    return undefined
  } catch (error) {
    return error instanceof TransactionRefused ? error : undefined
  }
}
