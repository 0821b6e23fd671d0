import type { ErrorCode } from '@ergon/contract'
import type { Reply } from '../dispatch/send.ts'
import type { Bench } from './bench.ts'
import { callerProducers } from './producers-callers.ts'
import { channelProducers } from './producers-channels.ts'
import { hookProducers } from './producers-hooks.ts'
import { moneyProducers } from './producers-money.ts'
import { tokenProducers } from './producers-tokens.ts'
import { requestProducers } from './producers-requests.ts'
import { workProducers } from './producers-work.ts'

/** Sends the request that a code answers, to a market in the state that it takes. */
export type Producer = (bench: Bench) => Promise<Reply>

/** Codes that the specification lists and no request brings about here; producer-lines.json says why. */
export const unproduced = ['SDK_UNAVAILABLE', 'TX_HASH_MISSING'] as const satisfies readonly ErrorCode[]

export type Producers = Readonly<Record<Exclude<ErrorCode, (typeof unproduced)[number]>, Producer>>

/** One for every other code of the catalogue: a forgotten one does not compile. */
export const producers: Producers = {
  ...requestProducers,
  ...callerProducers,
  ...tokenProducers,
  ...workProducers,
  ...moneyProducers,
  ...hookProducers,
  ...channelProducers,
}
