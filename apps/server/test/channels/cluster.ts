import {
  channelAddress,
  encodeTransaction,
  mainnetChannelProgram,
  openInstruction,
  signTransaction,
  transactionId,
  treasuryOwners,
  unsignedTransaction,
  type Instruction,
  type OpenTerms,
} from '@ergon/channels'
import { workerShareBps } from '@ergon/core'
import { startSolana } from '@ergon/dev-env'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { createRpcLedger, deliver, localKeys, localProgramHash, type RpcLedger } from '@ergon/solana-ledger'

export type Key = { readonly seed: Uint8Array; readonly address: string }
export type Opened = OpenTerms & { readonly channelId: string }

/** The key of a seed of one byte, for a party of a test. */
export function keyOf(byte: number): Key {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}

export const programs = { channelProgram: mainnetChannelProgram }
export const { operator, voucher } = localKeys
export const [buyer, laborer] = [keyOf(81), keyOf(82)]

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** A real ledger and the deployment's way to it; its parties have money. */
export async function startCluster(dataDir?: string) {
  let skippedMs = 0
  const solana = await startSolana(dataDir === undefined ? {} : { dataDir })
  const ledger: RpcLedger = createRpcLedger({
    urls: [solana.rpcUrl],
    genesisHash: solana.genesisHash,
    now: () => Date.now() + skippedMs,
  })
  await solana.fund(buyer.address, { lamports: 10_000_000_000n, tokens: 1_000_000_000n })
  await solana.fund(laborer.address, { tokens: 0n })
  const carryOut = async (instructions: readonly Instruction[], signers: readonly Key[]): Promise<string> => {
    const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
    const [payer] = signers
    const seeds = new Map(signers.map(({ address, seed }) => [address, seed]))
    const transaction = signTransaction(unsignedTransaction(payer?.address ?? '', blockhash, instructions), seeds)
    const [wire, signature] = [encodeTransaction(transaction), transactionId(transaction)]
    const delivered = await deliver(ledger, { wire, signature, lastValidBlockHeight }, { pollMs: 5 })
    if (delivered.end !== 'landed' || delivered.status.error !== null)
      throw new Error(`it did not land: ${JSON.stringify(delivered, (_, one: unknown) => String(one))}`)
    return signature
  }
  let salt = 0n
  return {
    ...{ solana, ledger, carryOut },
    settings: {
      ...{ rpcUrls: [solana.rpcUrl], genesisHash: solana.genesisHash, witnesses: 1, maxPriorityFee: 1_000n },
      ...{ channelProgram: mainnetChannelProgram, programHash: localProgramHash(), mint: solana.mint },
      treasuryOwner: treasuryOwners.localnet,
    },
    /** Opens a channel by buyer and operator, on the usual terms or changed ones. */
    async open(change: Partial<OpenTerms> = {}, payer: Key = buyer): Promise<Opened> {
      salt += 1n
      const terms: OpenTerms = {
        ...{ payer: payer.address, payee: operator.address, rentPayer: operator.address, mint: solana.mint },
        ...{ authorizedSigner: voucher.address, salt, openSlot: await ledger.slot(), deposit: 10_000n },
        ...{ gracePeriodSec: 900, splits: [{ recipient: laborer.address, bps: workerShareBps }], ...change },
      }
      await carryOut([openInstruction(terms, programs)], [operator, payer])
      return { ...terms, channelId: channelAddress(terms, mainnetChannelProgram).address }
    },
    /** Moves the ledger's clock and the one its reader believes. */
    async skip(ms: number): Promise<void> {
      skippedMs += ms
      await solana.skip(ms)
    },
    [Symbol.asyncDispose]: () => solana.stop(),
  }
}
