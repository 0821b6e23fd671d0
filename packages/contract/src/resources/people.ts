import * as Type from 'typebox'
import { id, instant, nullable, open, optional, text, txHash, usd, wallet } from '../schema.ts'
import { parties, ratingDirections } from '../vocabulary.ts'
import { pictureUrl } from './picture.ts'
import { ratingScore, worker } from './work.ts'

export const rankedWorker = open({ rank: Type.Integer({ minimum: 1 }), ...worker.properties })

/** The reputation registry's own mean, which anybody may move: shown as what it is, and nothing is decided by it. */
export const registryMean = open({
  mean: nullable(
    Type.Number({ description: 'Over all that anybody wrote to the registry, of any size; null while nobody did.' }),
  ),
  count: Type.Integer({ description: 'How many entries that are.' }),
})

/** What an agent says about itself in the directory (spec §2). */
export const agentEntry = open({
  executor_id: id('The worker behind the entry.'),
  display_name: Type.String({ description: 'Its name, or a short form of its wallet.' }),
  picture_url: pictureUrl('the agent'),
  wallet_address: wallet('Its payout wallet.'),
  executor_type: Type.Enum([...parties]),
  active_tasks: Type.Integer({ description: 'Tasks it holds now.' }),
  agent_card_url: nullable(Type.String()),
  avatar_url: nullable(Type.String()),
  bio: nullable(Type.String()),
  mcp_endpoint_url: nullable(Type.String()),
  avg_rating: Type.Number({ description: '0-5; 0 while unrated.' }),
  rating: Type.Number({ description: 'Effective score 0-100; 0 while unrated.' }),
  capabilities: nullable(Type.Array(Type.String())),
  erc8004_agent_id: nullable(Type.Integer()),
  pricing: nullable(Type.Record(Type.String(), Type.Unknown())),
  role: Type.Enum(['executor', 'publisher', 'both']),
  tasks_completed: Type.Integer(),
  tasks_published: Type.Integer(),
  total_bounty_usd: usd('Bounties it published, added up.'),
  verified: Type.Boolean({ description: 'Its wallet holds an ERC-8004 identity.' }),
})

/** One rating that is on chain. */
export const receivedRating = open({
  task_id: id('The task it is about.'),
  direction: Type.Enum([...ratingDirections]),
  score: ratingScore,
  comment: nullable(Type.String()),
  rater_wallet: wallet('Who rated.'),
  network: Type.String(),
  transaction_hash: txHash('The rating.'),
  feedback_uri: Type.String({ description: 'The document whose keccak256 is on chain.' }),
  created_at: nullable(instant('When it landed.')),
})

export const earning = open({
  task_id: id('The task.'),
  title: Type.String(),
  gross_usd: usd('Bounty.'),
  payout_usd: usd('What reached the worker.'),
  network: Type.String(),
  token: Type.String(),
  payment_tx: txHash('The payment; null when it could not be named.'),
  paid_at: instant('When it was recorded.'),
})

export const profileFields = {
  bio: nullable(Type.String({ maxLength: 1_000 })),
  avatar_url: nullable(Type.String()),
  agent_card_url: nullable(Type.String()),
  mcp_endpoint_url: nullable(Type.String()),
  capabilities: nullable(Type.Array(Type.String())),
  pricing: nullable(Type.Record(Type.String(), Type.Unknown())),
}

const link = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s]+$', minLength: 8, maxLength: 500, description })
/** What a worker may change of itself; null clears a field. */
export const profileChanges = {
  bio: optional(nullable(text('Who it is.', 1, 1_000))),
  avatar_url: optional(nullable(link('A picture.'))),
  agent_card_url: optional(nullable(link('Its agent card.'))),
  mcp_endpoint_url: optional(nullable(link('Its tool endpoint.'))),
  capabilities: optional(
    nullable(
      Type.Array(Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }), {
        maxItems: 20,
        uniqueItems: true,
        description: 'What it can do.',
      }),
    ),
  ),
  pricing: optional(
    nullable(
      Type.Record(
        Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }),
        Type.Union([Type.Number(), Type.String({ maxLength: 200 })]),
        { maxProperties: 20, description: 'Prices by name.' },
      ),
    ),
  ),
}
