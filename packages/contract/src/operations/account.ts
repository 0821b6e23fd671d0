import * as Type from 'typebox'
import { changeOfOwn, operation, readOfOwn } from '../operation.ts'
import { closed, id, instant, nullable, open, text } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'account'
const rows = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description })
const base58 = (description: string, minLength: number, maxLength: number) =>
  Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]+$', minLength, maxLength, description })
const solanaAddress = (description: string) => base58(description, 32, 44)

export const account = {
  'account.export': operation({
    section,
    summary: 'Everything that the service keeps about the calling wallet, as a file.',
    access: { ...readOfOwn, banned: 'admitted' },
    input: closed({}),
    output: Type.Object(
      {
        exported_at: instant('When.'),
        executor_id: nullable(id('The worker; null for a wallet that never worked.')),
        profile: nullable(Type.Record(Type.String(), Type.Unknown())),
        submissions: rows('Work handed in.'),
        applications: rows('Applications made.'),
        reports: rows('Reports made.'),
        blocked_users: rows('Wallets blocked.'),
      },
      {
        // No schema of arrays: generators would give it to the fields that are named as well.
        additionalProperties: true,
        description: 'Further arrays hold what else is kept, one for each kind of row (decision 0060).',
      },
    ),
    success: 200,
    raw: true,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/export' }],
  }),
  'account.remove': operation({
    section,
    summary:
      'Forget what the wallet said about itself. Tasks, payments and what is on chain stay; the wallet may come back.',
    access: { ...changeOfOwn, banned: 'admitted' },
    input: closed({}),
    output: open({ message: Type.String() }),
    success: 200,
    resend: 'again',
    errors: ['ACCOUNT_BUSY'],
    rest: [{ method: 'DELETE', path: '/api/v1/account' }],
  }),
  'account.payboxLink': operation({
    section,
    summary: 'Whether an external signer is linked to the wallet.',
    access: readOfOwn,
    input: closed({}),
    output: open({
      status: Type.Enum(['unlinked', 'linked', 'unlinked_by_paybox']),
      enabled: Type.Boolean({ description: 'Whether this deployment links signers at all.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/paybox-link' }],
  }),
  'account.unlinkPaybox': operation({
    section,
    summary: 'Delete the secrets of a linked signer.',
    access: changeOfOwn,
    input: closed({}),
    output: open({
      deleted: Type.Boolean({ description: 'False: there were none.' }),
      status: Type.Enum(['unlinked']),
    }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/account/paybox-link' }],
  }),
  'account.bindSolanaPayout': operation({
    section,
    summary: 'Bind the Solana address that channels pay the worker on; its key proves itself by a signature.',
    access: changeOfOwn,
    input: closed({
      solana_payout_address: solanaAddress('Ed25519 public key, base58.'),
      message: text(
        '`Solana payout address`, then a line each of `Service: ` (the host of this API), `Wallet: `, `Worker: `, `Address: ` and `Issued At: ` with its value; at most ten minutes old, and used once.',
        1,
        limits.signInMessageMax,
      ),
      signature: base58('By the key of the address over the UTF-8 bytes of the message.', 64, 88),
    }),
    output: open({ executor_id: id('The worker.'), solana_payout_address: solanaAddress('As it is bound now.') }),
    success: 200,
    resend: 'again',
    errors: ['WORKER_NOT_FOUND', 'PAYOUT_PROOF_INVALID'],
    rest: [{ method: 'PATCH', path: '/api/v1/account/solana-payout-address' }],
  }),
}
