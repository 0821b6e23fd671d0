import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { chainId, closed, networkName, nullable, open, optional, usd, wallet } from '../schema.ts'
import { paymentModes } from '../vocabulary.ts'

/** What a wallet reads before it signs or pays. */
export const moneyReads = {
  escrowConfig: operation({
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
  balance: operation({
    section: 'payments',
    summary: 'What a wallet holds of every token on every network served, read from the chains.',
    access: { by: 'anyone', banned: 'admitted' },
    input: closed({ wallet: wallet('Whose.') }),
    output: open({
      wallet: wallet('Whose.'),
      balances: Type.Array(
        open({
          network: networkName(),
          token: Type.String(),
          status: Type.Enum(['ok', 'unavailable']),
          balance_usd: nullable(usd('Null: the chain did not answer; nothing is guessed.')),
          balance_atomic: nullable(Type.String({ description: 'In atomic units of the token.' })),
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/payments/balance/{wallet}' }],
  }),
}
