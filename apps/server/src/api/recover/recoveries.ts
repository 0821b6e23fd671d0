import type { InputOf, OperationName, Operations } from '@ergon/contract'
import type { AnswerOf, Call, CallerOf, Prefix } from '../../dispatch/handlers.ts'
import type { ApiDeps } from '../deps.ts'
import { recoverDisputes } from './disputes.ts'
import { recoverEscrow } from './escrow.ts'
import { recoverH2a } from './h2a.ts'
import { recoverListings } from './listings.ts'
import { recoverMessages } from './messages.ts'
import { recoverOffers } from './offers.ts'
import { recoverPayments } from './payments.ts'
import { recoverQuestions } from './questions.ts'
import { recoverReputation } from './reputation.ts'
import { recoverStreams } from './streams.ts'
import { recoverSubmissions } from './submissions.ts'
import { recoverTasks } from './tasks.ts'
import { recoverWebhooks } from './webhooks.ts'

/** Ids of what the earlier run created, by the kind of thing. */
export type Created = Readonly<Record<string, string>>

/** Operations whose contract says that a resend is answered from what the first run left. */
type Recovered = {
  [N in OperationName]: Operations[N] extends { readonly resend: 'recovered' } ? N : never
}[OperationName]

/**
 * Answer a resend of a call that wrote and never told, from how things are now; null where nothing of it is left, and
 * the handler is right. One that is forgotten does not compile.
 */
export type Recoveries = {
  readonly [N in Recovered]: (
    call: Pick<Call<CallerOf<Operations[N]>>, 'caller'>,
    input: InputOf<Operations[N]>,
    created: Created,
  ) => Promise<AnswerOf<Operations[N]> | null>
}

/** Those of one prefix, written in one file. */
export type RecoveriesOf<P extends Prefix> = Pick<Recoveries, Extract<Recovered, `${P}.${string}`>>

export type RecoveryDeps = Pick<ApiDeps, 'market' | 'webhooks' | 'webhookKey'>

/** By operation (decision 0050). */
export function createRecoveries(deps: RecoveryDeps): Recoveries {
  return {
    ...recoverTasks(deps),
    ...recoverSubmissions(deps),
    ...recoverDisputes(deps),
    ...recoverOffers(deps),
    ...recoverMessages(deps),
    ...recoverQuestions(deps),
    ...recoverEscrow(deps),
    ...recoverPayments(deps),
    ...recoverReputation(deps),
    ...recoverListings(deps),
    ...recoverH2a(deps),
    ...recoverWebhooks(deps),
    ...recoverStreams(deps),
  }
}
