import {
  channelAddress,
  closeInstructions,
  decodeChannel,
  encodeTransaction,
  mainnetChannelProgram,
  openInstruction,
  signTransaction,
  signVoucher,
  transactionId,
  treasuryOwners,
  unsignedTransaction,
  type Instruction,
} from '@ergon/channels'
import { startSolana } from '@ergon/dev-env'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { createRpcLedger, deliver, localKeys } from '@ergon/solana-ledger'
import type { Measured } from '../report.ts'

const programs = { channelProgram: mainnetChannelProgram }
const { operator, voucher } = localKeys
const workerShareBps = 8_700

/**
 * What the one transaction that ends a channel costs on the Solana machine: with every token account there, and with
 * those of worker, operator and treasury to be made.
 */
export async function measureSettle(): Promise<Measured> {
  await using solana = await startSolana()
  const ledger = createRpcLedger({ urls: [solana.rpcUrl], genesisHash: solana.genesisHash })
  const [buyer, worker] = [81, 82].map((byte) => {
    const seed = new Uint8Array(32).fill(byte)
    return { seed, address: toBase58(ed25519KeyOf(seed)) }
  }) as [typeof operator, typeof operator] // two seeds make two keys
  await solana.fund(buyer.address, { tokens: 1_000_000n })
  const splits = [{ recipient: worker.address, bps: workerShareBps }]
  const terms = {
    ...{ payer: buyer.address, payee: operator.address, rentPayer: operator.address, mint: solana.mint, splits },
    ...{ authorizedSigner: voucher.address, salt: 1n, openSlot: await ledger.slot(), deposit: 1_000_000n },
    gracePeriodSec: 900,
  }
  const channelId = channelAddress(terms, mainnetChannelProgram).address
  const signed = async (instructions: readonly Instruction[], keys: readonly (typeof operator)[]) => {
    const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
    const seeds = new Map(keys.map(({ address, seed }) => [address, seed]))
    const transaction = signTransaction(unsignedTransaction(operator.address, blockhash, instructions), seeds)
    return { wire: encodeTransaction(transaction), signature: transactionId(transaction), lastValidBlockHeight }
  }
  await deliver(ledger, await signed([openInstruction(terms, programs)], [operator, buyer]), { pollMs: 10 })
  const account = await ledger.account(channelId)
  if (account === null) throw new Error('the channel did not open')
  const said = { channelId, cumulative: 765_432n, expiresAt: 0n }
  const last = { voucher: said, signature: signVoucher(said, voucher.seed) }
  const unitsWith = async (missingAccountsOf: readonly string[]): Promise<{ units: number; bytes: number }> => {
    const closing = { channelId, channel: decodeChannel(account.data), splits, missingAccountsOf }
    const end = closeInstructions({ ...closing, treasuryOwner: treasuryOwners.localnet }, last, programs)
    const { wire } = await signed(end, [operator])
    const { error, units } = await ledger.simulate(wire)
    if (error !== null) throw new Error(`the end was refused: ${JSON.stringify(error)}`)
    return { units: Number(units), bytes: wire.length }
  }
  const made = await unitsWith([worker.address, operator.address, treasuryOwners.localnet])
  for (const owner of [worker.address, operator.address, treasuryOwners.localnet])
    await solana.fund(owner, { tokens: 0n })
  const plain = await unitsWith([])
  return {
    settle_compute_units: plain.units,
    settle_compute_units_with_accounts: made.units,
    settle_transaction_bytes: made.bytes,
  }
}
