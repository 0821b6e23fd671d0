import { join } from 'node:path'
import { startConstellation } from '../constellation/constellation.ts'
import type { Part } from '../constellation/options.ts'
import type { ConstellationRecord } from '../constellation/record.ts'
import { logTail } from '../log-tail.ts'
import { paymentsPerWallet } from './own-settings.ts'
import { startSilence } from './silence.ts'
import { targetOf, type Target } from './target.ts'

/** An instance of the program's own, with what a deployment has by default. */
export type OwnTarget = AsyncDisposable & { readonly target: Target }

/**
 * Settings that differ from the defaults: strangers' addresses may be on this machine, since there is no other; and the
 * facilitator limits callers on loopback as it limits those from outside, though widely enough for the server beside
 * them;
 * and payments have the budget that they have where money is real, though a smaller one.
 */
const env = {
  server: {
    SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true',
    SVC_LOG_LEVEL: 'warn',
    SVC_PAYMENTS_PER_WALLET: String(paymentsPerWallet),
  },
  facilitator: {
    FACILITATOR_GAS_PER_DAY: '50/400/2000',
    FACILITATOR_RATE_LIMIT: '1800/60',
    FACILITATOR_LOG_LEVEL: 'warn',
  },
} as const

/** `narrate` hears of a part that dies, with the end of its log. */
export async function startTarget(narrate: (line: string) => void): Promise<OwnTarget> {
  await using stack = new AsyncDisposableStack()
  const silence = stack.use(await startSilence())
  const constellation = stack.use(
    await startConstellation({ ephemeral: true, env: { ...env, server: { ...env.server, ...silence.env } } }),
  )
  let isStopping = false
  void constellation.broken.then((part) => {
    if (!isStopping) narrate(`the ${part} died; the end of its log:\n${logTail(logOf(constellation.record(), part))}`)
  })
  stack.defer(() => {
    isStopping = true
  })
  const owned = stack.move()
  return { target: targetOf(constellation.record(), silence), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** What has ended is in the record no more. */
function logOf({ dataDir, logs }: ConstellationRecord, part: Part): string {
  return logs[part] ?? join(dataDir, 'logs', `${part}.log`)
}
