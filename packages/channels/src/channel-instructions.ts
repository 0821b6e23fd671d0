import { concatBytes } from '@ergon/protocols'
import {
  associatedTokenAccount,
  associatedTokenProgram,
  channelAddress,
  eventAuthority,
  instructionsSysvar,
  rentSysvar,
  systemProgram,
  tokenProgram,
  type ChannelSeeds,
} from './addresses.ts'
import { readonly, signer, writable, writableSigner, type AccountMeta, type Instruction } from './instruction.ts'
import { u32, u64 } from './little-endian.ts'
import { encodeSplits, type Split } from './splits.ts'

/** Numbers of the program's instructions: the first byte of the data. */
export const channelInstruction = {
  open: 1,
  settle: 2,
  topUp: 3,
  settleAndSeal: 4,
  requestClose: 5,
  seal: 6,
  distribute: 7,
  withdrawPayer: 8,
  reclaim: 9,
} as const

/** Which program a channel lives under, and which one moves its token. */
export type Programs = {
  readonly channelProgram: string
  /** SPL Token where none is given. */
  readonly tokenProgram?: string
}

/** What is agreed when a channel is opened. */
export type OpenTerms = ChannelSeeds & {
  readonly rentPayer: string
  /** Atomic units, above 0. */
  readonly deposit: bigint
  readonly gracePeriodSec: number
  readonly splits: readonly Split[]
}

/** What every later instruction needs to know of a channel. */
export type ChannelPlace = {
  readonly channelId: string
  readonly payer: string
  readonly mint: string
}

/** What is needed to share a channel's money out. */
export type DistributeTerms = ChannelPlace & {
  readonly payee: string
  readonly rentPayer: string
  readonly splits: readonly Split[]
  /** Owner of the token account that gets the dust. */
  readonly treasuryOwner: string
}

/** Opens a channel: signed by its payer and by who pays its rent. */
export function openInstruction(terms: OpenTerms, programs: Programs): Instruction {
  const { payer, rentPayer, payee, mint, authorizedSigner, salt, deposit, gracePeriodSec, openSlot } = terms
  const channelId = channelAddress(terms, programs.channelProgram).address
  const tokens = programs.tokenProgram ?? tokenProgram
  return build(programs, channelInstruction.open, {
    accounts: [
      writableSigner(payer),
      writableSigner(rentPayer),
      ...[payee, mint, authorizedSigner].map(readonly),
      ...[channelId, associatedTokenAccount(payer, mint, tokens)].map(writable),
      writable(associatedTokenAccount(channelId, mint, tokens)),
      ...[tokens, systemProgram, rentSysvar, associatedTokenProgram].map(readonly),
      ...selfCall(programs),
    ],
    data: [u64(salt), u64(deposit), u32(gracePeriodSec), u64(openSlot), encodeSplits(terms.splits)],
  })
}

/** Raises what is settled to the voucher that the precompile just before has proved. Anybody may send it. */
export function settleInstruction(channelId: string, programs: Programs): Instruction {
  return build(programs, channelInstruction.settle, { accounts: [writable(channelId), readonly(instructionsSysvar)] })
}

/** Adds to the deposit of an open channel: signed by its payer. */
export function topUpInstruction(place: ChannelPlace, amount: bigint, programs: Programs): Instruction {
  return build(programs, channelInstruction.topUp, {
    accounts: [
      writableSigner(place.payer),
      writable(place.channelId),
      ...payerAndEscrow(place, programs).map(writable),
      readonly(place.mint),
      readonly(programs.tokenProgram ?? tokenProgram),
    ],
    data: [u64(amount)],
  })
}

/** Seals a channel for good, with the voucher proved just before or with none: signed by its payee. */
export function settleAndSealInstruction(
  { channelId, payee }: { readonly channelId: string; readonly payee: string },
  hasVoucher: boolean,
  programs: Programs,
): Instruction {
  return build(programs, channelInstruction.settleAndSeal, {
    accounts: [signer(payee), writable(channelId), readonly(instructionsSysvar)],
    data: [Uint8Array.of(hasVoucher ? 1 : 0)],
  })
}

/** Its payer asks to leave; the grace period begins. */
export function requestCloseInstruction(
  { channelId, payer }: { readonly channelId: string; readonly payer: string },
  programs: Programs,
): Instruction {
  return build(programs, channelInstruction.requestClose, { accounts: [signer(payer), writable(channelId)] })
}

/** Seals a channel whose grace period is over. Anybody may send it. */
export function sealInstruction(channelId: string, programs: Programs): Instruction {
  return build(programs, channelInstruction.seal, { accounts: [writable(channelId)] })
}

/** Pays what is settled and not yet paid; of a sealed channel also the rest, to its payer. Anybody may send it. */
export function distributeInstruction(terms: DistributeTerms, programs: Programs): Instruction {
  const { channelId, payer, payee, mint, rentPayer, splits, treasuryOwner } = terms
  const tokens = programs.tokenProgram ?? tokenProgram
  const accountOf = (owner: string): string => associatedTokenAccount(owner, mint, tokens)
  return build(programs, channelInstruction.distribute, {
    accounts: [
      ...[channelId, payer, rentPayer].map(writable),
      ...[channelId, payer, payee, treasuryOwner].map((owner) => writable(accountOf(owner))),
      ...[mint, tokens].map(readonly),
      ...selfCall(programs),
      ...splits.map(({ recipient }) => writable(accountOf(recipient))),
    ],
    data: [encodeSplits(splits)],
  })
}

/** Takes the payer's rest out of a sealed channel, once: signed by its payer. */
export function withdrawPayerInstruction(place: ChannelPlace, programs: Programs): Instruction {
  const [payerAccount, escrow] = payerAndEscrow(place, programs)
  return build(programs, channelInstruction.withdrawPayer, {
    accounts: [
      signer(place.payer),
      ...[place.channelId, escrow, payerAccount].map(writable),
      ...[place.mint, programs.tokenProgram ?? tokenProgram].map(readonly),
    ],
  })
}

/** Gives the rent of a distributed channel back, 1,500 slots after its open slot. Anybody may send it. */
export function reclaimInstruction(
  { channelId, rentPayer }: { readonly channelId: string; readonly rentPayer: string },
  programs: Programs,
): Instruction {
  return build(programs, channelInstruction.reclaim, { accounts: [channelId, rentPayer].map(writable) })
}

function payerAndEscrow({ channelId, payer, mint }: ChannelPlace, programs: Programs): readonly [string, string] {
  const tokens = programs.tokenProgram ?? tokenProgram
  return [associatedTokenAccount(payer, mint, tokens), associatedTokenAccount(channelId, mint, tokens)]
}

/** The program calls itself to say what happened. */
function selfCall({ channelProgram }: Programs): readonly AccountMeta[] {
  return [eventAuthority(channelProgram), channelProgram].map(readonly)
}

function build(
  { channelProgram }: Programs,
  number: number,
  { accounts, data = [] }: { readonly accounts: readonly AccountMeta[]; readonly data?: readonly Uint8Array[] },
): Instruction {
  return { program: channelProgram, accounts, data: concatBytes(Uint8Array.of(number), ...data) }
}
