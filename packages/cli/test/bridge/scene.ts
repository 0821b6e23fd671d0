import { signAction, type ToSign } from '@ergon/contract'
import {
  escrowAuthorizationChallenge,
  lifecycleOrderTypedData,
  lowerAddress,
  networks,
  paymentInfoFromWire,
  paymentInfoHash,
  privateKeySigner,
  disputeRulingTypedData,
  settlementOfferTypedData,
  type DisputeRulingWords,
  standingOrderToWire,
  standingOrderTypedData,
  transferAuthorizationToWire,
  transferWithAuthorizationTypedData,
  type Address,
  type PaymentInfo,
  type StandingOrder,
} from '@ergon/protocols'
import type { Scene } from '../../src/bridge/statement.ts'

export const wallet = privateKeySigner(`0x${'7b'.repeat(32)}`)
export const worker: Address = '0x00000000000000000000000000000000000a11ce'
export const taskId = '01950000-0000-7000-8000-000000000001'
export const executorId = '01950000-0000-7000-8000-00000000000e'
export const submissionId = '01950000-0000-7000-8000-00000000005b'
export const now = 1_800_000_000

const { localnet } = networks
const { escrow, tokens } = localnet
if (escrow === undefined || tokens['USDC'] === undefined) throw new Error('localnet has an escrow and USDC')
const usdc = tokens['USDC']
export const token = {
  name: usdc.name,
  version: usdc.version,
  chainId: 31337,
  verifyingContract: lowerAddress(usdc.address),
}
export const deployment = escrow

export const scene: Scene = { signer: lowerAddress(wallet.address), networks: [localnet], now }

export type Json = Record<string, unknown>
/** An answer that asks for a signature, and the call it answers. */
export type Answered = { readonly body: Json; readonly call: { readonly name: string; readonly given: Json } }

export type LockTerms = {
  readonly amount?: bigint
  readonly receiver?: Address
  readonly taskId?: string
  readonly maxFeeBps?: number
  readonly payer?: Address
  readonly chainId?: number
  readonly collector?: Address
  readonly operator?: Address
  readonly escrow?: Address
  readonly token?: typeof token
  readonly now?: number
  readonly usableSec?: number
  readonly heldSec?: number
}

const usd = (amount: bigint): number => Number(amount) / 1e6

/** The same where the policy of the task lets silence pay after 72 h; each bound of the order may be another. */
export function lockWithWord(change: Partial<StandingOrder> = {}, said: Partial<StandingOrder> = {}): Answered {
  const info = termsOf(lock())
  const order: StandingOrder = {
    payer: lowerAddress(wallet.address),
    spender: '0x00000000000000000000000000000000000f1e1d',
    operator: deployment.operator,
    token: token.verifyingContract,
    maxPerRelease: 1_070_000n,
    maxTotal: 1_070_000n,
    maxCount: 1,
    notBefore: now + 72 * 3_600,
    notAfter: info.authorizationExpiry,
    nonce: `0x${'4d'.repeat(32)}`,
    payment: paymentInfoHash(info, 31337, deployment.escrow),
    ...change,
  }
  const { signature: _none, ...words } = standingOrderToWire(order, '0x')
  return lock(
    {},
    {
      says: 'If you say nothing, the worker is paid.',
      parameter: 'standing_order',
      typedData: standingOrderTypedData({ ...order, ...said }, 31337) as unknown as ToSign['typedData'],
      value: words,
      signatureAt: 'signature',
      encoding: 'json_text',
    },
  )
}

/** What an honest service answers to an assignment without a signature; each term may be another. */
export function lock(terms: LockTerms = {}, besides?: ToSign['besides']): Answered {
  const { amount = 1_070_000n, taskId: id = taskId, now: at = now } = terms
  const preApprovalExpiry = at + (terms.usableSec ?? 3_600)
  const authorizationExpiry = Math.max(at + (terms.heldSec ?? 8 * 86_400), preApprovalExpiry)
  const challenge = escrowAuthorizationChallenge({
    chainId: 31337,
    ...deployment,
    token,
    payer: wallet.address,
    receiver: worker,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    ...terms,
    amount,
    preApprovalExpiry,
    authorizationExpiry,
    refundExpiry: authorizationExpiry + 86_400,
    salt: (BigInt(`0x${id.replaceAll('-', '')}`) << 128n) | 77n,
  })
  const given = { task_id: taskId, executor_id: executorId }
  const typed_data = challenge.typed_data
  return answered(
    'svc_assign_task',
    given,
    'escrow_signature_required',
    {
      operation: 'tasks.assign',
      parameter: 'payment_auth',
      typedData: typed_data as unknown as ToSign['typedData'],
      value: { ...challenge.envelope },
      signatureAt: 'payload.signature',
      encoding: 'json_text',
      ...(besides === undefined ? {} : { besides }),
    },
    {
      ...given,
      accepts: [
        {
          scheme: 'escrow',
          network: `eip155:${String(terms.chainId ?? 31337)}`,
          maxAmountRequired: String(amount),
          asset: (terms.token ?? token).verifyingContract,
          payTo: lowerAddress(terms.collector ?? deployment.collector),
          extra: { typed_data, envelope: challenge.envelope },
        },
      ],
      most_you_can_lose_usd: usd(amount),
    },
  )
}

/** The terms that a lock asks to be signed. */
export function termsOf({ body }: Answered): PaymentInfo {
  const { how_to_return: back } = body['wallet_action'] as {
    how_to_return: { value: { payload: { paymentInfo: unknown } } }
  }
  return paymentInfoFromWire(back.value.payload.paymentInfo, lowerAddress(wallet.address))
}

export type ReleaseTerms = {
  readonly info?: PaymentInfo
  readonly amount?: bigint
  readonly action?: 'release' | 'refundInEscrow'
  readonly deadline?: number
  readonly chainId?: number
}

/** What an honest service answers to an approval without an order. */
export function release(terms: ReleaseTerms = {}): Answered {
  const info = terms.info ?? termsOf(lock())
  const { amount = info.maxAmount, action = 'release', deadline = now + 600 } = terms
  const nonce = `0x${'5c'.repeat(32)}` as const
  const typedData = lifecycleOrderTypedData(
    { action, amount, deadline, nonce, paymentInfo: info },
    terms.chainId ?? 31337,
  )
  const given = { submission_id: submissionId, rating: 90 }
  return answered(
    'svc_approve_submission',
    given,
    'LIFECYCLE_ORDER_REQUIRED',
    {
      operation: 'submissions.approve',
      parameter: 'lifecycle_order',
      typedData: typedData as unknown as ToSign['typedData'],
      value: { signer: wallet.address, action, deadline, nonce },
      signatureAt: 'signature',
      encoding: 'object',
    },
    { submission_id: submissionId, task_id: taskId, gross_amount_usdc: usd(info.maxAmount) },
  )
}

export type TransferTerms = {
  readonly value?: bigint
  readonly to?: Address
  readonly from?: Address
  readonly validBefore?: number
  readonly token?: typeof token
  readonly given?: Json
}

/** What an honest service answers in mode fase1, for a bounty of 1.07. */
export function transfer(part: 'worker' | 'fee', terms: TransferTerms = {}): Answered {
  const authorization = {
    from: terms.from ?? lowerAddress(wallet.address),
    to: terms.to ?? worker,
    value: terms.value ?? (part === 'worker' ? 930_900n : 139_100n),
    validAfter: 0n,
    validBefore: BigInt(terms.validBefore ?? now + 3_600),
    nonce: `0x${'6d'.repeat(32)}` as const,
  }
  const signedWorker = JSON.stringify({ payload: { authorization: { value: '930900' }, signature: '0x' } })
  const given = terms.given ?? {
    submission_id: submissionId,
    ...(part === 'fee' ? { settlement_auth_worker: signedWorker } : {}),
  }
  return answered(
    'svc_approve_submission',
    given,
    'PAYMENT_AUTH_MISSING',
    {
      operation: 'submissions.approve',
      parameter: `settlement_auth_${part}`,
      typedData: transferWithAuthorizationTypedData(
        terms.token ?? token,
        authorization,
      ) as unknown as ToSign['typedData'],
      value: {
        x402Version: 2,
        payload: { signature: '0x', authorization: transferAuthorizationToWire(authorization) },
      },
      signatureAt: 'payload.signature',
      encoding: 'json_text',
    },
    { submission_id: submissionId, task_id: taskId, gross_amount_usdc: 1.07 },
  )
}

export type SettlementTerms = {
  readonly by?: 'offer' | 'accept'
  readonly payment?: `0x${string}`
  readonly payer?: Address
  readonly worker?: Address
  readonly token?: Address
  readonly workerAmount?: bigint
  readonly payerAmount?: bigint
  readonly expiry?: number
  readonly taskId?: string
  readonly chainId?: number
  /** What the service says beside it. */
  readonly said?: Json
}

/** What an honest service answers to an offer of half, or to its acceptance, without a signature. */
export function settlement({ by = 'offer', said = {}, chainId = 31337, ...terms }: SettlementTerms = {}): Answered {
  const offered = {
    taskId,
    payment: paymentInfoHash(termsOf(lock()), 31337, deployment.escrow),
    payer: lowerAddress(wallet.address),
    worker,
    token: token.verifyingContract,
    workerAmount: 500_000n,
    payerAmount: 570_000n,
    expiry: now + 72 * 3_600,
    nonce: `0x${'7c'.repeat(32)}`,
    ...terms,
  } as const
  const typedData = settlementOfferTypedData(offered, chainId) as unknown as ToSign['typedData']
  const ask = { parameter: 'signature', typedData, value: {}, signatureAt: 'signature', encoding: 'text' } as const
  const reason = 'SETTLEMENT_SIGNATURE_REQUIRED'
  const shares = { worker_amount_usd: 0.5, payer_amount_usd: 0.57, ...said }
  if (by === 'accept') {
    const offer = { id: offerId, task_id: taskId, payment_info_hash: offered.payment, ...shares }
    const given = { offer_id: offerId }
    return answered('svc_accept_settlement', given, reason, { operation: 'offers.accept', ...ask }, { offer })
  }
  const given = { task_id: taskId, worker_amount_usd: 0.5 }
  const adds = { expires_at: new Date(offered.expiry * 1_000).toISOString(), nonce: offered.nonce }
  const challenge = { task_id: taskId, ...shares, ...adds }
  return answered('svc_offer_settlement', given, reason, { operation: 'offers.propose', ...ask, adds }, challenge)
}

export type RulingTerms = Partial<DisputeRulingWords> & {
  readonly chainId?: number
  /** What the host asked for. */
  readonly asked?: Json
}

/** What an honest service answers to an arbiter that splits a bounty, without a signature. */
export function ruling({ chainId = 31337, asked = {}, ...terms }: RulingTerms = {}): Answered {
  const words = {
    disputeId: offerId,
    taskId,
    arbiter: lowerAddress(wallet.address),
    verdict: 'split',
    payerPct: 40,
    reason: 'Half of it is there.',
    criteria: ['The gate is on it.', 'By daylight.'],
    deadline: now + 3_600,
    nonce: `0x${'7c'.repeat(32)}`,
    ...terms,
  } as const
  const given = {
    dispute_id: offerId,
    verdict: 'split',
    split_pct: 40,
    reason: 'Half of it is there.',
    criteria: ['The gate is on it.', 'By daylight.'],
    ...asked,
  }
  const adds = { deadline: words.deadline, nonce: words.nonce }
  const asks = {
    operation: 'disputes.rule',
    parameter: 'signature',
    typedData: disputeRulingTypedData(words, chainId) as unknown as ToSign['typedData'],
    value: {},
    signatureAt: 'signature',
    encoding: 'text',
    adds,
  } as const
  return answered('svc_rule_dispute', given, 'RULING_SIGNATURE_REQUIRED', asks, { dispute_id: offerId, ...adds })
}

export const offerId = '01950000-0000-7000-8000-0000000000f1'

function answered(name: string, given: Json, reason: string, asked: ToSign, challenge: Json): Answered {
  const wallet_action = signAction(asked, { given, reason, signer: wallet.address })
  return { body: { code: reason, message: 'sign it', challenge, wallet_action }, call: { name, given } }
}

/** The same answer with one thing changed at a path, as a server that lies would. */
export function altered({ body, call }: Answered, path: string, value: unknown): Answered {
  const copy = structuredClone(body)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let at = copy
  for (const step of steps) at = at[step] as Json
  at[last] = value
  return { body: copy, call }
}
