import { bytesToHex, hexToBytes, recoverAddress, type Address, type Hex } from '@ergon/protocols'
import { isValidSignatureCalldata } from '../chain/calldata.ts'
import { Unavailable } from '../errors.ts'
import type { RpcClient } from '../chain/rpc-client.ts'

/** Recovers without asking anybody; a key's signature is 65 bytes with a low s. */
export function isSignedBy(digest: Uint8Array, signature: Hex, signer: Address): boolean {
  if (signature.length !== 132) return false
  return recoverAddress(digest, hexToBytes(signature))?.toLowerCase() === signer
}

/** ERC-1271: asked only when recovery failed, and only of an address with code. */
export async function isSignedByContract(rpc: RpcClient, digest: Uint8Array, signature: Hex, signer: Address): Promise<boolean> {
  const [code, answer] = await rpc.batch([
    { method: 'eth_getCode', params: [signer, 'latest'] },
    { method: 'eth_call', params: [{ to: signer, data: isValidSignatureCalldata(bytesToHex(digest), signature), gas: '0x2dc6c0' }, 'latest'] },
  ])
  if (code === undefined || code.error !== undefined) throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: code?.error })
  if (typeof code.result !== 'string' || code.result.length <= 2) return false
  return typeof answer?.result === 'string' && answer.result.startsWith('0x1626ba7e')
}
