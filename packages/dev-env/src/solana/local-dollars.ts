import {
  associatedTokenAccount,
  createTokenAccountInstruction,
  encodeTransaction,
  signTransaction,
  tokenProgram,
  transactionId,
  unsignedTransaction,
  type Instruction,
} from '@ergon/channels'
import { createRpcLedger, deliver, localKeys } from '@ergon/solana-ledger'

const pollMs = 50
const patienceMs = 20_000

/**
 * Gives a wallet test dollars of the local ledger, by the key that may mint them, in an ordinary transaction; with no
 * dollars it makes the account that dollars can be paid to.
 */
export async function giveLocalDollars(
  { rpcUrl, genesisHash, mint }: { readonly rpcUrl: string; readonly genesisHash: string; readonly mint: string },
  owner: string,
  atomic: bigint,
): Promise<void> {
  const ledger = createRpcLedger({ urls: [rpcUrl], genesisHash })
  const { feePayer, mintAuthority } = localKeys
  const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
  const account = createTokenAccountInstruction({ funder: feePayer.address, owner, mint })
  const instructions = atomic > 0n ? [account, mintTo(mint, owner, atomic)] : [account]
  const seeds = new Map([feePayer, mintAuthority].map(({ address, seed }) => [address, seed]))
  const signed = signTransaction(unsignedTransaction(feePayer.address, blockhash, instructions), seeds)
  const [wire, signature] = [encodeTransaction(signed), transactionId(signed)]
  const delivered = await deliver(ledger, { wire, signature, lastValidBlockHeight }, { pollMs, patienceMs })
  if (delivered.end !== 'landed' || delivered.status.error !== null)
    throw new Error('the local ledger did not mint; is it running?')
}

/** SPL Token's instruction 7. */
function mintTo(mint: string, owner: string, atomic: bigint): Instruction {
  const data = new Uint8Array(9)
  data[0] = 7
  new DataView(data.buffer).setBigUint64(1, atomic, true)
  const at = (address: string, signer: boolean, writable: boolean) => ({ address, signer, writable })
  return {
    program: tokenProgram,
    accounts: [
      at(mint, false, true),
      at(associatedTokenAccount(owner, mint), false, true),
      at(localKeys.mintAuthority.address, true, false),
    ],
    data,
  }
}
