import type { Check } from './check.ts'

/**
 * Agents need an ERC-8004 identity, people do not (spec §1.12). Asked when the fields are good: what is refused
 * registers nobody. @throws identity_required, identity_check_unavailable
 */
export const identity: Check = async ({ agents }, passage) => {
  const { caller } = passage
  const { access } = passage.plan.operation
  if (caller?.kind !== 'wallet' || caller.agentId !== null || caller.via === 'session') return
  if (!agents.isRequired || access.by !== 'wallet' || access.identity !== true) return
  const agentId = await agents.demanded(caller.wallet)
  passage.caller = agentId === null ? { ...caller, owesIdentity: true } : { ...caller, agentId }
}
