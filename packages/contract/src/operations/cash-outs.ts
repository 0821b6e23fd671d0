import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation, readOfOwn } from '../operation.ts'
import {
  closed,
  hex32,
  instant,
  networkName,
  nullable,
  open,
  page,
  paging,
  signatureText,
  tokenSymbol,
  txHash,
  usd,
  wallet,
} from '../schema.ts'
import { cashOutStatuses, limits } from '../vocabulary.ts'

const section = 'account'
const path = '/api/v1/account/cash-outs'
const nonce = hex32('Of the authorization; the wallet makes it up, and never gives one twice.')
const words = {
  network: networkName(),
  token: tokenSymbol(),
  to: wallet('Where the money goes.'),
  amount_usd: usd('What is sent, whole; there is no fee.', { minimum: limits.cashOutMinUsd }),
}
const cashOut = open({
  ...words,
  nonce,
  status: Type.Enum([...cashOutStatuses]),
  tx: txHash('Of the transfer; while it is being sent, perhaps of a copy that does not last.'),
  reason: nullable(Type.String({ description: 'The error code that says why nothing was sent.' })),
  valid_before: Type.Integer({ description: 'Unix seconds; the token takes it until then.' }),
  created_at: instant('When it was asked for.'),
})

export const cashOuts = {
  'cashOuts.send': operation({
    section,
    summary:
      'Send earnings to another address without gas, by a TransferWithAuthorization (EIP-3009) that the wallet signed.',
    access: changeOfOwn,
    input: closed({
      ...words,
      valid_before: Type.Integer({
        minimum: 0,
        maximum: 4_294_967_295,
        description: 'Unix seconds, 30 seconds to ten minutes from now; validAfter is 0.',
      }),
      nonce,
      signature: signatureText(
        'Of the calling wallet over the TransferWithAuthorization of the token: its domain is that of GET /api/v1/payments/networks (name, version, chain_id, address), its value amount_usd in atomic units. /signing-vectors.json has one.',
      ),
    }),
    output: cashOut,
    success: 200,
    resend: 'again',
    inFlight: true,
    errors: [
      'NETWORK_NOT_ACCEPTED',
      'TOKEN_NOT_ACCEPTED',
      'AMOUNT_MISMATCH',
      'INVALID_PAYMENT_AUTH',
      'INVALID_SIGNATURE',
      'INSUFFICIENT_FUNDS',
      'SELF_PAYMENT_BLOCKED',
      'FORBIDDEN_RECEIVER',
      'WORKER_BLOCKED',
      'WORKER_WALLET_INVALID',
      'PAYMENT_AUTH_USED',
      'APPROVAL_IN_FLIGHT',
      'AUTHORIZATION_EXPIRED',
      'SETTLEMENT_FAILED',
      'GAS_BUDGET_SPENT',
      'CHAIN_UNAVAILABLE',
      'FEATURE_DISABLED',
    ],
    rest: [{ method: 'POST', path }],
  }),
  'cashOuts.list': operation({
    section,
    summary: 'What the wallet sent on without gas, newest first, and what it may send now.',
    access: { ...listOfOwn, banned: 'admitted' },
    input: closed({ ...paging }),
    output: open({
      cash_outs: Type.Array(cashOut),
      sendable: Type.Array(
        open({
          network: networkName(),
          token: tokenSymbol(),
          amount_usd: usd('Earned here and not spent here, less what was sent; the wallet must hold it, too.'),
        }),
      ),
      ...page,
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path }],
  }),
  'cashOuts.get': operation({
    section,
    summary: 'What became of a cash-out.',
    access: { ...readOfOwn, banned: 'admitted' },
    input: closed({ nonce }),
    output: cashOut,
    success: 200,
    errors: ['NOT_FOUND'],
    rest: [{ method: 'GET', path: `${path}/{nonce}` }],
  }),
}
