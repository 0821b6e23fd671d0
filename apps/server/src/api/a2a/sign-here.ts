import type { Caller } from '@ergon/core'
import type { Refused } from '../../dispatch/a2a-answers.ts'
import type { AnyHandler, Call } from '../../dispatch/handlers.ts'
import type { Handed, WalletActions } from '../../dispatch/wallet-actions.ts'

/** What a wallet has to sign before a refused call can go through, handed out whole (spec §5, OAuth 10). */
export async function walletActionFor(
  actions: WalletActions,
  handlers: Readonly<Record<string, AnyHandler>>,
  call: Call<Caller>,
  { operation, code, input }: Refused,
): Promise<Handed | null> {
  if (call.caller.kind !== 'wallet') return null
  return actions({ operation, given: input, code, wallet: call.caller.wallet }, async (name, fields) => {
    const handler = handlers[name]
    if (handler === undefined) throw new Error(`${name} has no handler`)
    return (await handler(call, fields)).body
  })
}

/** What an unsigned caller is told when it asks for a change (spec §5.1). */
export function signRequestAction(action: string, policy: string): Readonly<Record<string, unknown>> {
  return { kind: 'signed_request', reason: 'UNAUTHORIZED', policy, how_to_return: { action } }
}
