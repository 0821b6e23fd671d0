import type { VoucherMode } from '../channels/channel.ts'
import { MarketError } from '../errors.ts'
import type { Channels } from '../ports/channel-ledger.ts'

type Kept = {
  readonly payer: string
  readonly worker: string
  readonly deposit: bigint
  readonly voucherSigner?: VoucherMode
}

/** Channels on a ledger that is a map; the real terms are proven where the real ledger is read. */
export type FakeChannels = Channels & {
  /** By address. */
  readonly kept: Map<string, Kept>
  /** Addresses that cannot be paid. */
  readonly unpayable: Set<string>
  isDown: boolean
}

export function createFakeChannels(network: string): FakeChannels {
  const kept = new Map<string, Kept>()
  const unpayable = new Set<string>()
  const fake: FakeChannels = {
    network,
    kept,
    unpayable,
    isDown: false,
    ledger: {
      openChannel(channelId, { payer, worker }) {
        if (fake.isDown) return Promise.reject(new MarketError('channel_unreadable'))
        const found = kept.get(channelId)
        if (found === undefined) return Promise.reject(new MarketError('CHANNEL_NOT_ON_CHAIN'))
        if (found.payer !== payer) return Promise.reject(new MarketError('CHANNEL_NOT_YOURS'))
        if (found.worker !== worker)
          return Promise.reject(new MarketError('CHANNEL_NOT_REUSABLE', { fault: 'wrong_splits' }))
        return Promise.resolve({ payee: 'operator', voucherSigner: 'operator', ...found })
      },
      canReceive: (address) =>
        fake.isDown
          ? Promise.reject(new MarketError('WORKER_USDC_ATA_UNVERIFIABLE'))
          : Promise.resolve(!unpayable.has(address)),
    },
    vouchers: { sign: (channelId, cumulative) => `signed ${channelId} ${String(cumulative)}` },
  }
  return fake
}
