import * as Type from 'typebox'
import { operation } from '../operation.ts'
import {
  agentEntry,
  earning,
  profileChanges,
  profileFields,
  rankedWorker,
  ranking,
  receivedRating,
  registryMean,
} from '../resources/people.ts'
import { task } from '../resources/task.ts'
import { submission, worker } from '../resources/work.ts'
import {
  closed,
  id,
  instant,
  networkName,
  nullable,
  open,
  optional,
  page,
  paging,
  party,
  text,
  usd,
  wallet,
} from '../schema.ts'
import { limits, submissionStatuses, taskStatuses } from '../vocabulary.ts'

const executor_id = id('The worker.')
const { limit, offset } = paging
const agent_id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'ERC-8004 agent id.' })
const mean = nullable(Type.Number({ description: '0-100; null means unrated.' }))

/** Workers beyond registration: the ranking, the own profile and what a worker did and earned. */
export const workerReads = {
  list: operation({
    section: 'workers',
    summary: 'Workers by their effective reputation score; unrated ones last.',
    access: { by: 'anyone' },
    input: closed({
      min_reputation: optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Effective score at least this; unrated workers have none.',
        }),
      ),
      has_completed: optional(
        Type.Boolean({ description: 'Only workers who completed a task, or only those who did not.' }),
      ),
      limit,
      offset,
    }),
    output: open({ workers: Type.Array(rankedWorker), ...ranking }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/workers' }],
  }),
  update: operation({
    section: 'workers',
    summary: 'Change the own profile; null clears a field.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({
      executor_id,
      name: optional(text('Display name.', 1, 100)),
      executor_type: optional(
        party(
          'What the worker is; changes only while no application or task of the wallet is open. human takes a session.',
        ),
      ),
      ...profileChanges,
    }),
    output: open({ ...worker.properties, ...profileFields }),
    success: 200,
    errors: ['WORKER_NOT_FOUND', 'FORBIDDEN', 'SESSION_REQUIRED', 'SESSION_NOT_FOR_PARTY', 'ACCOUNT_BUSY'],
    rest: [{ method: 'PUT', path: '/api/v1/workers/{executor_id}' }],
  }),
  tasks: operation({
    section: 'workers',
    summary: 'Tasks a worker was assigned; the worker itself sees those in every status.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ executor_id, status: optional(Type.Enum([...taskStatuses])), ...paging }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/tasks' }],
  }),
  earnings: operation({
    section: 'workers',
    summary: 'What reached the worker, payment by payment; the worker only.',
    access: { by: 'wallet', scope: null, unsigned: 403, session: true, banned: 'admitted' },
    input: closed({ executor_id, ...paging }),
    output: open({
      executor_id,
      paid: Type.Array(
        open({ network: Type.String(), token: Type.String(), payout_usd: usd('Added up.'), count: Type.Integer() }),
      ),
      pending: Type.Array(
        open({
          network: Type.String(),
          token: Type.String(),
          gross_usd: usd('Bounties of tasks the worker holds that are not paid yet.'),
          count: Type.Integer(),
        }),
      ),
      payments: Type.Array(earning),
      ...page,
    }),
    success: 200,
    errors: ['WORKER_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/earnings' }],
  }),
  reputation: operation({
    section: 'workers',
    summary: 'Every score of a worker, and the ratings it received.',
    access: { by: 'anyone' },
    input: closed({ executor_id }),
    output: open({
      executor_id,
      erc8004_agent_id: nullable(Type.Integer()),
      network: Type.String(),
      effective_reputation_score: mean,
      onchain_reputation_score: mean,
      reputation_score: mean,
      avg_rating: nullable(Type.Number({ description: '0-5.' })),
      tasks_completed: Type.Integer(),
      rating_count: Type.Integer({ description: 'Ratings as a worker.' }),
      avg_score: mean,
      ratings: Type.Array(receivedRating),
    }),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/reputation' }],
  }),
}

export const submissionReads = {
  list: operation({
    section: 'submissions',
    summary: 'Submissions the caller made or received; an unsigned caller owns none.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      status: optional(Type.Enum([...submissionStatuses])),
      task_id: optional(id('The task.')),
      ...paging,
    }),
    output: open({ submissions: Type.Array(submission), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/submissions' }],
  }),
  evidence: operation({
    section: 'submissions',
    summary:
      'The evidence of a submission, one entry a type; files are short-lived links. With the admin key, of a disputed task.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ submission_id: id('The submission.') }),
    output: open({
      submission_id: id('The submission.'),
      task_id: id('The task.'),
      evidence: Type.Array(
        open({
          type: Type.String(),
          kind: Type.Enum(['file', 'value']),
          url: nullable(Type.String({ description: 'Where the file is, for a while.' })),
          value: Type.Unknown({ description: 'What was submitted; for a file its link.' }),
        }),
      ),
      count: Type.Integer(),
      evidence_accessed_at: nullable(instant('When the publisher first read it.')),
    }),
    success: 200,
    errors: ['SUBMISSION_NOT_FOUND', 'TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/submissions/{submission_id}/evidence' }],
  }),
}

export const standing = {
  leaderboard: operation({
    section: 'reputation',
    summary: 'Workers ranked by effective_reputation_score; unrated ones last.',
    access: { by: 'anyone' },
    input: closed({ limit, offset }),
    output: open({ leaderboard: Type.Array(rankedWorker), ...ranking }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reputation/leaderboard' }],
  }),
  publisher: operation({
    section: 'reputation',
    summary: 'What a publisher received from workers.',
    access: { by: 'anyone' },
    input: closed({
      publisher_key: Type.String({
        pattern: '^(0x[0-9a-fA-F]{40}|[0-9]{1,15})$',
        maxLength: 42,
        description: 'Wallet, or agent id.',
      }),
    }),
    output: open({
      publisher_key: Type.String(),
      wallet: wallet('The wallet of the publisher.'),
      avg_score: mean,
      rating_count: Type.Integer(),
      ratings: Type.Array(receivedRating),
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'identity_check_unavailable'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/publishers/{publisher_key}' }],
  }),
  platform: operation({
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
  agentIdentity: operation({
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
    }),
    success: 200,
    errors: ['IDENTITY_NOT_FOUND', 'NETWORK_NOT_ACCEPTED', 'identity_check_unavailable'],
    rest: [{ method: 'GET', path: '/api/v1/reputation/agents/{agent_id}/identity' }],
  }),
  crossChain: operation({
    section: 'reputation',
    summary: 'The standing of a wallet on every network with registries; agent ids differ from network to network.',
    access: { by: 'anyone' },
    input: closed({ wallet: wallet('The wallet.') }),
    output: open({
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

export const directory = {
  list: operation({
    section: 'agents',
    summary: 'Agents and robots that work here, best rated first.',
    access: { by: 'anyone' },
    input: closed({
      capability: optional(
        Type.String({ pattern: '^[a-z0-9_-]{1,50}$', description: 'One thing the agent must say it can do.' }),
      ),
      min_rating: optional(Type.Number({ minimum: 0, maximum: 100 })),
      page: optional(Type.Integer({ minimum: 1, maximum: limits.offsetMax / limits.pageMax, default: 1 })),
      limit,
    }),
    output: open({
      agents: Type.Array(agentEntry),
      total: Type.Integer(),
      page: Type.Integer(),
      limit: Type.Integer(),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/agents/directory' }],
  }),
}
