import { randomUUID } from 'node:crypto'
import { expectStatus, aTask } from '../http/live-market.ts'
import type { Scenario } from './scenario.ts'
import type { Fields } from './transport.ts'

const someId = '01890000-0000-7000-8000-000000000000'
const publishes = (name: string, expected: Scenario['expected'], change: Fields): Scenario => ({
  name,
  operation: 'tasks.publish',
  expected,
  act: async ({ publisher }) => ({ as: publisher, input: aTask(change) }),
})

/** Offering work, and who may ask at all. */
export const publishingScenarios: readonly Scenario[] = [
  publishes('A task is published', 'ok', {}),
  publishes('A bounty below a cent', 'INVALID_BOUNTY', { bounty_usd: 0.001 }),
  publishes('A bounty with seven decimals', 'INVALID_BOUNTY', { bounty_usd: 1.123_456_7 }),
  publishes('A bounty beyond what escrow takes', 'INVALID_BOUNTY', { bounty_usd: 100.01 }),
  publishes('A field nobody knows', 'UNKNOWN_FIELD', { colour: 'red' }),
  publishes('A title that is too short', 'VALIDATION_FAILED', { title: 'x' }),
  publishes('An offer instead of a task', 'sell_intent_rejected', { title: 'I offer to photograph your gate' }),
  publishes('A network nobody takes', 'NETWORK_NOT_ACCEPTED', { payment_network: 'atlantis' }),
  {
    name: 'Publishing unsigned',
    operation: 'tasks.publish',
    expected: 'UNAUTHORIZED',
    act: async () => ({ as: null, input: aTask() }),
  },
  {
    name: 'Applying unsigned',
    operation: 'tasks.apply',
    expected: 'UNAUTHORIZED',
    act: async ({ published }) => ({ as: null, input: { task_id: await published() } }),
    otherwise: { A2A: 'a Task in state auth-required' },
  },
  {
    name: 'A signature that was used before',
    operation: 'tasks.publish',
    expected: 'SIGNATURE_REPLAYED',
    act: async ({ publisher }) => ({ as: publisher, input: aTask(), twice: true }),
  },
  {
    name: 'A signature of last week',
    operation: 'tasks.publish',
    expected: 'SIGNATURE_EXPIRED',
    act: async ({ publisher }) => ({ as: publisher, input: aTask(), clock: -600_000 }),
  },
  {
    name: 'An API key instead of a signature',
    operation: 'tasks.publish',
    expected: 'API_KEY_REFUSED',
    act: async () => ({ as: null, input: aTask(), headers: { 'x-api-key': 'svc_free_0123456789' } }),
  },
  {
    name: 'A banned wallet publishes',
    operation: 'tasks.publish',
    expected: 'WALLET_BLOCKED',
    act: async ({ banned }) => ({ as: banned, input: aTask() }),
  },
  {
    name: 'A repeat with its key',
    operation: 'tasks.publish',
    expected: 'ok',
    async act({ publisher }) {
      const headers = { 'x-idempotency-key': randomUUID() }
      const first = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), headers), 201)
      return { as: publisher, input: aTask(), headers, exactly: first.body }
    },
  },
  {
    name: 'A key for another task',
    operation: 'tasks.publish',
    expected: 'IDEMPOTENCY_KEY_REUSED',
    async act({ publisher }) {
      const headers = { 'x-idempotency-key': randomUUID() }
      expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(), headers), 201)
      return { as: publisher, input: aTask({ bounty_usd: 2 }), headers }
    },
  },
  {
    name: 'An open task is read',
    operation: 'tasks.get',
    expected: 'ok',
    act: async ({ stranger, published }) => ({ as: stranger, input: { task_id: await published() } }),
  },
  {
    name: 'A task nobody published is read',
    operation: 'tasks.get',
    expected: 'TASK_NOT_FOUND',
    act: async ({ stranger }) => ({ as: stranger, input: { task_id: someId } }),
  },
  {
    name: 'A task by a name that is no id',
    operation: 'tasks.get',
    expected: 'VALIDATION_FAILED',
    act: async ({ stranger }) => ({ as: stranger, input: { task_id: 'nonsense' } }),
  },
  {
    name: 'A stranger reads a cancelled task',
    operation: 'tasks.get',
    expected: 'TASK_GONE',
    act: async ({ stranger, cancelled }) => ({ as: stranger, input: { task_id: await cancelled() } }),
  },
  {
    name: 'Its publisher reads a cancelled task',
    operation: 'tasks.get',
    expected: 'ok',
    act: async ({ publisher, cancelled }) => ({ as: publisher, input: { task_id: await cancelled() } }),
  },
  {
    name: 'A stranger cancels',
    operation: 'tasks.cancel',
    expected: 'FORBIDDEN',
    act: async ({ stranger, published }) => ({ as: stranger, input: { task_id: await published() } }),
  },
  {
    name: 'An open task is cancelled',
    operation: 'tasks.cancel',
    expected: 'ok',
    act: async ({ publisher, published }) => ({ as: publisher, input: { task_id: await published() } }),
  },
  {
    name: 'An accepted task is cancelled',
    operation: 'tasks.cancel',
    expected: 'ok',
    act: async ({ publisher, accepted }) => ({ as: publisher, input: { task_id: (await accepted()).taskId } }),
  },
  {
    name: 'A paid task is cancelled',
    operation: 'tasks.cancel',
    expected: 'TASK_NOT_CANCELLABLE',
    act: async ({ publisher, completed }) => ({ as: publisher, input: { task_id: (await completed()).taskId } }),
  },
  {
    name: 'A task is edited',
    operation: 'tasks.update',
    expected: 'ok',
    act: async ({ publisher, published }) => ({
      as: publisher,
      input: { task_id: await published(), title: 'Photograph the other gate' },
    }),
  },
  {
    name: 'A task is edited after a worker applied',
    operation: 'tasks.update',
    expected: 'TASK_NOT_EDITABLE',
    act: async ({ publisher, applied }) => ({
      as: publisher,
      input: { task_id: (await applied()).taskId, title: 'Photograph the other gate' },
    }),
  },
]
