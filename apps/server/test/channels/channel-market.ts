import { addSignature, decodeTransaction, encodeTransaction, readTokenAccount } from '@ergon/channels'
import type { Channels, Market } from '@ergon/core'
import { signEd25519 } from '@ergon/protocols'
import { createChannelLedger, type ChannelReading } from '../../src/adapters/channels/channel-ledger.ts'
import { createOpeningLedger } from '../../src/adapters/channels/opening-ledger.ts'
import { createVoucherSigner } from '../../src/adapters/channels/voucher-signer.ts'
import { createAccountBudget, createChannelOpenings } from '../../src/adapters/postgres/index.ts'
import { marketOn } from '../market/channel-stage.ts'
import { openStage, type Stage } from '../market/stage.ts'
import { buyer, operator, programs, startCluster, voucher, type Cluster, type Key } from './cluster.ts'

export type ChannelMarket = AsyncDisposable & {
  readonly cluster: Cluster
  readonly stage: Stage
  readonly channels: Channels
  readonly market: Market
  /** The same market, whose ledger is read otherwise. */
  over(reads: Partial<ChannelReading['ledger']>, waitMs?: number): Market
  tokensOf(owner: Key): Promise<bigint>
}

/** A market whose channels are on a real ledger. */
export async function startChannelMarket(): Promise<ChannelMarket> {
  const [cluster, stage] = await Promise.all([startCluster(), openStage()])
  const channelsOver = (reads: Partial<ChannelReading['ledger']>, waitMs = 8_000): Channels => {
    const reading: ChannelReading = {
      ledger: { ...cluster.ledger, ...reads },
      terms: { ...cluster.settings, operator: operator.address, voucherSigner: voucher.address },
      keys: { operator },
      accounts: createAccountBudget(stage.pool),
      time: { monotonic: () => performance.now(), delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
      waitMs,
      onTrouble: () => undefined,
    }
    return {
      network: 'solana',
      facts: { program: programs.channelProgram, mint: cluster.settings.mint, signer: voucher.address },
      ledger: createChannelLedger(reading),
      vouchers: createVoucherSigner(voucher.seed),
      opening: createOpeningLedger(reading, 'market.example'),
      openings: createChannelOpenings(stage.pool),
    }
  }
  const channels = channelsOver({})
  return {
    ...{ cluster, stage, channels, market: marketOn(stage, channels) },
    over: (reads, waitMs) => marketOn(stage, channelsOver(reads, waitMs)),
    async tokensOf({ address }) {
      const account = await readTokenAccount(cluster.ledger, address, cluster.settings.mint)
      return account.state === 'usable' ? account.amount : 0n
    },
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    },
  }
}

/** What the wallet of a buyer gives back. */
export function signedBy(transaction: string, { address, seed }: Key = buyer): string {
  const read = decodeTransaction(Buffer.from(transaction, 'base64'))
  const signed = addSignature(read, address, signEd25519(read.messageBytes, seed))
  return Buffer.from(encodeTransaction(signed)).toString('base64')
}
