import type { Operations, OutputOf } from '@ergon/contract'
import type { ChainLag } from '@ergon/core'
import { instant } from './instant.ts'

type WireLag = OutputOf<Operations['service.healthPayments']>['chains'][number]

export function presentLag({ network, block, lagBlocks, lagSeconds, readAt }: ChainLag): WireLag {
  return {
    network,
    block: Number(block),
    lag_blocks: Number(lagBlocks),
    lag_seconds: lagSeconds,
    read_at: instant(readAt),
  }
}
