import * as Type from 'typebox'
import { hex32, id, instant, nullable, open, tokenSymbol, typedData, usd, wallet } from '../schema.ts'
import { nextAction } from './next-action.ts'
import { paymentInfo } from './work.ts'

/** What is known about the money of a task before anybody works for it (decision 0173). */
export const fundingStates = ['held', 'moving', 'not_funded', 'paid', 'returned', 'at_approval'] as const

export const funding = open({
  task_id: id('The task.'),
  state: Type.Enum([...fundingStates], {
    description:
      'held: the escrow, or a channel, holds it for the worker. moving: a payment is on its way. not_funded: nothing ' +
      'is held yet; the lock follows the assignment. paid, returned: it is over. at_approval: nothing is held, the ' +
      'publisher pays when it approves.',
  }),
  network: Type.String(),
  chain_id: nullable(Type.Integer()),
  token: tokenSymbol(),
  amount_usd: usd('The bounty.'),
  payer: wallet('Whose money it is.'),
  receiver: nullable(wallet('Whom the escrow pays.')),
  contract: nullable(wallet('The escrow.')),
  payment_hash: nullable(hex32('The key of the payment on chain.')),
  payment_info: nullable(paymentInfo),
  capturable_usd: nullable(usd('What a release could move now; null when the chain was not asked or did not answer.')),
  capturable_atomic: nullable(Type.String({ description: 'The same in atomic units of the token.' })),
  bound_until: nullable(instant('Until when the money is held for the worker at most.')),
  publisher_wallet: nullable(
    open(
      {
        holds: Type.Enum(['enough', 'too_little', 'unknown'], {
          description: 'Whether the wallet of the publisher holds the bounty now; unknown: the chain did not tell.',
        }),
        allowance: Type.Enum(['not_needed'], {
          description: 'The payer signs each payment by itself (ERC-3009), so there is no allowance to look at.',
        }),
      },
      'Before anything is held: what could be. It is a look at a wallet and no promise.',
    ),
  ),
  next_action: nullable(nextAction),
  check: nullable(
    open(
      {
        method: Type.Enum(['eth_call']),
        to: wallet('The escrow; hold it against your own list of contracts.'),
        data: Type.String({ description: 'paymentState(payment_hash).' }),
        reads: Type.String({ description: 'Where in the answer the figure is.' }),
      },
      'The one call that tells the same without us, of any node of the network.',
    ),
  ),
  statement: nullable(
    open(
      {
        typed_data: typedData(),
        signature: Type.String(),
        signer: wallet('One of GET /api/v1/payments/funding/keys.'),
      },
      'The same, signed by the service; null where the chain did not tell.',
    ),
  ),
  as_of: instant('When the chain was asked.'),
})

export const fundingKey = open({
  address: wallet('Signs statements about funding.'),
  signs_from: instant('The first moment at which it signs.'),
  signs_until: instant('The first moment at which the next one does.'),
})
