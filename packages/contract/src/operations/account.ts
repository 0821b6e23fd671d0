import * as Type from 'typebox'
import { operation, type Access } from '../operation.ts'
import { closed, id, instant, nullable, open, optional, page, paging, text, wallet } from '../schema.ts'
import { agentTiers, limits, reportReasons, reportTargets } from '../vocabulary.ts'

const section = 'account'
const own = { by: 'wallet', scope: null, unsigned: 403, session: true } as const satisfies Access
const change = { by: 'wallet', scope: null, unsigned: 401, session: true } as const satisfies Access
const rows = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description })
const base58 = (description: string, minLength: number, maxLength: number) =>
  Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]+$', minLength, maxLength, description })
const solanaAddress = (description: string) => base58(description, 32, 44)

export const account = {
  export: operation({
    section,
    summary: 'Everything that is kept of the calling wallet, as a file.',
    access: { ...own, banned: 'admitted' },
    input: closed({}),
    output: open(
      {
        exported_at: instant('When.'),
        executor_id: nullable(id('The worker; null for a wallet that never worked.')),
        profile: nullable(Type.Record(Type.String(), Type.Unknown())),
        submissions: rows('Work handed in.'),
        applications: rows('Applications made.'),
        reports: rows('Reports made.'),
        blocked_users: rows('Wallets blocked.'),
      },
      'Further arrays hold what else is kept, one for each kind of row (decision 0060).',
    ),
    success: 200,
    raw: true,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/export' }],
  }),
  remove: operation({
    section,
    summary:
      'Forget what the wallet said of itself. Tasks, payments and what stands on chain stay; the wallet may come back.',
    access: { ...change, banned: 'admitted' },
    input: closed({}),
    output: open({ message: Type.String() }),
    success: 200,
    errors: ['ACCOUNT_BUSY'],
    rest: [{ method: 'DELETE', path: '/api/v1/account' }],
  }),
  payboxLink: operation({
    section,
    summary: 'Whether an external signer is linked to the wallet.',
    access: own,
    input: closed({}),
    output: open({
      status: Type.Enum(['unlinked', 'linked', 'unlinked_by_paybox']),
      enabled: Type.Boolean({ description: 'Whether this deployment links signers at all.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/paybox-link' }],
  }),
  unlinkPaybox: operation({
    section,
    summary: 'Delete the secrets of a linked signer.',
    access: change,
    input: closed({}),
    output: open({
      deleted: Type.Boolean({ description: 'False: there were none.' }),
      status: Type.Enum(['unlinked']),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/account/paybox-link' }],
  }),
  bindSolanaPayout: operation({
    section,
    summary: 'Bind the Solana address that channels pay the worker on; its key proves itself by a signature.',
    access: change,
    input: closed({
      solana_payout_address: solanaAddress('Ed25519 public key, base58.'),
      message: text(
        '`Solana payout address`, then a line each of `Wallet: `, `Worker: `, `Address: ` and `Issued At: ` with its value; at most ten minutes old.',
        1,
        limits.signInMessageMax,
      ),
      signature: base58('By the key of the address over the UTF-8 bytes of the message.', 64, 88),
    }),
    output: open({ executor_id: id('The worker.'), solana_payout_address: solanaAddress('As it is bound now.') }),
    success: 200,
    errors: ['WORKER_NOT_FOUND', 'PAYOUT_PROOF_INVALID'],
    rest: [{ method: 'PATCH', path: '/api/v1/account/solana-payout-address' }],
  }),
}

export const agents = {
  exchangeKey: operation({
    section: 'auth',
    summary: 'Exchange an agent key for a token of the dashboard. Off unless the deployment names keys.',
    access: { by: 'anyone' },
    input: closed({
      api_key: Type.String({
        minLength: 10,
        maxLength: 200,
        description: 'svc_<tier>_<random>; travels in the body and in no header.',
      }),
    }),
    output: open({
      token: Type.String({ description: 'JWT; opens no operation of this host.' }),
      agent_id: Type.Integer({ description: 'ERC-8004 agent id.' }),
      tier: Type.Enum([...agentTiers]),
      expires_at: instant('When the token ends.'),
    }),
    success: 200,
    errors: ['AGENT_KEYS_DISABLED', 'AGENT_KEY_REFUSED'],
    rest: [{ method: 'POST', path: '/api/v1/agent/auth' }],
  }),
}

const report = open({
  id: id('The report.'),
  target: Type.Enum([...reportTargets]),
  target_id: id('What is reported.'),
  reason: Type.Enum([...reportReasons]),
  note: nullable(Type.String()),
  created_at: instant('When.'),
})
const block = open({ id: id('The block.'), wallet: wallet('Who is blocked.'), created_at: instant('When.') })

export const reports = {
  create: operation({
    section: 'reports',
    summary:
      'Report a task, a submission, a worker or a listing to the operator. A second report of the same thing answers the first.',
    access: change,
    input: closed({
      target: Type.Enum([...reportTargets]),
      target_id: id('What is reported.'),
      reason: Type.Enum([...reportReasons]),
      note: optional(text('What happened.', 1, limits.reasonMax)),
    }),
    output: report,
    success: 201,
    errors: ['TASK_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'WORKER_NOT_FOUND', 'LISTING_NOT_FOUND'],
    rest: [{ method: 'POST', path: '/api/v1/reports' }],
  }),
  list: operation({
    section: 'reports',
    summary: 'The reports of the caller, newest first.',
    access: own,
    input: closed({ ...paging }),
    output: open({ reports: Type.Array(report), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reports' }],
  }),
}

export const blocks = {
  add: operation({
    section: 'users',
    summary: 'Block a wallet: neither begins work with the other from now on. What is under way goes on.',
    access: change,
    input: closed({ wallet: wallet('Whom to block.') }),
    output: block,
    success: 201,
    errors: [],
    rest: [{ method: 'POST', path: '/api/v1/users/block' }],
  }),
  remove: operation({
    section: 'users',
    summary: 'Take a block back.',
    access: change,
    input: closed({ wallet: wallet('Whom to unblock.') }),
    output: open({
      wallet: wallet('Who was meant.'),
      removed: Type.Boolean({ description: 'False: there was no block.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/users/block' }],
  }),
  list: operation({
    section: 'users',
    summary: 'Whom the caller blocked, newest first.',
    access: own,
    input: closed({ ...paging }),
    output: open({ blocked: Type.Array(block), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/users/blocked' }],
  }),
}
