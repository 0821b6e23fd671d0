import { addSignature, encodeTransaction, transactionId, type Transaction } from '@ergon/channels'
import { ed25519KeyOf, signEd25519, toBase58 } from '@ergon/protocols'
import { LedgerUnavailable, type RpcLedger } from '@ergon/solana-ledger'
import type { Terms } from '../chain/draft.ts'
import { finalRefusal } from '../chain/recognise.ts'
import { notSent, Refusal } from '../errors.ts'
import type { BlockCheck } from '../http/context.ts'
import type { SolanaBound, SolanaIntent, SolanaIntents } from '../store/solana-intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { orderExpired } from '../settle/deadline.ts'
import { costOf, priorityOf } from './costs.ts'
import { checkAccounts, outOfSol, refusalOfTrial } from './ledger-faults.ts'
import { readSolanaPayment, refusal, type SolanaPayment, type SolanaTerms } from './payment.ts'
import type { SolBudget } from './sol-budget.ts'
import { endOf, mostUnderWay, type SolanaEnd, type SolanaTracker } from './tracker.ts'

export type SettlerDeps = {
  readonly terms: SolanaTerms
  /** Lamports; what a payment may offer for priority. */
  readonly mostPriority: bigint
  readonly seed: Uint8Array
  readonly ledger: RpcLedger
  readonly store: SolanaIntents
  readonly tracker: SolanaTracker
  readonly budget: SolBudget | undefined
  readonly epoch: number
  /** A successor holds the account. */
  readonly onFenced: (error: Error) => void
  readonly check: BlockCheck
  readonly surroundings: Surroundings
}

/** Verifies and settles payments of one Solana cluster. */
export type SolanaSettler = {
  /** Who pays, if it would settle now. @throws Refusal, Unavailable */
  verify(value: unknown): Promise<SolanaPayment>
  /**
   * How the payment ends, whoever asked for it first. @throws Refusal; Unavailable, which says whether anything may
   * have been sent
   */
  settle(value: unknown, terms: Terms): Promise<Begun>
}

/** A payment on its way, and the promise of its end. */
export type Begun = { readonly payer: string; readonly signature: string; readonly end: Promise<SolanaEnd> }

/** A payment with all its signatures. Only what is stored before is ever sent. */
type Signed = { readonly payment: SolanaPayment; readonly wire: Uint8Array; readonly signature: string }

export function createSolanaSettler(deps: SettlerDeps): SolanaSettler {
  return {
    async verify(value) {
      const signed = sign(read(value, deps), deps)
      await reading(() => tryOut(signed, deps))
      return signed.payment
    },
    settle: (value, terms) => settle(value, terms, deps),
  }
}

async function settle(value: unknown, terms: Terms, deps: SettlerDeps): Promise<Begun> {
  const { idempotencyKey: key, requestHash } = terms
  const bound = key === undefined ? undefined : await deps.store.bound(key)
  if (bound !== undefined) return begunOf(bound, requestHash, deps)
  const signed = sign(read(value, deps), deps)
  const twin = await deps.store.find(deps.terms.name, signed.signature)
  if (twin !== undefined) return joined(twin, requestHash, deps)
  if (deps.tracker.size >= mostUnderWay) throw notSent('too many payments on Solana are under way')
  const cost = await reading(() => tryOut(signed, deps))
  const lastValidHeight = await reading(async () => (await deps.ledger.blockhash()).lastValidBlockHeight)
  await deps.budget?.take({ payer: signed.payment.payer, ...cost }, terms)
  const intent = intentOf(signed, { terms, lastValidHeight }, deps)
  const written = await deps.store.insert(intent, { epoch: deps.epoch, settleBefore: terms.settleBefore })
  if (written === 'written') return follow(intent, deps)
  if (written === 'late') throw orderExpired()
  if (written === 'fenced') {
    deps.onFenced(new Error('another facilitator has taken over the account'))
    throw notSent('another facilitator has taken over the account')
  }
  return afterConflict(signed, terms, deps)
}

/** Another request was first: under this key, or with this payment. */
async function afterConflict(signed: Signed, { idempotencyKey: key, requestHash }: Terms, deps: SettlerDeps) {
  const bound = key === undefined ? undefined : await deps.store.bound(key)
  if (bound !== undefined) return begunOf(bound, requestHash, deps)
  const twin = await deps.store.find(deps.terms.name, signed.signature)
  if (twin === undefined) throw notSent('a key was taken and let go again')
  return joined(twin, requestHash, deps)
}

/**
 * The same request again joins the payment while it is under way. Anybody else shows a payment that is counted already:
 * two sellers, or one seller twice, would deliver for it.
 */
function joined(twin: SolanaIntent, requestHash: string, deps: SettlerDeps): Begun {
  const { signature } = twin
  if (endOf(twin) === undefined && twin.requestHash === requestHash) return follow(twin, deps)
  const spent = refusal('duplicate_settlement')
  throw new Refusal(spent.code, spent.message, { details: { ...spent.details, transaction: signature } })
}

function begunOf(bound: SolanaBound, requestHash: string, deps: SettlerDeps): Begun {
  if (bound.requestHash !== requestHash)
    throw new Refusal('idempotency_key_conflict', 'this Idempotency-Key was used with another body', {
      status: 409,
      details: { transaction: bound.intent?.signature },
    })
  if (bound.intent === null) throw finalRefusal(bound.refusal)
  return follow(bound.intent, deps)
}

function follow(intent: SolanaIntent, { tracker }: SettlerDeps): Begun {
  return { payer: intent.payer, signature: intent.signature, end: tracker.follow(intent) }
}

/** What the bytes say, within what this service pays for. */
function read(value: unknown, { terms, mostPriority, check }: SettlerDeps): SolanaPayment {
  const payment = readSolanaPayment(value, terms)
  check(payment.payer, ...payment.payees.map(({ owner }) => owner))
  if (priorityOf(payment.budget) > mostPriority)
    throw refusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
      `at most ${String(mostPriority)} lamports are paid for priority`,
    )
  return payment
}

function sign(payment: SolanaPayment, { terms, seed }: SettlerDeps): Signed {
  const whole: Transaction = addSignature(
    payment.transaction,
    terms.feePayer,
    signEd25519(payment.transaction.messageBytes, seed),
  )
  return { payment, wire: encodeTransaction(whole), signature: transactionId(whole) }
}

/** Names what is wrong by looking, then runs on trial the very bytes that would be sent. Answers what they cost. */
async function tryOut({ payment, wire }: Signed, { ledger, terms }: SettlerDeps) {
  const { missing } = await checkAccounts(ledger, payment, terms.mint)
  const cost = costOf({ signers: payment.transaction.signatures.length, budget: payment.budget, accounts: missing })
  const payer = await ledger.account(terms.feePayer)
  if ((payer?.lamports ?? 0n) < cost.fee + cost.rent) throw outOfSol()
  const trial = await ledger.simulate(wire)
  if (trial.error !== null) throw refusalOfTrial(trial.error)
  return cost
}

function intentOf(
  { payment, wire, signature }: Signed,
  { terms, lastValidHeight }: { readonly terms: Terms; readonly lastValidHeight: bigint },
  { terms: { name }, surroundings }: SettlerDeps,
): SolanaIntent {
  return {
    id: surroundings.id(),
    network: name,
    signature,
    payer: payment.payer,
    requestHash: terms.requestHash,
    idempotencyKey: terms.idempotencyKey ?? null,
    wire,
    blockhash: payment.transaction.message.blockhash,
    // Of the newest blockhash, and so of no older one: the payer chose its own.
    lastValidHeight,
    status: 'sent',
    slot: null,
    failure: null,
  }
}

/** A cluster that cannot be read has been sent nothing. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LedgerUnavailable)
      throw notSent('no node of Solana gives an answer that can be believed', error)
    throw error
  }
}

/** The address of a key's seed. */
export function solanaAddressOf(seed: Uint8Array): string {
  return toBase58(ed25519KeyOf(seed))
}
