import { associatedTokenAccount } from '@ergon/channels'
import { address, createSolanaRpc } from '@solana/kit'

/** Who takes part in a metered job: addresses on Solana. */
export type MeteredParties = { readonly payer: string; readonly worker: string; readonly treasury: string }
export type MeteredBalances = {
  readonly usd: Readonly<Record<keyof MeteredParties, bigint>>
  readonly lamports: Readonly<Record<'payer' | 'worker', bigint>>
}

/** Reads balances by the ordinary client of Solana, which knows nothing of this project but a node's address. */
export function foreignBalances(rpcUrl: string, mint: string, parties: MeteredParties): () => Promise<MeteredBalances> {
  const rpc = createSolanaRpc(rpcUrl)
  const usd = async (owner: string): Promise<bigint> => {
    const account = address(associatedTokenAccount(owner, mint))
    const { value: found } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send()
    if (found === null) return 0n
    return BigInt((await rpc.getTokenAccountBalance(account).send()).value.amount)
  }
  const lamports = async (owner: string): Promise<bigint> => (await rpc.getBalance(address(owner)).send()).value
  return async () => {
    const [payer, worker, treasury, payerLamports, workerLamports] = await Promise.all([
      ...[parties.payer, parties.worker, parties.treasury].map(usd),
      ...[parties.payer, parties.worker].map(lamports),
    ] as const)
    return {
      usd: { payer: payer ?? 0n, worker: worker ?? 0n, treasury: treasury ?? 0n },
      lamports: { payer: payerLamports ?? 0n, worker: workerLamports ?? 0n },
    }
  }
}
