import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { oneOf, wholeBetween, type Random } from '../random.ts'

/** How a job goes. Each ends with its money where its kind says, whatever happened on the way. */
export const jobKinds = [
  'paid',
  'cancelled',
  'locked-and-cancelled',
  'withdrawn',
  'split',
  'awarded',
  'refunded',
  'expired',
] as const
export type JobKind = (typeof jobKinds)[number]

type Wallet = ReturnType<typeof privateKeySigner>

/** One job with two wallets that nobody else has, so that every cent of them belongs to it. */
export type Job = {
  readonly number: number
  readonly kind: JobKind
  /** How it goes when there is no escrow, which the service decides when the task is published. */
  readonly kindWithoutEscrow: Extract<JobKind, 'paid' | 'cancelled'>
  readonly payer: Wallet
  readonly payee: Wallet
  readonly grossAtomic: bigint
  readonly mintedAtomic: bigint
  /** Of a split: what goes back to the payer, in percent. */
  readonly backPercent: number
  /** What the payer pays out of the escrow past the service, before anything else. */
  readonly dustAtomic: bigint
  /** Whether the library repeats what was not answered; without it each attempt is signed anew. */
  readonly isPatient: boolean
}

/** What a client was told that holds for good; each is held against the tables and the chain at the end. */
export type Acknowledged = {
  readonly job: number
  readonly what: 'published' | 'applied' | 'assigned' | 'submitted' | 'approved' | 'ended'
  readonly id: string
  readonly tx: string | null
}

/** How a job went: its task once it has one, and whether it reached its end. */
export type Played = {
  readonly job: Job
  kind: JobKind
  taskId: string | undefined
  isDone: boolean
  failure: string | undefined
  readonly told: Acknowledged[]
  readonly codes: Map<string, number>
}

const centAtomic = 10_000n

/** A payer has four times the bounty: a second payment must not fail for want of money. */
export function drawJob(random: Random, number: number): Job {
  const grossAtomic = BigInt(wholeBetween(random, 107, 990)) * centAtomic
  return {
    number,
    grossAtomic,
    mintedAtomic: 4n * grossAtomic,
    backPercent: wholeBetween(random, 1, 99),
    dustAtomic: 0n,
    isPatient: random() < 0.5,
    kind: oneOf(random, ['paid', 'paid', 'paid', 'paid', ...jobKinds]),
    kindWithoutEscrow: oneOf(random, ['paid', 'paid', 'paid', 'cancelled']),
    // Wallets need no seed: nothing depends on what they are called.
    payer: privateKeySigner(generatePrivateKey()),
    payee: privateKeySigner(generatePrivateKey()),
  }
}

/** What both sides hold in the end, and what the fee is. */
export type Expected = { readonly payerOut: bigint; readonly payeeIn: bigint; readonly fee: bigint }

export function expectedOf({
  kind,
  job: { grossAtomic, backPercent, dustAtomic },
}: Pick<Played, 'kind' | 'job'>): Expected {
  const back =
    kind === 'split'
      ? (grossAtomic * BigInt(backPercent)) / 100n
      : kind === 'paid' || kind === 'awarded'
        ? 0n
        : grossAtomic
  const paid = grossAtomic - back > dustAtomic ? grossAtomic - back : dustAtomic
  // Each payment out of the escrow rounds its own fee down.
  const fee = feeOf(dustAtomic) + feeOf(paid - dustAtomic)
  return { payerOut: paid, payeeIn: paid - fee, fee }
}

const feeOf = (atomic: bigint): bigint => (atomic * 1_300n) / 10_000n
