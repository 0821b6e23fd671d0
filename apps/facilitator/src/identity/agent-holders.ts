import { identityRegistryAbi } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { readContract } from './contract-calls.ts'
import type { RegistryTarget } from './network.ts'

/**
 * Who an agent belongs to, lower case: its owner, and the wallet that it names.
 * @throws Refusal agent_not_settled while its registration may still be undone: a rating that is mined again behind
 * other registrations would be a stranger's
 */
export async function holdersOf({ network, registries }: RegistryTarget, agentId: bigint): Promise<readonly string[]> {
  const { chain, rpc } = network
  const read = (functionName: string): Promise<unknown> =>
    readContract(rpc, registries.identity, { abi: identityRegistryAbi, functionName, args: [agentId] })
  const deep = chain.confirmations === 0 ? undefined : (await chain.head()) - chain.confirmations
  const holders = await Promise.all([read('ownerOf'), read('getAgentWallet')])
  if (deep !== undefined)
    await readContract(
      rpc,
      registries.identity,
      { abi: identityRegistryAbi, functionName: 'ownerOf', args: [agentId] },
      notSettled,
      Math.max(0, deep),
    )
  return holders.map((holder) => String(holder).toLowerCase())
}

/** It holds for seconds. */
function notSettled(): Refusal {
  const details = { broadcast: false, retry_after: 15 }
  const text = 'the registration of this agent may still be undone'
  return new Refusal('agent_not_settled', text, { status: 503, details, isPassing: true })
}
