import {
  type Address,
  bytesToHex,
  type Hex,
  hexToBytes,
  isValidSignatureCalldata,
  recoverAddress,
} from '@ergon/protocols'
import { Unavailable } from '../errors.ts'
import type { RpcClient, RpcError } from '../chain/rpc-client.ts'

/** Recovers without asking anybody; a key's signature is 65 bytes with a low s. */
export function isSignedBy(digest: Uint8Array, signature: Hex, signer: Address): boolean {
  if (signature.length !== 132) return false
  return recoverAddress(digest, hexToBytes(signature))?.toLowerCase() === signer
}

/** `nobody`: no contract is at the address. */
export type ContractsWord = 'signed' | 'not-signed' | 'nobody'

export async function isSignedByContract(...asked: Parameters<typeof askContract>): Promise<boolean> {
  return (await askContract(...asked)) === 'signed'
}

/**
 * ERC-1271: asked only when recovery failed, and only of an address with code. Only the contract says no: throws
 * Unavailable when the node does not tell.
 */
export async function askContract(
  rpc: Pick<RpcClient, 'batch'>,
  digest: Uint8Array,
  signature: Hex,
  signer: Address,
): Promise<ContractsWord> {
  const [code, answer] = await rpc.batch([
    { method: 'eth_getCode', params: [signer, 'latest'] },
    {
      method: 'eth_call',
      params: [
        { to: signer, data: isValidSignatureCalldata(bytesToHex(digest), signature), gas: '0x2dc6c0' },
        'latest',
      ],
    },
  ])
  if (code === undefined || code.error !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: code?.error })
  if (typeof code.result !== 'string' || code.result.length <= 2) return 'nobody'
  if (answer?.error !== undefined && isContractsOwn(answer.error)) return 'not-signed'
  if (answer === undefined || answer.error !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not ask the wallet', { cause: answer?.error })
  const isYes =
    typeof answer.result === 'string' && answer.result.length >= 66 && answer.result.startsWith('0x1626ba7e')
  return isYes ? 'signed' : 'not-signed'
}

/** A contract that reverts or burns its gas has not signed; whatever else a node complains of says nothing about it. */
function isContractsOwn({ code, message }: RpcError): boolean {
  return code === 3 || /revert|out ?of ?gas|gas required|opcode|stack|jump|EVM error/i.test(message)
}
