import type { InputOf, OperationName, Operations } from '@ergon/contract'
import type { AnswerOf, Call, CallerOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { recoverCreated } from './recover-created.ts'
import { recoverH2a } from './recover-h2a.ts'
import { recoverMoved } from './recover-moved.ts'
import { recoverRates } from './rates.ts'
import { recoverWebhooks } from './recover-webhooks.ts'

/** Ids of what the earlier run created, by the kind of thing. */
export type Created = Readonly<Record<string, string>>

/**
 * Answer a resend of a call that wrote and never told, from how things stand; null where nothing of it is left, and the
 * handler is right. Needed wherever a second run would make a second thing, or be refused because of the first.
 */
export type Recoveries = {
  readonly [N in OperationName]?: (
    call: Pick<Call<CallerOf<Operations[N]>>, 'caller'>,
    input: InputOf<Operations[N]>,
    created: Created,
  ) => Promise<AnswerOf<Operations[N]> | null>
}

/** By operation (decision 0050). */
export function createRecoveries(
  deps: Pick<ApiDeps, 'market' | 'paymentMode' | 'webhooks' | 'webhookKey'>,
): Recoveries {
  const [created, moved] = [recoverCreated(deps.market), recoverMoved(deps)]
  return { ...created, ...moved, ...recoverRates(deps), ...recoverH2a(deps.market, moved), ...recoverWebhooks(deps) }
}
