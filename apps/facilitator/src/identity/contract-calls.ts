import type { Address, Hex } from '@ergon/protocols'
import type { Abi } from 'viem'
import { decodeRevert } from '../chain/reverts.ts'
import { Refusal, Unavailable } from '../errors.ts'
import type { RpcClient } from '../chain/rpc-client.ts'

/** A registry function by its JSON description; the generic encoder is loaded when the first identity call needs it. */
export type RegistryCall = { readonly abi: Abi; readonly functionName: string; readonly args: readonly unknown[] }

export async function encodeCall(call: RegistryCall): Promise<Hex> {
  const { encodeFunctionData } = await import('viem/utils')
  return encodeFunctionData({ abi: call.abi, functionName: call.functionName, args: call.args })
}

/** Creation code with what its constructor is given. */
export async function encodeCreation(creation: {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly args: readonly unknown[]
}): Promise<Hex> {
  const { encodeDeployData } = await import('viem/utils')
  return encodeDeployData(creation)
}

/**
 * Reads at the newest block, or at the one that is given. A revert becomes what `onRevert` says; a node that does not
 * answer is `Unavailable`.
 */
export async function readContract(
  rpc: RpcClient,
  to: Address,
  call: RegistryCall,
  onRevert: (reason: string) => Refusal = notReadable,
  at: number | 'latest' = 'latest',
): Promise<unknown> {
  const [{ decodeFunctionResult }, data] = await Promise.all([import('viem/utils'), encodeCall(call)])
  const block = typeof at === 'number' ? `0x${at.toString(16)}` : at
  const [answer] = await rpc.batch([{ method: 'eth_call', params: [{ to, data }, block] }])
  if (answer === undefined || answer.error !== undefined || typeof answer.result !== 'string') {
    const revert = answer?.error === undefined ? undefined : decodeRevert(answer.error)
    if (revert !== undefined) throw onRevert(revert.reason)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: answer?.error })
  }
  // eth_call answers hex.
  return decodeFunctionResult({
    abi: call.abi,
    functionName: call.functionName,
    args: call.args,
    data: answer.result as Hex,
  })
}

function notReadable(reason: string): Refusal {
  return new Refusal('ContractCall', `Contract call failed: ${reason}`)
}
