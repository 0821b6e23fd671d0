import {
  address,
  getTransactionDecoder,
  type Transaction as KitTransaction,
  type TransactionWithBlockhashLifetime,
} from '@solana/kit'
import {
  associatedTokenAccount,
  channelAddress,
  decodeChannel,
  encodeTransaction,
  settleAndSealInstruction,
  signTransaction,
  signVoucher,
  tokenProgram,
  treasuryOwners,
  unsignedTransaction,
  voucherProofInstruction,
  type Instruction,
  type OpenTerms,
  openInstruction,
} from '@ergon/channels'
import { channelProgramElf, channelProgramId } from '@ergon/channel-program'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { mintData, readTokenAccount, tokenAccountData } from '../../src/embedded/token-data.ts'

/** A key of the tests: its seed is one byte, thirty-two times. */
export type Party = { readonly address: string; readonly seed: Uint8Array }

export function party(byte: number): Party {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}

export const buyer = party(1)
export const operator = party(2)
export const worker = party(3)
export const voucherKey = party(4)
export const stranger = party(5)
export const mint = party(6).address
export const programs = { channelProgram: channelProgramId }
export const treasury = treasuryOwners.localnet
export const splits = [{ recipient: worker.address, bps: 8_700 }]
export const startedAt = 1_800_000_000n

export type Outcome = { readonly error: string | null; readonly code: number | null; readonly units: bigint }

/** A machine with the program, a mint and funded parties; its clock does not move unless told. */
export function createMachine() {
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n)
  svm.addProgram(address(channelProgramId), channelProgramElf())
  const put = (at: string, owner: string, data: Uint8Array, lamports = 10_000_000n) => {
    const account = { address: address(at), programAddress: address(owner), lamports, data, executable: false }
    // The wrapper's type asks for the branded number of lamports; it reads a bigint.
    svm.setAccount({ ...account, space: BigInt(data.length) } as never)
  }
  put(mint, tokenProgram, mintData({ authority: stranger.address, decimals: 6, supply: 10n ** 12n }))
  const giveTokens = (owner: string, amount: bigint, frozen = false) => {
    put(ata(owner), tokenProgram, tokenAccountData({ mint, owner, amount, frozen }))
  }
  for (const { address: at } of [buyer, operator, stranger]) svm.airdrop(address(at), 10_000_000_000n as never)
  giveTokens(buyer.address, 100_000_000n)
  for (const owner of [worker.address, operator.address, treasury]) giveTokens(owner, 0n)
  const setTime = (unix: bigint, slot = 10_000n) => {
    svm.setClock(new Clock(slot, 0n, 0n, 0n, unix))
  }
  setTime(startedAt)
  const send = (instructions: readonly Instruction[], signers: readonly Party[]): Outcome => {
    const [payer] = signers
    if (payer === undefined) throw new Error('no account pays the fee')
    const unsigned = unsignedTransaction(payer.address, svm.latestBlockhash(), instructions)
    const seeds = new Map(signers.map((signer) => [signer.address, signer.seed]))
    const wire = encodeTransaction(signTransaction(unsigned, seeds))
    // What the decoder answers has no lifetime in its type; the machine asks for none.
    const transaction = getTransactionDecoder().decode(wire) as KitTransaction & TransactionWithBlockhashLifetime
    return outcomeOf(svm.sendTransaction(transaction))
  }
  return {
    svm,
    put,
    send,
    setTime,
    giveTokens,
    tokens: (owner: string) => {
      const account = svm.getAccount(address(ata(owner)))
      return account.exists ? readTokenAccount(account.data)?.amount : undefined
    },
    lamports: (at: string) => svm.getBalance(address(at)) ?? 0n,
    channel: (at: string) => {
      const account = svm.getAccount(address(at))
      return account.exists && account.data.length > 0 ? decodeChannel(account.data) : undefined
    },
  }
}
export type Machine = ReturnType<typeof createMachine>

function outcomeOf(result: ReturnType<LiteSVM['sendTransaction']>): Outcome {
  if (!(result instanceof FailedTransactionMetadata))
    return { error: null, code: null, units: result.computeUnitsConsumed() }
  const error = result.err()
  const inner: unknown = typeof error === 'object' && 'err' in error ? error.err() : undefined
  const isCustom = typeof inner === 'object' && inner !== null && 'code' in inner
  const code = isCustom ? Number(inner.code) : null
  return { error: `${result.toString()} ${result.meta().logs().join('\n')}`, code, units: 0n }
}

export function ata(owner: string): string {
  return associatedTokenAccount(owner, mint)
}

/** Terms of a channel as the service agrees them: the operator pays the rent and takes the remainder. */
export function termsOf(changes: Partial<OpenTerms> = {}): OpenTerms {
  return {
    payer: buyer.address,
    payee: operator.address,
    rentPayer: operator.address,
    mint,
    authorizedSigner: voucherKey.address,
    salt: 7n,
    openSlot: 9_990n,
    deposit: 10_000_000n,
    gracePeriodSec: 900,
    splits,
    ...changes,
  }
}

export function idOf(terms: OpenTerms): string {
  return channelAddress(terms, channelProgramId).address
}

/** Opens a channel and answers its id. */
export function opened(machine: Machine, changes: Partial<OpenTerms> = {}): string {
  const terms = termsOf(changes)
  const { error } = machine.send([openInstruction(terms, programs)], [operator, buyer])
  if (error !== null) throw new Error(error)
  return idOf(terms)
}

/** The proof of a voucher by the channel's key, or by another's. */
export function proof(channelId: string, cumulative: bigint, { expiresAt = 0n, by = voucherKey } = {}): Instruction {
  const voucher = { channelId, cumulative, expiresAt }
  return voucherProofInstruction(voucher, signVoucher(voucher, by.seed), by.address)
}

export function sealing(channelId: string, hasVoucher: boolean): Instruction {
  return settleAndSealInstruction({ channelId, payee: operator.address }, hasVoucher, programs)
}
