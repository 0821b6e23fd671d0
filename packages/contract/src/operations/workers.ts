import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { earning, profileChanges, profileFields, rankedWorker, receivedRating } from '../resources/people.ts'
import { task } from '../resources/task.ts'
import { worker } from '../resources/work.ts'
import {
  closed,
  id,
  nullable,
  open,
  optional,
  page,
  paging,
  party,
  slice,
  sliced,
  text,
  usd,
  wallet,
} from '../schema.ts'
import { limits, taskStatuses } from '../vocabulary.ts'

const executor_id = id('The worker.')
const mean = nullable(Type.Number({ description: '0-100; null means unrated.' }))

export const workers = {
  'workers.register': operation({
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
    resend: 'again',
    sameWordsAnew: true,
    errors: ['FORBIDDEN', 'SESSION_REQUIRED', 'SESSION_NOT_FOR_PARTY', 'ACCOUNT_BUSY'],
    rest: [{ method: 'POST', path: '/api/v1/workers/register' }],
  }),
  'workers.get': operation({
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
  'workers.list': operation({
    section: 'workers',
    summary: 'Workers by their effective reputation score; unrated ones last.',
    access: { by: 'anyone' },
    input: closed({
      min_reputation: optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Floor of the effective score; an unrated worker clears any floor up to 50.',
        }),
      ),
      has_completed: optional(
        Type.Boolean({ description: 'Only workers who completed a task, or only those who did not.' }),
      ),
      ...slice,
    }),
    output: open({ workers: Type.Array(rankedWorker), ...sliced }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/workers' }],
  }),
  'workers.update': operation({
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
    resend: 'again',
    errors: ['WORKER_NOT_FOUND', 'FORBIDDEN', 'SESSION_REQUIRED', 'SESSION_NOT_FOR_PARTY', 'ACCOUNT_BUSY'],
    rest: [{ method: 'PUT', path: '/api/v1/workers/{executor_id}' }],
  }),
  'workers.setPicture': operation({
    section: 'workers',
    summary:
      'Show a picture on the own profile instead of the one before: what is kept is a square JPEG of 256 pixels a ' +
      'side, cut from its middle, without any metadata. Ten a day and wallet.',
    access: changeOfOwn,
    input: closed({
      executor_id,
      picture: Type.String({
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        minLength: 16,
        maxLength: Math.ceil(limits.pictureBytes / 3) * 4,
        description: `A JPEG, PNG or WebP of at most ${String(limits.pictureBytes)} bytes, in base64.`,
      }),
    }),
    output: open({
      executor_id,
      picture_url: Type.String({ description: 'Where it is, as a path of this service; another picture has another.' }),
    }),
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: ['WORKER_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'PUT', path: '/api/v1/workers/{executor_id}/picture' }],
  }),
  'workers.removePicture': operation({
    section: 'workers',
    summary: 'Remove the picture; if there is none, that is no error.',
    access: changeOfOwn,
    input: closed({ executor_id }),
    output: open({ executor_id, removed: Type.Boolean({ description: 'False: there was none.' }) }),
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: ['WORKER_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'DELETE', path: '/api/v1/workers/{executor_id}/picture' }],
  }),
  'workers.tasks': operation({
    section: 'workers',
    summary: 'Tasks a worker was assigned; the worker itself sees those in every status.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ executor_id, status: optional(Type.Enum([...taskStatuses])), ...paging }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/tasks' }],
  }),
  'workers.earnings': operation({
    section: 'workers',
    summary: 'What reached the worker, payment by payment; the worker only, and nothing to whoever did not sign.',
    access: { ...listOfOwn, banned: 'admitted' },
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
          gross_usd: usd(
            'Bounties of tasks the worker holds that are not paid yet; of metered work what was accepted so far.',
          ),
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
  'workers.reputation': operation({
    section: 'workers',
    summary: 'Every score of a worker, and the ratings it received, newest first.',
    access: { by: 'anyone' },
    input: closed({ executor_id, ...slice }),
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
      ...sliced,
    }),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/reputation' }],
  }),
}
