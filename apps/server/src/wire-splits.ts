import type { Rail, SplitPayments } from '@ergon/core'
import { createFacilitatorClient } from './adapters/facilitator/facilitator-client.ts'
import { createSplitPayments } from './adapters/splits/split-payments.ts'
import { createSplitRail } from './adapters/splits/split-rail.ts'
import type { Config } from './config/config.ts'
import type { ProcessLog } from '@ergon/process'
import type { WiredChannels } from './wire-channels.ts'

/** What pays bounties on a network in one transaction each. */
export type WiredSplits = { readonly payments: SplitPayments; readonly rail: Rail }

/** Null unless the settings ask for it. Connects nothing yet. */
export function wireSplits(
  { facilitatorUrl, solana }: Pick<Config, 'facilitatorUrl' | 'solana'>,
  metered: Pick<WiredChannels, 'ledger' | 'keys'> | null,
  {
    now,
    log,
    parts,
  }: { readonly now: () => Date; readonly log: Pick<ProcessLog, 'warn'>; readonly parts: DisposableStackLike },
): WiredSplits | null {
  if (solana === null || metered === null || !solana.paysBounties) return null
  const facilitator = parts.use(createFacilitatorClient(facilitatorUrl, now))
  const deps = { network: solana.network, ledger: metered.ledger, treasury: metered.keys.operator.address, facilitator }
  return { payments: createSplitPayments(deps), rail: createSplitRail({ ...deps, log }) }
}

type DisposableStackLike = { use<T extends Disposable>(resource: T): T }
