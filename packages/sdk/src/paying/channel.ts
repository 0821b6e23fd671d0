import {
  addSignature,
  channelAddress,
  credentialHeader,
  encodeTransaction,
  encodeVoucher,
  openInstruction,
  proofText,
  topUpInstruction,
  unsignedTransaction,
  type Instruction,
  type ReadChallenge,
  type SessionAction,
  type SessionRequest,
} from '@ergon/channels'
import { toBase58, utf8 } from '@ergon/protocols'
import { PaymentRefused } from './payment-refused.ts'
import type { SolanaSigner } from './solana-signer.ts'

/** A channel as its buyer keeps it. Amounts in atomic units. */
export type BoughtChannel = {
  readonly channelId: string
  /** Who is paid by it: origin and seller. */
  readonly seller: string
  /** A URL of what it pays for. */
  readonly url: string
  readonly voucherSigner: 'operator' | 'client'
  readonly challengeId: string
  readonly deposit: bigint
  /** The most that was signed for: what the buyer can lose of a channel whose vouchers it signs. */
  readonly signed: bigint
  /** The last voucher that bought a call. */
  readonly taken: bigint
  /** Charged so far, as the newest receipt says. */
  readonly spent: bigint
  /**
   * Until the gateway says that it is open. An address is opened once: the same opening, signed anew, binds no more.
   */
  readonly opening?: Opening | undefined
  /** What top-ups bring that were signed for and not confirmed; beyond the deposit. */
  readonly adding?: bigint
  /** It takes no calls any more, and whether its money is back is not known. */
  readonly isOver?: boolean
}

export type Opening = { readonly salt: bigint; readonly openSlot: bigint }

/** The keys of a buyer: one that pays, and one that signs vouchers; they may be the same. */
export type BuyerKeys = { readonly payer: SolanaSigner; readonly vouchers: SolanaSigner }

/** The header that opens a channel, and the channel it opens. */
export async function prepareOpening(
  keys: BuyerKeys,
  { request, echo }: ReadChallenge,
  terms: {
    readonly url: string
    readonly seller: string
    readonly deposit: bigint
    readonly opening: Pick<Opening, 'salt'> & Partial<Opening>
  },
): Promise<{ readonly header: string; readonly channel: BoughtChannel }> {
  const { payer } = keys
  const { recentSlot, recentBlockhash, recipient: payee, currency: mint, gracePeriodSec, splits, operator } = request
  if (recentSlot === undefined || recentBlockhash === undefined)
    throw new PaymentRefused('terms_refused', 'the challenge names no slot and no blockhash to open a channel with')
  const authorizedSigner = signerOf(keys, request)
  const { salt, openSlot = recentSlot } = terms.opening
  const open = {
    payer: payer.address,
    rentPayer: operator,
    payee,
    mint,
    authorizedSigner,
    salt,
    deposit: terms.deposit,
    gracePeriodSec,
    openSlot,
    splits,
  }
  const channelId = channelAddress(open, request.channelProgram).address
  const challengeId = echo['id'] ?? ''
  const wire = await signedWire(payer, { feePayer: operator, recentBlockhash }, openInstruction(open, request))
  const byOperator = request.voucherSigner === 'operator'
  const action: SessionAction = {
    action: 'open',
    channelId,
    ...open,
    ...(byOperator ? { proof: await prove(payer, channelId, challengeId) } : {}),
    wire,
  }
  return {
    header: credentialHeader(echo, action),
    channel: {
      channelId,
      seller: terms.seller,
      url: terms.url,
      voucherSigner: request.voucherSigner,
      challengeId,
      deposit: terms.deposit,
      signed: 0n,
      taken: 0n,
      spent: 0n,
      opening: { salt, openSlot },
    },
  }
}

/** The header that adds to a channel's deposit. */
export async function prepareTopUp(
  { payer }: BuyerKeys,
  { request, echo }: ReadChallenge,
  { channelId }: BoughtChannel,
  amount: bigint,
): Promise<string> {
  const { recentBlockhash = '', operator: feePayer, currency: mint } = request
  const instruction = topUpInstruction({ channelId, payer: payer.address, mint }, amount, request)
  const wire = await signedWire(payer, { feePayer, recentBlockhash }, instruction)
  return credentialHeader(echo, { action: 'topUp', channelId, amount, wire })
}

/** The header that pays for one call: a voucher for `cumulative`, or the proof that lets the operator sign it. */
export async function preparePayment(
  { payer, vouchers }: BuyerKeys,
  { echo }: ReadChallenge,
  { channelId, voucherSigner, challengeId }: BoughtChannel,
  cumulative: bigint,
): Promise<string> {
  if (voucherSigner === 'operator')
    return credentialHeader(echo, { action: 'use', channelId, proof: await prove(payer, channelId, challengeId) })
  const voucher = { channelId, cumulative, expiresAt: 0n }
  const signature = toBase58(await vouchers.sign(encodeVoucher(voucher)))
  return credentialHeader(echo, { action: 'voucher', signed: { voucher, signature }, signer: vouchers.address })
}

/** The header that ends a channel. */
export async function prepareClose(
  { payer }: BuyerKeys,
  { echo }: ReadChallenge,
  channel: BoughtChannel,
): Promise<string> {
  const { channelId, challengeId } = channel
  return credentialHeader(echo, { action: 'close', channelId, proof: await prove(payer, channelId, challengeId) })
}

function signerOf({ vouchers }: BuyerKeys, { voucherSigner, authorizedSigner }: SessionRequest): string {
  if (voucherSigner === 'client') return vouchers.address
  if (authorizedSigner === undefined)
    throw new PaymentRefused('terms_refused', 'the challenge does not say which key signs vouchers')
  return authorizedSigner
}

async function prove(payer: SolanaSigner, channelId: string, challengeId: string) {
  const text = proofText(channelId, { challengeId, payer: payer.address })
  return { challengeId, payer: payer.address, signature: toBase58(await payer.sign(utf8(text))) }
}

/** A transaction of one instruction that the operator pays for, signed by the buyer. */
async function signedWire(
  payer: SolanaSigner,
  { feePayer, recentBlockhash }: { readonly feePayer: string; readonly recentBlockhash: string },
  instruction: Instruction,
): Promise<Uint8Array> {
  const unsigned = unsignedTransaction(feePayer, recentBlockhash, [instruction])
  return encodeTransaction(addSignature(unsigned, payer.address, await payer.sign(unsigned.messageBytes)))
}
