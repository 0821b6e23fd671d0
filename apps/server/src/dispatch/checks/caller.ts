import type { AdminCaller, Caller } from '@ergon/core'
import type { Check } from './check.ts'

const admin: AdminCaller = Object.freeze({ kind: 'admin' })
const anonymous: Caller = Object.freeze({ kind: 'anonymous' })

/** Who it is to the market: beside the key of the admin a wallet is itself where the operation opens to wallets. */
export const caller: Check = async ({ agents }, passage) => {
  const { plan, request, principal, isAdmin } = passage
  if (principal !== null)
    passage.caller = {
      kind: 'wallet',
      wallet: principal.wallet,
      agentId: await agents.known(principal.wallet),
      via: principal.via,
      proof: principal.proof,
      from: request.ip,
      ...(principal.grant === undefined ? {} : { delegation: principal.grant }),
    }
  else passage.caller = isAdmin && plan.operation.access.by === 'wallet' ? admin : anonymous
}
