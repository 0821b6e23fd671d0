import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { orderToSign } from '../resources/work.ts'
import {
  chainId,
  closed,
  id,
  instant,
  networkName,
  nullable,
  open,
  optional,
  txHash,
  typedData,
  usd,
  wallet,
} from '../schema.ts'
import { paymentModes, taskStatuses } from '../vocabulary.ts'

const task_id = id('The task.')

export const escrow = {
  'escrow.health': operation({
    section: 'escrow',
    summary: 'Whether the facilitator and the chain answer.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      status: Type.Enum(['healthy', 'degraded']),
      facilitator: Type.Boolean(),
      networks: Type.Record(Type.String(), Type.Boolean()),
      payments: {
        ...open({ today: Type.Integer(), limit: nullable(Type.Integer()) }),
        description:
          'Locks and direct payments begun this UTC day, and how many this deployment pays the gas of; null is no limit.',
      },
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/escrow/health' }],
  }),
  'escrow.refund': operation({
    section: 'escrow',
    summary: 'Refund a locked escrow of a task that is over and still holds money.',
    access: { by: 'wallet', scope: null, unsigned: 401 },
    input: closed({ task_id }),
    output: open({ task_id, status: Type.Enum([...taskStatuses]), refund_tx: txHash('The refund.') }),
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'ESCROW_NOT_FOUND',
      'ESCROW_NOT_REFUNDABLE',
      'REFUND_FAILED',
      'APPROVAL_IN_FLIGHT',
    ],
    rest: [{ method: 'POST', path: '/api/v1/escrow/{task_id}/refund' }],
  }),
  'escrow.reclaim': operation({
    section: 'escrow',
    summary:
      'The transaction with which the payer takes funds back after the authorization window closed. The service never sends it.',
    access: { by: 'wallet', scope: null, unsigned: 403, session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: open({
      task_id,
      chain_id: chainId(),
      escrow: wallet('Call this contract.'),
      calldata: Type.String({ description: 'ABI-encoded reclaim(PaymentInfo).' }),
      payer: wallet('Must send it.'),
      amount_usd: usd('What comes back.'),
      eligible_at: instant('Not before this.'),
      eligible: Type.Boolean(),
    }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'ESCROW_NOT_FOUND', 'ESCROW_NOT_REFUNDABLE', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: '/api/v1/escrow/task/{task_id}/reclaim' }],
  }),
  'escrow.lifecycleChallenge': operation({
    section: 'escrow',
    summary: 'The release order to be signed by the wallet that funded the escrow.',
    access: { by: 'wallet', scope: null, unsigned: 403 },
    input: closed({ task_id, action: optional(Type.Enum(['release'], { default: 'release' })) }),
    output: open({
      task_id,
      typed_data: typedData(),
      order: orderToSign,
      expires_at: instant('Sign and send before this.'),
    }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'ESCROW_NOT_FOUND', 'ESCROW_NOT_RELEASABLE'],
    rest: [{ method: 'GET', path: '/api/v1/escrow/task/{task_id}/lifecycle-challenge' }],
  }),
  'escrow.config': operation({
    section: 'escrow',
    summary: 'Contracts and bounds of the escrow on a network; the preferred one unless said.',
    access: { by: 'anyone' },
    input: closed({ network: optional(networkName()) }),
    output: open({
      network: networkName(),
      chain_id: nullable(chainId()),
      payment_mode: Type.Enum([...paymentModes]),
      min_fee_bps: Type.Integer(),
      max_fee_bps: Type.Integer(),
      min_bounty_usd: usd('Minimum.'),
      deposit_limit_usd: usd('Most that one escrow holds.'),
      escrow: Type.String({ description: 'Escrow contract.' }),
      operator: Type.String({ description: 'Operator contract.' }),
      token_collector: Type.String({ description: 'Pulls the authorized funds.' }),
      tokens: Type.Array(
        open({
          symbol: Type.String(),
          address: Type.String(),
          decimals: Type.Integer(),
          name: Type.String(),
          version: Type.String(),
        }),
      ),
    }),
    success: 200,
    errors: ['NETWORK_NOT_ACCEPTED', 'NETWORK_NO_ESCROW'],
    rest: [{ method: 'GET', path: '/api/v1/escrow/config' }],
  }),
}
