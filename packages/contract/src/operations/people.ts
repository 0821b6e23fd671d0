import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { registryMean } from '../resources/people.ts'
import { ratingScore, worker } from '../resources/work.ts'
import {
  chainId,
  closed,
  hex32,
  id,
  networkName,
  nullable,
  open,
  optional,
  party,
  text,
  txHash,
  typedData,
  wallet,
} from '../schema.ts'
import { limits, ratingDirections } from '../vocabulary.ts'

const task_id = id('The task, exactly 36 characters.')

export const workers = {
  register: operation({
    section: 'workers',
    summary: 'Register the signing wallet as a worker, or update its name and party.',
    access: { by: 'wallet', scope: null, unsigned: 401, identity: true, session: true },
    input: closed({
      wallet_address: optional(wallet('Must be the signer.')),
      name: optional(text('Display name.', 1, 100)),
      executor_type: optional(
        party(
          'What the worker is. Unless said, what it was; a new one is an agent, in a session a human. human takes a session.',
        ),
      ),
    }),
    output: worker,
    success: 201,
    errors: ['FORBIDDEN', 'SESSION_REQUIRED', 'SESSION_NOT_FOR_PARTY', 'ACCOUNT_BUSY'],
    rest: [{ method: 'POST', path: '/api/v1/workers/register' }],
  }),
  get: operation({
    section: 'workers',
    summary: 'The public profile of a worker.',
    access: { by: 'anyone', session: true },
    input: closed({ executor_id: id('The worker.') }),
    output: Type.Intersect([
      worker,
      open({ solana_payout_address: optional(nullable(Type.String({ description: 'Shown to the worker alone.' }))) }),
    ]),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}' }],
  }),
}

const ratingTerms = {
  task_id,
  direction: Type.Enum([...ratingDirections]),
  score: ratingScore,
  network: networkName(),
  ratee_agent_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  rater_wallet: wallet('Who rates: author on chain.'),
  deadline: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Unix seconds.' }),
  nonce: hex32('Single use.'),
  tag1: text('First tag.', 0, 64),
  tag2: text('Second tag.', 0, 64),
  endpoint: text('Endpoint.', 0, 512),
  feedback_uri: text('Where the feedback document is.', 0, 1_024),
  feedback_hash: hex32('keccak256 of the document.'),
}

export const reputation = {
  prepare: operation({
    section: 'reputation',
    summary: 'Rater-authored rating, step 1: the typed data to sign. Nothing is sent yet.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({
      task_id,
      direction: Type.Enum([...ratingDirections]),
      score: ratingScore,
      comment: optional(text('Comment, published in the feedback document.', 0, limits.commentMax)),
    }),
    output: open({
      ...ratingTerms,
      digest: hex32('EIP-712 digest of typed_data.'),
      typed_data: typedData(),
      chain_id: chainId(),
      delegate: wallet('The rating delegate.'),
      delegated: Type.Boolean({ description: 'False: an EIP-7702 authorization must come with the signature.' }),
      account_nonce: Type.Integer({ minimum: 0, description: 'The nonce of that authorization.' }),
      rater_role: Type.String(),
      ratee_role: Type.String(),
    }),
    success: 200,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'TASK_NOT_RATEABLE',
      'ALREADY_RATED',
      'INVALID_REPUTATION_NETWORK',
      'IDENTITY_NOT_FOUND',
      'RATING_UNAVAILABLE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/reputation/relay/prepare' }],
  }),
  submit: operation({
    section: 'reputation',
    summary: 'Rater-authored rating, step 2: relayed gasless; the author on chain is the rater.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({
      ...ratingTerms,
      signature: Type.String({ pattern: '^0x[0-9a-fA-F]{130}$', minLength: 132, maxLength: 132 }),
      authorization: optional(
        closed({
          chainId: chainId(),
          address: wallet('The delegate.'),
          nonce: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          yParity: Type.Integer({ minimum: 0, maximum: 1 }),
          r: hex32('r'),
          s: hex32('s'),
        }),
      ),
    }),
    output: open({
      task_id,
      direction: Type.Enum([...ratingDirections]),
      score: ratingScore,
      network: Type.String(),
      ratee_agent_id: Type.Integer(),
      transaction_hash: txHash('The rating.'),
      feedback_index: nullable(Type.Integer()),
      authored_by: wallet('Author on chain.'),
    }),
    success: 200,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'TASK_NOT_RATEABLE',
      'ALREADY_RATED',
      'RATING_REFUSED',
      'RATING_UNAVAILABLE',
      'INVALID_REPUTATION_NETWORK',
      'INVALID_SIGNATURE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/reputation/relay/submit' }],
  }),
  register: operation({
    section: 'reputation',
    summary: 'Register an ERC-8004 identity for the signing wallet, gasless.',
    access: { by: 'wallet', scope: null, unsigned: 401 },
    input: closed({
      wallet: optional(wallet('Must be the signer.')),
      name: optional(text('Name.', 1, 100)),
      description: optional(text('Description.', 0, 1_000)),
      network: optional(networkName()),
    }),
    output: open({
      wallet: wallet('The wallet.'),
      agent_id: nullable(Type.Integer()),
      network: Type.String(),
      transaction_hash: txHash('The registration.'),
      status: Type.Enum(['registered', 'already_registered', 'pending']),
    }),
    success: 201,
    inFlight: true,
    errors: ['FORBIDDEN', 'REGISTRATION_FAILED', 'GAS_BUDGET_SPENT', 'NETWORK_NOT_ACCEPTED'],
    rest: [{ method: 'POST', path: '/api/v1/reputation/register' }],
  }),
  agent: operation({
    section: 'reputation',
    summary:
      'The score of an agent id from ratings of paid tasks of this service, beside what the registry makes of everything written there.',
    access: { by: 'anyone' },
    input: closed({
      agent_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      network: optional(networkName()),
    }),
    output: open({
      agent_id: Type.Integer(),
      network: Type.String(),
      score: nullable(Type.Number({ description: '0-100; null means unrated.' })),
      rating_count: Type.Integer(),
      registry: registryMean,
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'CHAIN_UNAVAILABLE', 'NETWORK_NOT_ACCEPTED'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/agents/{agent_id}' }],
  }),
  identity: operation({
    section: 'reputation',
    summary: 'The identity of a wallet.',
    access: { by: 'anyone' },
    input: closed({ wallet: wallet('The wallet.'), network: optional(networkName()) }),
    output: open({ wallet: wallet('The wallet.'), agent_id: Type.Integer(), network: Type.String() }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'NETWORK_NOT_ACCEPTED'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/identity/wallet/{wallet}' }],
  }),
  feedback: operation({
    section: 'reputation',
    summary: 'The feedback document of a task: the very bytes whose keccak256 stands on chain.',
    access: { by: 'anyone' },
    input: closed({ task_id, direction: optional(Type.Enum([...ratingDirections])) }),
    output: Type.Record(Type.String(), Type.Unknown()),
    success: 200,
    raw: true,
    errors: ['FEEDBACK_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/feedback/{task_id}' }],
  }),
  networks: operation({
    section: 'reputation',
    summary: 'Where ratings can be read and where new ones can be given.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      networks: Type.Array(
        open({
          network: Type.String(),
          rater_authored_ratings: Type.Boolean(),
          selectable_for_reputation: Type.Boolean(),
          readable: Type.Boolean(),
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reputation/networks' }],
  }),
}
