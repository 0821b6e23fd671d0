import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getBase58Decoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Blockhash,
} from '@solana/kit'

/**
 * A buyer that knows the published scheme and an ordinary Solana client, and nothing of ours: challenges, credentials,
 * vouchers and the opening are made here from the draft's own tables.
 */
export type ForeignBuyer = {
  readonly key: KeyObject
  readonly address: string
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined }
type Details = Readonly<Record<string, unknown>> & {
  readonly channelProgram: string
  readonly feePayerKey: string
  readonly voucherSigner: string
  readonly operator?: string
  readonly gracePeriodSeconds: number
  readonly distributionSplits: readonly { readonly recipient: string; readonly shareBps: number }[]
  readonly recentBlockhash: string
  readonly recentSlot: string
}
export type ForeignRequest = {
  readonly amount: string
  readonly recipient: string
  readonly currency: string
  readonly minimumDeposit: string
  readonly methodDetails: Details
}
export type ForeignChallenge = { readonly echo: Readonly<Record<string, string>>; readonly request: ForeignRequest }

/** RFC 8785 for what these headers hold. */
function jcs(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => jcs(one)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const named = Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const]))
  const sorted = named.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${jcs(one)}`).join(',')}}`
}

export function buyerOf(seed: Uint8Array): ForeignBuyer {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const jwk = key.export({ format: 'jwk' })
  return { key, address: getBase58Decoder().decode(Buffer.from(jwk.x ?? '', 'base64url')) }
}

/** The challenges of a 402, by who signs vouchers. */
export function challengesOf(response: Response): ReadonlyMap<string, ForeignChallenge> {
  const header = response.headers.get('www-authenticate') ?? ''
  const found = [...header.matchAll(/Payment ((?:[a-z]+="(?:[^"\\]|\\.)*"(?:, (?!Payment))?)+)/g)].map(
    ([, fields = '']) => {
      const echo = Object.fromEntries(
        [...fields.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', text = '']) => [name, text]),
      )
      const request = JSON.parse(Buffer.from(echo['request'] ?? '', 'base64url').toString()) as ForeignRequest
      return [request.methodDetails.voucherSigner, { echo, request }] as const
    },
  )
  return new Map(found)
}

export function credential(echo: ForeignChallenge['echo'], payload: Json): string {
  return `Payment ${Buffer.from(jcs({ challenge: echo, payload })).toString('base64url')}`
}

const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ataProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const systemProgram = address('11111111111111111111111111111111')
const rentSysvar = address('SysvarRent111111111111111111111111111111111')
const bytesOf = (of: string) => getAddressEncoder().encode(address(of))
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export type Opening = { readonly channelId: string; readonly payload: Readonly<Record<string, Json>> }

/** The payload of an opening; `changed` is what a hostile buyer says or does otherwise. */
export async function opening(
  buyer: ForeignBuyer,
  { request }: ForeignChallenge,
  terms: { readonly deposit: bigint; readonly salt: bigint; readonly challengeId: string; readonly payee?: string },
): Promise<Opening> {
  const details = request.methodDetails
  const signer = details.operator ?? buyer.address
  const payee = terms.payee ?? request.recipient
  const [openSlot, mint] = [BigInt(details.recentSlot), address(request.currency)]
  const program = address(details.channelProgram)
  const seeds = [buyer.address, payee, mint, signer].map(bytesOf)
  const [channelId] = await getProgramDerivedAddress({
    programAddress: program,
    seeds: [Buffer.from('channel'), ...seeds, u64(terms.salt), u64(openSlot)],
  })
  const [events] = await getProgramDerivedAddress({ programAddress: program, seeds: [Buffer.from('event_authority')] })
  const splits = details.distributionSplits.map(({ recipient, shareBps }) => {
    const bps = Buffer.alloc(2)
    bps.writeUInt16LE(shareBps)
    return Buffer.concat([bytesOf(recipient) as Uint8Array, bps])
  })
  const data = Buffer.concat([
    Buffer.from([1]),
    u64(terms.salt),
    u64(terms.deposit),
    u32(details.gracePeriodSeconds),
    u64(openSlot),
    u32(splits.length),
    ...splits,
  ])
  const at = (of: string, role: AccountRole) => ({ address: address(of), role })
  const accounts = [
    at(buyer.address, AccountRole.WRITABLE_SIGNER),
    at(details.feePayerKey, AccountRole.WRITABLE_SIGNER),
    ...[payee, mint, signer].map((of) => at(of, AccountRole.READONLY)),
    at(channelId, AccountRole.WRITABLE),
    at(await tokensOf(buyer.address, mint), AccountRole.WRITABLE),
    at(await tokensOf(channelId, mint), AccountRole.WRITABLE),
    ...[tokenProgram, systemProgram, rentSysvar, ataProgram, events, program].map((of) => at(of, AccountRole.READONLY)),
  ]
  const transaction = partlySigned(buyer, details, { programAddress: program, accounts, data })
  return {
    channelId,
    payload: {
      action: 'open',
      channelId,
      payer: buyer.address,
      payee,
      mint,
      authorizedSigner: signer,
      salt: terms.salt.toString(),
      depositAmount: terms.deposit.toString(),
      gracePeriodSeconds: details.gracePeriodSeconds,
      openSlot: openSlot.toString(),
      distributionSplits: details.distributionSplits,
      ...(details.voucherSigner === 'operator' ? { authentication: proof(buyer, channelId, terms.challengeId) } : {}),
      transaction,
    },
  }
}

/** The payload of a top-up. */
export async function topUp(buyer: ForeignBuyer, { request }: ForeignChallenge, channelId: string, amount: bigint) {
  const details = request.methodDetails
  const mint = request.currency
  const at = (of: string, role: AccountRole) => ({ address: address(of), role })
  const accounts = [
    at(buyer.address, AccountRole.WRITABLE_SIGNER),
    at(channelId, AccountRole.WRITABLE),
    at(await tokensOf(buyer.address, mint), AccountRole.WRITABLE),
    at(await tokensOf(channelId, mint), AccountRole.WRITABLE),
    at(mint, AccountRole.READONLY),
    at(tokenProgram, AccountRole.READONLY),
  ]
  const data = Buffer.concat([Buffer.from([3]), u64(amount)])
  const programAddress = address(details.channelProgram)
  const transaction = partlySigned(buyer, details, { programAddress, accounts, data })
  return { action: 'topUp', channelId, additionalAmount: amount.toString(), transaction }
}

/** The payload of a voucher, over its 50 bytes. */
export function voucher(buyer: ForeignBuyer, channelId: string, cumulative: bigint, expiresAt = 0) {
  const bytes = Buffer.concat([
    Buffer.from([0x56, 0x01]),
    getBase58Encoder().encode(channelId) as Uint8Array,
    u64(cumulative),
    u64(BigInt(expiresAt)),
  ])
  return {
    action: 'voucher',
    voucher: {
      voucher: { channelId, cumulativeAmount: cumulative.toString(), ...(expiresAt === 0 ? {} : { expiresAt }) },
      signer: buyer.address,
      signature: getBase58Decoder().decode(sign(null, bytes, buyer.key)),
      signatureType: 'ed25519',
    },
  }
}

/** A payer's word that the operator may sign vouchers of the channel. */
export function proof(buyer: ForeignBuyer, channelId: string, challengeId: string) {
  const text = jcs({ channelId, domain: 'mpp-session-auth-v1', payer: buyer.address, sessionChallengeId: challengeId })
  const signature = getBase58Decoder().decode(sign(null, Buffer.from(text), buyer.key))
  return { type: 'proof', challengeId, payer: buyer.address, signature }
}

async function tokensOf(owner: string, mint: string): Promise<Address> {
  const seeds = [owner, tokenProgram, mint].map(bytesOf)
  return (await getProgramDerivedAddress({ programAddress: ataProgram, seeds }))[0]
}

function partlySigned(
  buyer: ForeignBuyer,
  { feePayerKey, recentBlockhash }: Details,
  instruction: Parameters<typeof appendTransactionMessageInstruction>[0],
): string {
  const lifetime = { blockhash: recentBlockhash as Blockhash, lastValidBlockHeight: 0n }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (made) => setTransactionMessageFeePayer(address(feePayerKey), made),
    (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
    (made) => appendTransactionMessageInstruction(instruction, made),
  )
  const compiled = compileTransaction(message)
  const signature = sign(null, compiled.messageBytes as unknown as Uint8Array, buyer.key)
  const signatures = { ...compiled.signatures, [buyer.address]: new Uint8Array(signature) }
  return getBase64EncodedWireTransaction({ ...compiled, signatures })
}

export type ForeignReceipt = Readonly<Record<string, string>>

export function receiptOf(response: Response): ForeignReceipt | undefined {
  const header = response.headers.get('payment-receipt')
  return header === null ? undefined : (JSON.parse(Buffer.from(header, 'base64url').toString()) as ForeignReceipt)
}
