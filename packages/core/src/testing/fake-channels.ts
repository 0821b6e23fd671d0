import type { Channel } from '../channels/channel.ts'
import type { ChannelAct, SignedChannelOrder } from '../channels/order.ts'
import { MarketError } from '../errors.ts'
import type { Channels, LedgerState, OrderFate } from '../ports/channel-ledger.ts'
import { fakeOpenings } from './fake-openings.ts'

type Kept = {
  readonly payer: string
  readonly worker: string
  readonly deposit: bigint
  /** Null where the deployment signs. */
  readonly voucherKey?: string | null
  readonly state?: LedgerState
  readonly settled?: bigint
  readonly endedBy?: string
}

/** Channels on a ledger that is a map; the real terms are proven where the real ledger is read. */
export type FakeChannels = Channels & {
  /** By address. */
  readonly kept: Map<string, Kept>
  /** Addresses that cannot be paid; a payer's rest waits. */
  readonly unpayable: Set<string>
  /** Every signature that was sent, in order. */
  readonly sent: string[]
  isDown: boolean
  /** Channels cannot be read, and accounts can. */
  isUnreadable: boolean
  /** Orders arrive and land, and nobody is told of it. */
  isSilent: boolean
  /** Orders do not arrive, and at last never can. */
  isLossy: boolean
}

/** An address that reads as one. */
const address = (letter: string): string => letter.repeat(43)

export function createFakeChannels(network: string): FakeChannels {
  const kept = new Map<string, Kept>()
  const unpayable = new Set<string>()
  const ended = new Map<string, 'landed' | 'failed'>()
  let signed = 0
  const requireUp = (code: 'channel_unreadable' | 'WORKER_USDC_ATA_UNVERIFIABLE' = 'channel_unreadable'): void => {
    if (fake.isDown) throw new MarketError(code)
  }
  const carryOut = ({ wire, signature }: SignedChannelOrder): void => {
    if (fake.isLossy || ended.has(signature)) return
    // As `order` wrote it.
    const { act, id, settled } = JSON.parse(wire) as { act: ChannelAct; id: string; settled: string }
    const one = kept.get(id)
    const fits = one !== undefined && (act === 'reclaim' ? one.state === 'distributed' : isEndable(one.state))
    ended.set(signature, fits ? 'landed' : 'failed')
    if (fits && act === 'end')
      kept.set(id, { ...one, state: 'distributed', settled: BigInt(settled), endedBy: signature })
    if (fits && act === 'pay') kept.set(id, { ...one, settled: BigInt(settled) })
    if (fits && act === 'reclaim') kept.set(id, { ...one, state: 'gone' })
  }
  const fake: FakeChannels = {
    ...{ network, kept, unpayable, sent: [], isDown: false, isUnreadable: false, isSilent: false, isLossy: false },
    facts: { program: address('P'), mint: address('M'), signer: address('S') },
    ledger: {
      async openChannel(channelId, { payer, worker, voucherKey }) {
        requireUp()
        if (fake.isUnreadable) throw new MarketError('channel_unreadable')
        const found = kept.get(channelId)
        if (found === undefined) throw new MarketError('CHANNEL_NOT_ON_CHAIN')
        if (found.payer !== payer) throw new MarketError('CHANNEL_NOT_YOURS')
        if (found.worker !== worker) throw new MarketError('CHANNEL_NOT_REUSABLE', { fault: 'wrong_splits' })
        if ((found.voucherKey ?? null) !== voucherKey)
          throw new MarketError('CHANNEL_NOT_REUSABLE', { fault: 'wrong_signer' })
        return Promise.resolve({ payee: address('Q'), deposit: found.deposit })
      },
      async canReceive(address) {
        requireUp('WORKER_USDC_ATA_UNVERIFIABLE')
        return Promise.resolve(!unpayable.has(address))
      },
      async channel(channelId) {
        requireUp()
        const { state = 'open', settled = 0n, deposit } = keptAt(kept, channelId)
        return Promise.resolve({ state, settled, deposit })
      },
      async order(asked, channel) {
        requireUp()
        if (unpayable.has(channel.worker)) throw new MarketError('WORKER_USDC_ATA_MISSING')
        const one = keptAt(kept, channel.id)
        if (asked === 'end' ? !isEndable(one.state) : one.state !== 'distributed') return Promise.resolve(null)
        const settled = settledBy(one, channel)
        const act: ChannelAct = asked === 'end' && unpayable.has(channel.payer) ? 'pay' : asked
        if (act === 'pay' && settled === one.settled) return Promise.resolve(null)
        signed += 1
        const wire = JSON.stringify({ act, id: channel.id, settled: settled.toString() })
        const order = {
          act,
          wire,
          signature: signatureOf(signed, channel.id),
          lastValidHeight: 1n,
          settled,
          deposit: one.deposit,
        }
        return Promise.resolve(order)
      },
      async send(order) {
        fake.sent.push(order.signature)
        if (!fake.isDown) carryOut(order)
        return Promise.resolve()
      },
      fate({ signature }): Promise<OrderFate> {
        const state = ended.get(signature)
        if (fake.isDown || fake.isSilent) return Promise.resolve({ state: 'unknown' })
        if (state === 'landed') return Promise.resolve({ state, slot: 7n })
        return Promise.resolve({ state: state ?? 'expired' })
      },
      async endOf({ id }) {
        requireUp()
        const { settled = 0n, deposit, endedBy, state } = keptAt(kept, id)
        if ((state !== 'distributed' && state !== 'gone') || endedBy === undefined) return Promise.resolve(null)
        return Promise.resolve({ settled, deposit, txHash: endedBy, slot: 7n })
      },
    },
    vouchers: {
      sign: (channelId, cumulative) => `signed ${channelId} ${String(cumulative)}`,
      isSigned: ({ channelId, cumulative, signature }, key) =>
        signature === `${key} signed ${channelId} ${String(cumulative)}`,
    },
    ...fakeOpenings({
      put: (channelId, { payer, worker, deposit, voucherKey }) =>
        kept.set(channelId, { payer, worker, deposit, voucherKey }),
      isDown: () => fake.isDown,
      isLossy: () => fake.isLossy,
    }),
  }
  return fake
}

function keptAt(kept: ReadonlyMap<string, Kept>, id: string): Kept {
  const one = kept.get(id)
  if (one === undefined) throw new Error(`the fake ledger has no channel ${id}`)
  return one
}

/** Reads as one: base58, and another for each. */
function signatureOf(count: number, channelId: string): string {
  const name = `tx${String(count)}of${channelId}`.replaceAll(/[^1-9A-HJ-NP-Za-km-z]/g, 'z')
  return name.padEnd(64, 'x').slice(0, 88)
}

const isEndable = (state: LedgerState | undefined): boolean => state !== 'distributed' && state !== 'gone'

/** A sealed channel takes no voucher any more. */
function settledBy({ state, settled = 0n }: Kept, { cumulative }: Channel): bigint {
  return state === 'sealed' || cumulative < settled ? settled : cumulative
}
