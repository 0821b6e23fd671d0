import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { rankedWorker, receivedRating, registryMean } from '../resources/people.ts'
import { pictureUrl } from '../resources/picture.ts'
import { ratingScore } from '../resources/work.ts'
import {
  chainId,
  closed,
  hex32,
  id,
  instant,
  networkName,
  nullable,
  open,
  optional,
  paymentTx,
  shortSlice,
  slice,
  sliced,
  text,
  txHash,
  typedData,
  wallet,
} from '../schema.ts'
import { limits, ratingDirections } from '../vocabulary.ts'

const task_id = id('The task, exactly 36 characters.')
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
/** Ratings that the service relays under the facilitator's wallet (spec §4 reputation). */
const relayedFields = {
  score: ratingScore,
  task_id,
  comment: optional(text('Comment, published in the feedback document.', 0, limits.commentMax)),
  proof_tx: optional(paymentTx('The payment of the task; must be the one that paid for it.')),
}
const relayedRating = open({
  success: Type.Boolean({ description: 'True when the rating is on chain; false with 202, while it is on its way.' }),
  transaction_hash: txHash('The rating; null while it is on its way.'),
  feedback_index: nullable(Type.Integer({ description: 'Its index among the ratings of that author for that agent.' })),
  network: Type.String(),
  authored_by: nullable(
    wallet("Author on chain: the facilitator's wallet. A rating the rater itself authors goes through relay/prepare."),
  ),
})
const relayedAccess = { by: 'wallet', scope: 'reputation:rate', unsigned: 401, session: true } as const
/** Whoever is rated first gets its identity with the rating (spec §1.12). */
const mintErrors = [
  'identity_required',
  'identity_check_unavailable',
  'REGISTRATION_FAILED',
  'GAS_BUDGET_SPENT',
] as const
const relayedErrors = [
  'TASK_NOT_FOUND',
  'FORBIDDEN',
  'TASK_NOT_RATEABLE',
  'ALREADY_RATED',
  'INVALID_REPUTATION_NETWORK',
  ...mintErrors,
  'RATING_REFUSED',
  'WORKER_NOT_FOUND',
] as const
const agent_id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'ERC-8004 agent id.' })
const mean = nullable(Type.Number({ description: '0-100; null means unrated.' }))

export const reputation = {
  'reputation.prepare': operation({
    section: 'reputation',
    summary: 'Rater-authored rating, step 1: the typed data to sign. Nothing is sent yet.',
    access: relayedAccess,
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
      delegated: Type.Boolean({
        description:
          'False: an EIP-7702 authorization must come with the signature, signed over keccak256 of 0x05 and the RLP list of chain_id, delegate and account_nonce. /signing-vectors.json has one.',
      }),
      account_nonce: Type.Integer({ minimum: 0, description: 'The nonce of that authorization.' }),
      rater_role: Type.String(),
      ratee_role: Type.String(),
    }),
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'TASK_NOT_RATEABLE',
      'ALREADY_RATED',
      'INVALID_REPUTATION_NETWORK',
      ...mintErrors,
      'RATING_UNAVAILABLE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/reputation/relay/prepare' }],
  }),
  'reputation.submit': operation({
    section: 'reputation',
    summary: 'Rater-authored rating, step 2: relayed gasless; the author on chain is the rater.',
    access: relayedAccess,
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
    resend: 'recovered',
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      ...mintErrors,
      'TASK_NOT_RATEABLE',
      'ALREADY_RATED',
      'RATING_REFUSED',
      'RATING_UNAVAILABLE',
      'INVALID_REPUTATION_NETWORK',
      'INVALID_SIGNATURE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/reputation/relay/submit' }],
  }),
  'reputation.register': operation({
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
    already: true,
    resend: 'again',
    inFlight: true,
    errors: ['FORBIDDEN', 'REGISTRATION_FAILED', 'GAS_BUDGET_SPENT', 'NETWORK_NOT_ACCEPTED'],
    rest: [{ method: 'POST', path: '/api/v1/reputation/register' }],
  }),
  'reputation.agent': operation({
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
  'reputation.identity': operation({
    section: 'reputation',
    summary: 'The identity of a wallet.',
    access: { by: 'anyone' },
    input: closed({ wallet: wallet('The wallet.'), network: optional(networkName()) }),
    output: open({ wallet: wallet('The wallet.'), agent_id: Type.Integer(), network: Type.String() }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'NETWORK_NOT_ACCEPTED'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/identity/wallet/{wallet}' }],
  }),
  'reputation.feedback': operation({
    section: 'reputation',
    summary: 'The feedback document of a task: the very bytes whose keccak256 is on chain.',
    access: { by: 'anyone' },
    input: closed({ task_id, direction: optional(Type.Enum([...ratingDirections])) }),
    output: Type.Record(Type.String(), Type.Unknown()),
    success: 200,
    raw: true,
    errors: ['FEEDBACK_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/feedback/{task_id}' }],
  }),
  'reputation.networks': operation({
    section: 'reputation',
    summary: 'Where ratings can be read and where new ones can be given.',
    access: { by: 'anyone' },
    input: closed({ ...shortSlice }),
    output: open({
      ...sliced,
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
  'reputation.rateWorker': operation({
    section: 'reputation',
    summary: "The publisher rates the worker of a completed task; the author on chain is the facilitator's wallet.",
    access: relayedAccess,
    input: closed({ ...relayedFields, worker_address: optional(wallet('Must be the worker of the task.')) }),
    output: relayedRating,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: relayedErrors,
    rest: [{ method: 'POST', path: '/api/v1/reputation/workers/rate' }],
  }),
  'reputation.rateAgent': operation({
    section: 'reputation',
    summary: "The worker rates the publisher of a completed task; the author on chain is the facilitator's wallet.",
    access: relayedAccess,
    input: closed({
      ...relayedFields,
      agent_id: optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Must be the publisher of the task; omit it where the publisher is a person.',
        }),
      ),
    }),
    output: relayedRating,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: relayedErrors,
    rest: [{ method: 'POST', path: '/api/v1/reputation/agents/rate' }],
  }),
  'reputation.leaderboard': operation({
    section: 'reputation',
    summary: 'Workers ranked by effective_reputation_score; unrated ones last.',
    access: { by: 'anyone' },
    input: closed({ ...slice }),
    output: open({ leaderboard: Type.Array(rankedWorker), ...sliced }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reputation/leaderboard' }],
  }),
  'reputation.publisher': operation({
    section: 'reputation',
    summary: 'What a publisher received from workers.',
    access: { by: 'anyone' },
    input: closed({
      publisher_key: Type.String({
        pattern: '^(0x[0-9a-fA-F]{40}|[0-9]{1,15})$',
        maxLength: 42,
        description: 'Wallet, or agent id.',
      }),
      ...slice,
    }),
    output: open({
      publisher_key: Type.String(),
      wallet: wallet('The wallet of the publisher.'),
      history: open(
        {
          handed_in: Type.Integer({ description: 'Submissions that it decided, or left until silence did.' }),
          median_hours_to_decide: nullable(
            Type.Integer({
              description:
                'Half of its decisions took at most so many hours, in steps up to 336; null: none, or longer.',
            }),
          ),
          rejected_share: nullable(Type.Number({ description: 'From 0 to 1; null where nothing was handed in.' })),
          silent_share: nullable(Type.Number({ description: 'Left to silence, from 0 to 1.' })),
        },
        'How it decides; running totals of every task it published.',
      ),
      avg_score: mean,
      rating_count: Type.Integer(),
      ratings: Type.Array(receivedRating),
      ...sliced,
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'identity_check_unavailable'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/publishers/{publisher_key}' }],
  }),
  'reputation.platform': operation({
    section: 'reputation',
    summary: 'The score of the platform itself; null while it has no identity or no rating.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      agent_id: nullable(Type.Integer()),
      network: Type.String(),
      score: mean,
      rating_count: Type.Integer(),
      registry: nullable(registryMean),
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/em' }],
  }),
  'reputation.agentIdentity': operation({
    section: 'reputation',
    summary: 'The identity behind an agent id, read from the registry.',
    access: { by: 'anyone' },
    input: closed({ agent_id, network: optional(networkName()) }),
    output: open({
      agent_id: Type.Integer(),
      network: Type.String(),
      wallet: wallet('Who holds it.'),
      agent_uri: nullable(Type.String()),
      executor_id: nullable(id('The worker of that wallet.')),
      display_name: nullable(Type.String()),
      picture_url: pictureUrl('the worker'),
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'NETWORK_NOT_ACCEPTED', 'identity_check_unavailable'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/agents/{agent_id}/identity' }],
  }),
  'reputation.crossChain': operation({
    section: 'reputation',
    summary: 'The standing of a wallet on every network with registries; agent ids differ from network to network.',
    access: { by: 'anyone' },
    input: closed({ wallet: wallet('The wallet.'), ...shortSlice }),
    output: open({
      ...sliced,
      wallet: wallet('The wallet.'),
      networks: Type.Array(
        open({
          network: Type.String(),
          agent_id: nullable(Type.Integer()),
          score: mean,
          rating_count: nullable(Type.Integer({ description: 'Null when the registry could not be read.' })),
          registry: nullable(registryMean),
          status: Type.Enum(['rated', 'unrated', 'unregistered', 'unavailable']),
        }),
      ),
      taken_at: instant('When the registries were read.'),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reputation/wallet/{wallet}/cross-chain' }],
  }),
}
