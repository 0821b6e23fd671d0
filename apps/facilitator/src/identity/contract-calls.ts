import type { Address, Hex } from '@ergon/protocols'
import type { Abi } from 'viem'
import type * as ViemUtils from 'viem/utils'
import { decodeRevert } from '../chain/reverts.ts'
import { Refusal, Unavailable } from '../errors.ts'
import type { RpcClient } from '../chain/rpc-client.ts'

/** A registry function by its JSON description; the generic encoder is loaded when the first identity call needs it. */
export type RegistryCall = { readonly abi: Abi; readonly functionName: string; readonly args: readonly unknown[] }

/** What a contract answered, or why it reverted. */
export type ContractAnswer =
  { readonly value: unknown; readonly revert?: undefined } | { readonly value?: undefined; readonly revert: string }

/** Whatever strangers wrote into a registry: an answer above it is not decoded, which is done while nothing else is. */
const maxBytes = 1024 * 1024

let utils: Promise<typeof ViemUtils> | undefined
const viemUtils = (): Promise<typeof ViemUtils> => (utils ??= import('viem/utils'))

export async function encodeCall(call: RegistryCall): Promise<Hex> {
  const { encodeFunctionData } = await viemUtils()
  return encodeFunctionData({ abi: call.abi, functionName: call.functionName, args: call.args })
}

/** Creation code with what its constructor is given. */
export async function encodeCreation(creation: {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly args: readonly unknown[]
}): Promise<Hex> {
  const { encodeDeployData } = await viemUtils()
  return encodeDeployData(creation)
}

/**
 * Reads of one contract, in one request to one node: at the newest block, or at the one that is given. A node that does
 * not answer one of them is `Unavailable`.
 */
export async function askContract(
  rpc: RpcClient,
  to: Address,
  calls: readonly RegistryCall[],
  at: number | 'latest' = 'latest',
): Promise<readonly ContractAnswer[]> {
  const { decodeFunctionResult } = await viemUtils()
  const block = typeof at === 'number' ? `0x${at.toString(16)}` : at
  const requests = await Promise.all(
    calls.map(async (call) => ({ method: 'eth_call', params: [{ to, data: await encodeCall(call) }, block] })),
  )
  const answers = await rpc.batch(requests, { maxBytes })
  return calls.map(({ abi, functionName, args }, index) => {
    const answer = answers[index]
    if (answer !== undefined && answer.error === undefined && typeof answer.result === 'string')
      return { value: decodeFunctionResult({ abi, functionName, args, data: answer.result as Hex }) } // eth_call: hex
    const revert = answer?.error === undefined ? undefined : decodeRevert(answer.error)
    if (revert !== undefined) return { revert: revert.reason }
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: answer?.error })
  })
}

/** As `askContract`; the first revert becomes what `onRevert` says. */
export async function readContract(
  rpc: RpcClient,
  to: Address,
  calls: readonly RegistryCall[],
  onRevert: (reason: string) => Refusal = notReadable,
  at: number | 'latest' = 'latest',
): Promise<readonly unknown[]> {
  const answers = await askContract(rpc, to, calls, at)
  return answers.map(({ value, revert }) => {
    if (revert !== undefined) throw onRevert(revert)
    return value
  })
}

function notReadable(reason: string): Refusal {
  return new Refusal('ContractCall', `Contract call failed: ${reason}`)
}
