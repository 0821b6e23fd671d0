import type { Operation } from '@ergon/contract'
import type { AdminCaller, Caller } from '@ergon/core'
import type { Check } from './check.ts'

const admin: AdminCaller = Object.freeze({ kind: 'admin' })
const anonymous: Caller = Object.freeze({ kind: 'anonymous' })

/** Whether the operation writes down whose identity it was: of all others nobody looks it up. */
const readsIdentity = ({ access }: Operation): boolean =>
  access.by === 'session' || (access.by === 'wallet' && access.identity === true)

/** Who it is to the market: beside the key of the admin a wallet is itself where the operation opens to wallets. */
export const caller: Check = async ({ agents }, passage) => {
  const { plan, request, principal, isAdmin } = passage
  if (principal !== null)
    passage.caller = {
      kind: 'wallet',
      wallet: principal.wallet,
      agentId: readsIdentity(plan.operation) ? await agents.known(principal.wallet) : null,
      via: principal.via,
      proof: principal.proof,
      from: request.ip,
      ...(principal.grant === undefined ? {} : { delegation: principal.grant }),
    }
  else passage.caller = isAdmin && plan.operation.access.by === 'wallet' ? admin : anonymous
}
