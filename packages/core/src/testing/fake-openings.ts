import { MarketError } from '../errors.ts'
import type { Opening, SignedOpening } from '../ports/channel-openings.ts'
import type { Channels } from '../ports/channel-ledger.ts'

type Put = {
  readonly payer: string
  readonly worker: string
  readonly deposit: bigint
  readonly voucherKey: string | null
}
/** What the fake transaction says: who pays how much for which task. */
type Said = Put & { readonly taskId: string; readonly channelId: string }

/** Openings on a ledger that is a map; the transaction is JSON, and `put` is its landing. */
export function fakeOpenings(ledger: {
  put(channelId: string, said: Put): void
  isDown(): boolean
  isLossy(): boolean
}): Pick<Channels, 'opening' | 'openings'> {
  const live = new Map<string, Opening>()
  let offered = 0
  const requireUp = (): void => {
    if (ledger.isDown()) throw new MarketError('channel_unreadable')
  }
  return {
    opening: {
      async offer({ taskId, payer, worker, voucherKey }, deposit) {
        requireUp()
        offered += 1
        const channelId = `${'ABCDEFGHJK'[offered % 10] ?? 'A'}${String(offered)}`.replaceAll('0', 'z').padEnd(43, 'F')
        const said = { taskId, payer, worker, voucherKey, channelId, deposit: String(deposit) }
        return Promise.resolve({
          ...{ transaction: written(said), channelId, payee: 'Q'.repeat(43) },
          ...{ gracePeriodSec: 900, memo: `Channel of task ${taskId}` },
        })
      },
      async countersign(transaction, { taskId, payer, worker, deposits, voucherKey }) {
        requireUp()
        const said = read(transaction)
        const isAgreed =
          said?.taskId === taskId &&
          said.payer === payer &&
          said.worker === worker &&
          said.voucherKey === voucherKey &&
          said.deposit >= deposits.least &&
          said.deposit <= deposits.most
        if (said === null || !isAgreed)
          throw new MarketError('VALIDATION_FAILED', { field: 'transaction', fault: 'instructions' })
        const { channelId } = said
        return Promise.resolve({ channelId, wire: transaction, signature: `opens ${channelId}`, lastValidHeight: 1n })
      },
      demandLikely: () => Promise.resolve(),
      isOf: (transaction, { wire }) => transaction === wire,
      async deliver({ wire }: SignedOpening) {
        if (ledger.isDown()) return Promise.resolve('unknown')
        const said = read(wire)
        if (said === null || ledger.isLossy()) return Promise.resolve('failed')
        ledger.put(said.channelId, said)
        return Promise.resolve('landed')
      },
      windUp: () => Promise.resolve(true),
    },
    openings: {
      async record(one, { each, inAll }) {
        if (live.has(one.channelId)) return Promise.resolve('known')
        const own = [...live.values()].filter(({ wallet }) => wallet === one.wallet).length
        if (own >= each || live.size >= inAll) return Promise.resolve('full')
        live.set(one.channelId, one)
        return Promise.resolve('recorded')
      },
      find: (channelId) => Promise.resolve(live.get(channelId) ?? null),
      lease: () => Promise.resolve([...live.values()]),
      async forget(channelId) {
        live.delete(channelId)
        return Promise.resolve()
      },
    },
  }
}

/** Digits, so that it reads as a transaction does. */
const written = (said: object): string =>
  [...JSON.stringify(said)].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')

function read(transaction: string): Said | null {
  try {
    // As `offer` wrote it.
    const text = transaction.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    const said = JSON.parse(text) as Omit<Said, 'deposit'> & { readonly deposit: string }
    return { ...said, deposit: BigInt(said.deposit) }
  } catch {
    return null
  }
}
