import { identityRegistryAbi } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { readContract } from './contract-calls.ts'
import type { RegistryTarget } from './network.ts'

/**
 * Who an agent belongs to, lower case: its owner, and the wallet that it names.
 * @throws Refusal agent_not_settled while its registration may still be undone: a rating that is mined again behind
 * other registrations would be a stranger's
 */
export async function holdersOf(target: RegistryTarget, agentId: bigint): Promise<readonly string[]> {
  const { network, registries } = target
  const holders = await readContract(
    network.rpc,
    registries.identity,
    ['ownerOf', 'getAgentWallet'].map((functionName) => ({ abi: identityRegistryAbi, functionName, args: [agentId] })),
  )
  if (!(await isSettled(target, agentId))) throw notSettled()
  return holders.map((holder) => String(holder).toLowerCase())
}

/** Whether an agent is there at the depth of its network, so that no block that is undone takes its number. */
export async function isSettled({ network, registries }: RegistryTarget, agentId: bigint): Promise<boolean> {
  const { chain, rpc } = network
  if (chain.confirmations === 0) return true
  const deep = Math.max(0, (await chain.head()) - chain.confirmations)
  const call = { abi: identityRegistryAbi, functionName: 'ownerOf', args: [agentId] }
  try {
    await readContract(rpc, registries.identity, [call], notSettled, deep)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'agent_not_settled') return false
    throw error
  }
}

/** It holds for seconds. */
function notSettled(): Refusal {
  const details = { broadcast: false, retry_after: 15 }
  const text = 'the registration of this agent may still be undone'
  return new Refusal('agent_not_settled', text, { status: 503, details, isPassing: true })
}
