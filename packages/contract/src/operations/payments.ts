import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { paymentEvent } from '../resources/work.ts'
import { chainId, closed, hex32, id, instant, networkName, nullable, open, optional, txHash, typedData, usd, wallet } from '../schema.ts'
import { escrowStatuses, limits, taskStatuses } from '../vocabulary.ts'

const task_id = id('The task.')
const token = open({ symbol: Type.String(), address: Type.String(), decimals: Type.Integer(), name: Type.String(), version: Type.String() })

export const escrows = {
  health: operation({
    section: 'escrow',
    summary: 'Whether the facilitator and the chain answer.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({ status: Type.Enum(['healthy', 'degraded']), facilitator: Type.Boolean(), networks: Type.Record(Type.String(), Type.Boolean()), payments: { ...open({ today: Type.Integer(), limit: nullable(Type.Integer()) }), description: 'Locks and direct payments begun this UTC day, and how many this deployment pays the gas of; null is no limit.' } }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/escrow/health' }],
  }),
  refund: operation({
    section: 'escrow',
    summary: 'Refund a locked escrow of a task that is over and still holds money.',
    access: { by: 'wallet', scope: null, unsigned: 401 },
    input: closed({ task_id }),
    output: open({ task_id, status: Type.Enum([...taskStatuses]), refund_tx: txHash('The refund.') }),
    success: 200,
    inFlight: true,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'ESCROW_NOT_FOUND', 'ESCROW_NOT_REFUNDABLE', 'REFUND_FAILED', 'APPROVAL_IN_FLIGHT'],
    rest: [{ method: 'POST', path: '/api/v1/escrow/{task_id}/refund' }],
  }),
  reclaim: operation({
    section: 'escrow',
    summary: 'The transaction with which the payer takes funds back after the authorization window closed. The service never sends it.',
    access: { by: 'wallet', scope: null, unsigned: 403, session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: open({ task_id, chain_id: chainId(), escrow: wallet('Call this contract.'), calldata: Type.String({ description: 'ABI-encoded reclaim(PaymentInfo).' }), payer: wallet('Must send it.'), amount_usd: usd('What comes back.'), eligible_at: instant('Not before this.'), eligible: Type.Boolean() }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'ESCROW_NOT_FOUND', 'ESCROW_NOT_REFUNDABLE', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: '/api/v1/escrow/task/{task_id}/reclaim' }],
  }),
  lifecycleChallenge: operation({
    section: 'escrow',
    summary: 'The release order to be signed by the wallet that funded the escrow.',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 403 },
    input: closed({ task_id, action: optional(Type.Enum(['release'], { default: 'release' })) }),
    output: open({ task_id, typed_data: typedData(), order: open({ action: Type.Enum(['release']), deadline: Type.Integer(), nonce: hex32('Single use.') }), expires_at: instant('Sign and send before this.') }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'ESCROW_NOT_FOUND', 'ESCROW_NOT_RELEASABLE'],
    rest: [{ method: 'GET', path: '/api/v1/escrow/task/{task_id}/lifecycle-challenge' }],
  }),
}

export const payments = {
  get: operation({
    section: 'payments',
    summary: 'The payment of a task.',
    access: { by: 'anyone', scope: 'task:read', session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: open({ task_id, status: Type.Enum([...escrowStatuses]), total_amount: usd('Gross.'), released_net_usdc: nullable(usd('Payout that reached the worker.')), platform_fee_usdc: nullable(usd('Fee.')), network: Type.String(), token: Type.String(), escrow_tx: txHash('Lock.'), release_tx: txHash('Release.'), fee_tx: txHash('Fee to the treasury.'), refund_tx: txHash('Refund.') }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/payments/{task_id}' }, { method: 'GET', path: '/api/v1/tasks/{task_id}/payment' }],
  }),
  events: operation({
    section: 'payments',
    summary: 'The payment audit log of a task.',
    access: { by: 'anyone', scope: 'task:read', session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: open({ task_id, events: Type.Array(paymentEvent), count: Type.Integer() }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/payments/events/{task_id}' }, { method: 'GET', path: '/api/v1/tasks/{task_id}/transactions' }],
  }),
  networks: operation({
    section: 'payments',
    summary: 'The networks and tokens this deployment accepts, with what a signer needs.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({ preferred: Type.String(), networks: Type.Array(open({ name: networkName(), title: Type.String(), caip2: Type.String(), chain_id: nullable(chainId()), escrow: nullable(open({ escrow: Type.String(), operator: Type.String(), token_collector: Type.String() })), tokens: Type.Array(token), explorer_tx_url: nullable(Type.String()) })) }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/payments/networks' }],
  }),
  fees: operation({
    section: 'payments',
    summary: 'The fee and how it is rounded.',
    access: { by: 'anyone' },
    input: closed({ bounty_usd: optional(usd('Work out the split of this bounty.', { minimum: 0.01, maximum: 10_000 })) }),
    output: open({ fee_bps: Type.Integer(), worker_bps: Type.Integer(), rounding: Type.String(), min_bounty_usd: usd('Minimum.'), max_escrow_bounty_usd: usd('Maximum with escrow.'), example: nullable(open({ bounty_usd: usd('Gross.'), worker_usd: usd('Payout.'), fee_usd: usd('Fee.') })) }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/payments/fees' }],
  }),
  feeChallenge: operation({
    section: 'payments',
    summary: 'What the publisher signs to pay a fee that was left unpaid after the payout (fase1).',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 403, session: true },
    input: closed({ task_id }),
    output: open({ task_id, platform_fee_usdc: usd('What is owed.'), network: Type.String(), token: Type.String(), settlement_auth_fee: { ...nullable(open({ typed_data: typedData(), envelope: Type.Record(Type.String(), Type.Unknown()) })), description: 'Null while what was signed at the approval may still land: then money on the wallet is enough.' }, expires_at: nullable(instant('Sign and send before this.')) }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'FEE_NOT_OWED', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/fee/challenge' }],
  }),
  payFee: operation({
    section: 'payments',
    summary: 'Pay a fee that was left unpaid after the payout (fase1).',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 401, session: true },
    input: closed({ task_id, settlement_auth_fee: Type.String({ minLength: 2, maxLength: limits.paymentAuthMax, description: 'The signed envelope of the challenge, as raw JSON.' }) }),
    output: open({ task_id, status: Type.Enum(['paid', 'paying']), platform_fee_usdc: usd('Fee.'), fee_tx: txHash('Fee to the treasury.') }),
    success: 200,
    inFlight: true,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'FEE_NOT_OWED', 'APPROVAL_IN_FLIGHT', 'INVALID_PAYMENT_AUTH', 'NETWORK_MISMATCH', 'FORBIDDEN_RECEIVER', 'AMOUNT_MISMATCH', 'SELF_PAYMENT_BLOCKED', 'INVALID_SIGNATURE', 'INSUFFICIENT_FUNDS', 'SETTLEMENT_FAILED', 'AUTHORIZATION_EXPIRED', 'CHAIN_UNAVAILABLE', 'GAS_BUDGET_SPENT'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/fee' }],
  }),
}
