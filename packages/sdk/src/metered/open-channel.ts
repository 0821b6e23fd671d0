import {
  addSignature,
  decodeTransaction,
  encodeTransaction,
  mainnetChannelProgram,
  memoProgram,
  readOpen,
  type VerifiedOpen,
} from '@ergon/channels'
import { ProtocolError, utf8 } from '@ergon/protocols'
import type { Trust } from '../agreement.ts'
import { ChallengeMismatch, requireSame } from '../challenge-mismatch.ts'
import type { Output } from '../client.ts'
import type { SolanaSigner } from '../paying/solana-signer.ts'
import { serviceName } from '../service-name.ts'

export type OpenChannelInput = {
  readonly task_id: string
  /** Whose tokens are put in; signs one transaction and pays no SOL. */
  readonly payer: SolanaSigner
  /** The address of the worker, as both agreed on it. */
  readonly worker: string
  /** The most that may be put in, decimal: what the payer can lose. The cap of the task is asked for when left out. */
  readonly deposit_usd?: string
  /** The key that will sign each voucher, of a session or the payer's; left out, the service signs what it accepts. */
  readonly authorized_signer?: string
  /** The token; the USDC of the client's network table unless told otherwise. */
  readonly mint?: string
  /** The program that holds the money; the public one unless told otherwise. */
  readonly program_id?: string
  /** The host by which the service calls itself; asked of it when left out. */
  readonly service?: string
}

type Offer = Output<'channels.offer'>

/** A channel has no share for anybody but its worker; the rest is the service's. */
const workerBps = 8_700
/** Fifteen minutes: what a channel of the service has, and the least that its payer should have. */
const graceSec = 900

/**
 * Opens a channel for a metered task: asks for the transaction, holds every byte of it against what was agreed, signs
 * it, and resolves once the channel funds the task.
 *
 * @throws ChallengeMismatch when the transaction does anything else; nothing is signed then.
 */
export async function openChannel(trust: Trust, input: OpenChannelInput): Promise<Output<'channels.open'>> {
  const { client } = trust
  const { task_id, payer, deposit_usd, authorized_signer } = input
  const ours = authorized_signer === undefined ? {} : { authorized_signer }
  const offer = await client.channels.offer({
    task_id,
    payer: payer.address,
    ...(deposit_usd === undefined ? {} : { deposit_usd }),
    ...ours,
  })
  readOffer(offer, await expectedOf(trust, input))
  const signed = await signAsPayer(wireBytes(offer.transaction), payer)
  return client.channels.open({ task_id, payer: payer.address, transaction: wireText(signed), ...ours })
}

/** Puts the signature of a payer into a transaction. @throws ProtocolError when it asks for none of that key */
export async function signAsPayer(wire: Uint8Array, payer: SolanaSigner): Promise<Uint8Array> {
  const transaction = decodeTransaction(wire)
  const signature = await payer.sign(transaction.messageBytes)
  return encodeTransaction(addSignature(transaction, payer.address, signature))
}

/** What the payer agreed to. */
export type ExpectedOffer = Pick<OpenChannelInput, 'task_id' | 'worker' | 'authorized_signer'> & {
  readonly payer: string
  readonly mint: string
  readonly program_id: string
  /** Atomic units. */
  readonly deposits: { readonly least: bigint; readonly most: bigint }
  /** The host of the service. */
  readonly service: string
}

/** The transaction of an offer, if it does what was agreed and nothing else. @throws ChallengeMismatch */
export function readOffer(offer: Offer, expected: ExpectedOffer): VerifiedOpen {
  const { payer, mint, program_id, worker, deposits, service, task_id } = expected
  const { authorized_signer = offer.authorized_signer } = expected
  requireSame('task', task_id, offer.task_id)
  // Letters of these addresses differ by their case.
  if (offer.worker !== worker) throw new ChallengeMismatch('worker', worker, offer.worker)
  try {
    const open = readOpen(wireBytes(offer.transaction), {
      ...{ channelProgram: program_id, payer, payee: offer.payee, mint, operator: offer.payee },
      ...{ authorizedSigner: authorized_signer, gracePeriodSec: graceSec, mostPriorityLamports: 0n },
      ...{ splits: [{ recipient: worker, bps: workerBps }] },
      ...{ leastDeposit: deposits.least, mostDeposit: deposits.most },
    })
    const memo = open.transaction.message.instructions.at(-1)
    const isOurs = memo?.program === memoProgram && sameBytes(memo.data, utf8(memoOf(task_id, service)))
    if (!isOurs) throw new ChallengeMismatch('memo', memoOf(task_id, service), 'another memo')
    return open
  } catch (cause) {
    if (cause instanceof ProtocolError)
      throw new ChallengeMismatch('transaction', 'the opening that was agreed', cause.code)
    throw cause
  }
}

const memoOf = (taskId: string, service: string): string => `Channel of task ${taskId} at ${service}`

async function expectedOf({ client, networks }: Trust, input: OpenChannelInput): Promise<ExpectedOffer> {
  const { task_id, worker, payer, program_id = mainnetChannelProgram } = input
  const mint = input.mint ?? networks.find(({ name }) => name === 'solana')?.tokens['USDC']?.address
  if (mint === undefined) throw new TypeError('the network table of this client has no USDC on Solana: name the mint')
  const { cap_usd } = await client.meters.get({ task_id })
  const most = input.deposit_usd === undefined ? BigInt(Math.round(cap_usd * 1e6)) : atomicOf(input.deposit_usd)
  const service = input.service ?? (await serviceName(client))
  const ours = input.authorized_signer === undefined ? {} : { authorized_signer: input.authorized_signer }
  return { task_id, worker, payer: payer.address, mint, program_id, service, deposits: { least: most, most }, ...ours }
}

function atomicOf(text: string): bigint {
  const [, whole = '', part = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === '') throw new TypeError('deposit_usd is decimal text with at most six decimals')
  return BigInt(`${whole}${part.padEnd(6, '0')}`)
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The bytes of a transaction as the service writes it. */
export function wireBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** A transaction as the service reads it. */
export function wireText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
