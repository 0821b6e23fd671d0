import { address, createSolanaRpc } from '@solana/kit'
import type { Base64EncodedWireTransaction, Signature } from '@solana/kit'
import {
  associatedTokenAccount,
  encodeTransaction,
  signTransaction,
  transactionId,
  unsignedTransaction,
} from '@ergon/channels'
import type { Instruction } from '@ergon/channels'
import { localMint } from '../src/index.ts'
import type { LocalKey } from '../src/index.ts'

/** Signs a transaction of the first signer, who pays for it. */
export function signed(blockhash: string, instructions: readonly Instruction[], signers: readonly LocalKey[]) {
  const seeds = new Map(signers.map(({ address: at, seed }) => [at, seed]))
  const transaction = signTransaction(unsignedTransaction(signers[0]?.address ?? '', blockhash, instructions), seeds)
  return { wire: encodeTransaction(transaction), signature: transactionId(transaction) }
}

/** An ordinary Solana client, which knows nothing of this package but the address of its front. */
export function foreignClient(url: string) {
  const rpc = createSolanaRpc(url)
  const encoded = (wire: Uint8Array) =>
    // The client brands the base64 text of a transaction.
    Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction
  return {
    rpc,
    tokens: async (owner: string) => {
      const at = address(associatedTokenAccount(owner, localMint))
      const { value } = await rpc.getTokenAccountBalance(at).send()
      return value.uiAmountString
    },
    send: (wire: Uint8Array) => rpc.sendTransaction(encoded(wire), { encoding: 'base64' }).send(),
    simulate: async (wire: Uint8Array) =>
      (await rpc.simulateTransaction(encoded(wire), { encoding: 'base64' }).send()).value,
    status: async (signature: string) =>
      (await rpc.getSignatureStatuses([signature as Signature]).send()).value[0] ?? null,
  }
}
