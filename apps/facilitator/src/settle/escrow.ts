import {
  type Address,
  expectAuthorized,
  expectCaptured,
  expectVoided,
  type Hex,
  paymentInfoHash,
  refundCalldata,
  releaseCalldata,
} from '@ergon/protocols'
import type { Draft, Terms } from '../chain/draft.ts'
import { pending, type Refusal } from '../errors.ts'
import { deployingLockShare, lockShare, partShare } from '../gas/gas-share.ts'
import type { Networks, ServedNetwork } from '../network/served-network.ts'
import {
  authorizeCall,
  badInfo,
  checkOperator,
  checkParties,
  invalid,
  judgeEscrowAuthorization,
  readAction,
  readEscrowTarget,
  refuseRevert,
  requireSigned,
} from '../verify/escrow.ts'
import type { Envelope } from '../wire/envelope.ts'
import { readPaymentInfo } from '../wire/payment-info.ts'
import { readAddress, readRecord, readUint } from '../wire/read.ts'
import type { StandingUse } from '../store/standing-book.ts'
import {
  isForgettable,
  isTrusted,
  judgeRole,
  judgeSigned,
  readLifecycleAuth,
  rejected,
  type LifecycleAuth,
  type LifecycleRules,
  type LifecycleStep,
} from './lifecycle.ts'
import { judgeWarrant, readWarrant, useOf, type Warranted } from './standing.ts'

export type SettlePlan = {
  readonly network: ServedNetwork
  readonly draft: Draft
  readonly payer: Hex
  readonly payee: Hex
  /** The standing order that lets it through, to be counted before it is sent. */
  readonly standing?: StandingUse
}

/** Turns an escrow envelope into the transaction it asks for, or refuses it before any. */
export async function planEscrow(
  envelope: Envelope,
  networks: Networks,
  terms: Terms,
  rules: LifecycleRules,
  now: number,
): Promise<SettlePlan> {
  const action = readAction(envelope)
  return action === 'authorize'
    ? planAuthorize(envelope, networks, terms, now)
    : planLifecycle(action, envelope, networks, terms, rules, now)
}

async function planAuthorize(envelope: Envelope, networks: Networks, terms: Terms, now: number): Promise<SettlePlan> {
  const payment = await requireSigned(judgeEscrowAuthorization(envelope, networks, now))
  const { network, escrow, info, hash } = payment
  const draft: Draft = {
    kind: 'authorize',
    onceKey: `authorize:${hash}`,
    sameness: hash,
    ...terms,
    conflictKeys: [`payment:${hash}`],
    call: authorizeCall(payment),
    expectations: [expectAuthorized(escrow.escrow, hash, info.maxAmount)],
    spent: (transaction) =>
      invalid('nonce_already_used', 'nonce_already_used: this payment is already authorized', { transaction }),
    refuse: refuseRevert(escrow.operator),
    gas: payment.deploys ? deployingLockShare(info.payer) : lockShare(info.payer),
  }
  return { network, draft, payer: info.payer, payee: info.receiver }
}

const payloadKeys = ['paymentInfo', 'payer', 'amount', 'lifecycleAuth', 'standingOrder']

async function planLifecycle(
  action: LifecycleStep['action'],
  envelope: Envelope,
  networks: Networks,
  terms: Terms,
  rules: LifecycleRules,
  now: number,
): Promise<SettlePlan> {
  const { network, escrow } = readEscrowTarget(envelope, networks)
  const payload = readRecord(envelope.payload, 'payload', payloadKeys)
  const payer = readAddress(payload['payer'], 'payload.payer')
  const info = readPaymentInfo(payload['paymentInfo'], payer)
  const amount = readUint(payload['amount'], 'payload.amount')
  checkOperator(escrow, info.operator)
  if (amount === 0n) throw badInfo('amount is zero')
  if (amount >> 120n !== 0n) throw invalid('InvalidAmount', 'Invalid amount: more than uint120 holds')
  if (amount > info.maxAmount) throw badInfo('amount is above maxAmount')
  if (action === 'release') checkParties({ network, escrow }, info)
  const auth = readLifecycleAuth(payload['lifecycleAuth'])
  const step: LifecycleStep = { action, amount, info }
  const target = { network, escrow }
  const hash = paymentInfoHash(info, network.chainId, escrow.escrow)
  const faulty = rules.mode === 'off' ? undefined : await judgeSigned(auth, step, target, rules.delegates, now)
  tolerate(faulty, rules)
  const ordered = rules.mode !== 'off' && faulty === undefined && auth !== undefined ? auth : undefined
  const standing =
    rules.mode === 'off'
      ? undefined
      : await readStanding(
          payload['standingOrder'],
          ordered,
          { step, paymentHash: hash, target },
          now + (rules.elapsed?.(hash) ?? 0),
        )
  const draft: Draft = {
    kind: action,
    ...(ordered === undefined ? {} : { onceKey: standing?.onceKey ?? `order:${ordered.signer}:${ordered.nonce}` }),
    sameness: `${action}:${hash}:${amount}`,
    ...terms,
    conflictKeys: [`payment:${hash}`],
    call: {
      to: escrow.operator,
      data:
        action === 'release'
          ? releaseCalldata(escrow.operatorAbi, info, amount)
          : refundCalldata(escrow.operatorAbi, info, amount),
    },
    expectations: [
      action === 'release' ? expectCaptured(escrow.escrow, hash, amount) : expectVoided(escrow.escrow, hash, amount),
    ],
    spent: (transaction) => rejected('replayed', 'the lifecycle order was carried out before', { transaction }),
    guard: () => {
      if (isForgettable(step, ordered, rules, now)) return pending({ reason: 'database_went_back' })
      if (ordered === undefined || standing !== undefined) return undefined
      const refusal = judgeRole(ordered, step, escrow, rules.delegates, now)
      if (rules.mode === 'enforce') return refusal
      tolerate(refusal, rules)
      return undefined
    },
    refuse: refuseRevert(escrow.operator),
    // The end of a lock was counted with it. Parts are without number, and those whom the operator trusts are not
    // counted.
    ...(amount === info.maxAmount || (ordered !== undefined && isTrusted(ordered, escrow, rules.delegates))
      ? {}
      : { gas: partShare(standing?.payer ?? ordered?.signer ?? payer) }),
  }
  return { network, draft, payer, payee: info.receiver, ...(standing === undefined ? {} : { standing }) }
}

/**
 * The place of a release in the standing order that comes with it. An order that comes is judged wherever orders are
 * read at all: who sends one means to be bound by it. Without a valid lifecycle order of its spender it says nothing.
 */
async function readStanding(
  value: unknown,
  auth: LifecycleAuth | undefined,
  release: Omit<Warranted, 'auth'>,
  now: number,
): Promise<(StandingUse & { readonly payer: Address }) | undefined> {
  const warrant = readWarrant(value)
  if (warrant === undefined) return undefined
  if (auth === undefined)
    throw rejected('standing_unordered', 'a standing order needs a lifecycle order of its spender')
  const refusal = await judgeWarrant(warrant, { ...release, auth }, now)
  if (refusal !== undefined) throw refusal
  return { ...useOf(warrant, { ...release, auth }), payer: warrant.order.payer }
}

function tolerate(refusal: Refusal | undefined, rules: LifecycleRules): void {
  if (refusal === undefined) return
  if (rules.mode === 'enforce') throw refusal
  rules.onUnorderly(String(refusal.details['category']))
}
