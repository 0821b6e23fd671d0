import { concatBytes, fromBase58, isOnEd25519Curve, ProtocolError, sha256, toBase58, utf8 } from '@ergon/protocols'
import { u64 } from './little-endian.ts'

/** The channel program that Solana's main network carries. */
export const mainnetChannelProgram = 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX'
/** Who owns the token account for rounding dust and for payouts that could not be made, by the build of the program. */
export const treasuryOwners = {
  mainnet: 'Cs2zdfUNonRdRGsiZUQQLdTxzxVvJZmgiX2mpLYKuEqP',
  devnet: '4zTeC5mVqWLruDexgU2mV66p9t5vCA9JyiZqdGDUspap',
  /** The bytes be ef, sixteen times. */
  localnet: toBase58(Uint8Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? 0xbe : 0xef))),
} as const

export const systemProgram = '11111111111111111111111111111111'
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** The newer token program: its mints may take fees or call others, so none of them is paid in. */
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111'
export const ed25519Program = 'Ed25519SigVerify111111111111111111111111111'
export const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const rentSysvar = 'SysvarRent111111111111111111111111111111111'
export const instructionsSysvar = 'Sysvar1nstructions1111111111111111111111111'

/** An address of a program, and the seed that took it off the curve. */
export type DerivedAddress = { readonly address: string; readonly bump: number }

/** What a channel's address is made of; no two channels share all of it. Base58, and unsigned 64-bit numbers. */
export type ChannelSeeds = {
  readonly payer: string
  readonly payee: string
  readonly mint: string
  readonly authorizedSigner: string
  readonly salt: bigint
  /** The slot its payer chose: at most 1,500 slots before the one it was opened in. */
  readonly openSlot: bigint
}

/** Addresses come again and again: every voucher of a channel begins with the same one. */
const mostKnown = 1_000
const known = new Map<string, Uint8Array>()

/** The 32 bytes of a base58 address, not to be written to. @throws ProtocolError `malformed` */
export function addressBytes(address: string): Uint8Array {
  const kept = known.get(address)
  if (kept !== undefined) return kept
  const bytes = fromBase58(address)
  if (bytes.length !== 32) throw new ProtocolError('malformed', 'a Solana address is 32 bytes in base58')
  if (known.size >= mostKnown) known.clear()
  known.set(address, bytes)
  return bytes
}

/** Whether a text is 32 bytes in base58: what a key, a program or a derived address looks like. */
export function isSolanaAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false
  return fromBase58(text).length === 32
}

/** The address a program derives from seeds: the first bump from 255 down that names no key. @throws ProtocolError */
export function derivedAddress(seeds: readonly Uint8Array[], program: string): DerivedAddress {
  if (seeds.length > 15 || seeds.some(({ length }) => length > 32))
    throw new ProtocolError('malformed', 'an address is derived from at most 15 seeds of at most 32 bytes')
  const owner = addressBytes(program)
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), owner, utf8('ProgramDerivedAddress')))
    if (!isOnEd25519Curve(hash)) return { address: toBase58(hash), bump }
  }
  throw new ProtocolError('malformed', 'these seeds derive no address')
}

/** The address of a channel, which is also its id. */
export function channelAddress(seeds: ChannelSeeds, program: string): DerivedAddress {
  const { payer, payee, mint, authorizedSigner, salt, openSlot } = seeds
  const keys = [payer, payee, mint, authorizedSigner].map(addressBytes)
  return derivedAddress([utf8('channel'), ...keys, u64(salt), u64(openSlot)], program)
}

/** The associated token account of an owner for a mint of a token program. */
export function associatedTokenAccount(owner: string, mint: string, program = tokenProgram): string {
  return derivedAddress([owner, program, mint].map(addressBytes), associatedTokenProgram).address
}

/** The address a channel program signs its events with. */
export function eventAuthority(program: string): string {
  return derivedAddress([utf8('event_authority')], program).address
}
