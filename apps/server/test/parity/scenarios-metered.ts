import { bindFields, ledgerKey, metered, opened, streamed } from '../http/live-channels.ts'
import { expectStatus } from '../http/live-market.ts'
import type { Scenario } from './scenario.ts'
import type { ParityStage } from './stage.ts'

/** A metered task with a channel and one accepted tick. */
async function ticking({ publisher, worker, channels }: ParityStage): Promise<string> {
  const taskId = await funded({ publisher, worker, channels })
  expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/tick`, { evidence: { boats: 1 } }), 200)
  return taskId
}

async function funded({
  publisher,
  worker,
  channels,
}: Pick<ParityStage, 'publisher' | 'worker' | 'channels'>): Promise<string> {
  const job = await metered(publisher, worker)
  expectStatus(
    await publisher.call('POST', `/api/v1/tasks/${job.taskId}/channel`, opened(channels, publisher, job)),
    200,
  )
  return job.taskId
}

async function offered({ publisher, worker }: ParityStage) {
  const { taskId } = await metered(publisher, worker)
  const payer = ledgerKey().address
  const target = `/api/v1/tasks/${taskId}/channel/offer?payer=${payer}`
  const offer = expectStatus(await publisher.call('GET', target), 200)
  return { task_id: taskId, payer, transaction: String(offer.body['transaction']) }
}

/** A session that its buyer has funded; of a new buyer, because ten at a time is the most of one. */
async function session({ live, worker, channels }: ParityStage): Promise<string> {
  const buyer = await live.party(0n)
  const job = await streamed(buyer, worker)
  const fields = opened(channels, buyer, job, 5_000_000n)
  expectStatus(await buyer.call('POST', `/api/v1/tasks/${job.taskId}/channel`, fields), 200)
  return job.taskId
}

/** What begins a session, by a new buyer. */
async function beginning({ live, worker }: ParityStage, cap_usd: string) {
  const buyer = await live.party(0n)
  const { executorId } = await streamed(buyer, worker)
  return { as: buyer, input: { executor_id: executorId, price_per_unit: '0.1', cap_usd } }
}

/** Work by the tick, and the channel that pays it. */
export const meteredScenarios: readonly Scenario[] = [
  {
    name: 'The publisher asks how a channel is opened',
    operation: 'channels.offer',
    expected: 'ok',
    act: async (stage) => {
      const { taskId } = await metered(stage.publisher, stage.worker)
      return { as: stage.publisher, input: { task_id: taskId, payer: ledgerKey().address } }
    },
  },
  {
    name: 'The publisher opens a channel',
    operation: 'channels.open',
    expected: 'ok',
    act: async (stage) => ({ as: stage.publisher, input: await offered(stage) }),
  },
  {
    name: 'A stranger opens a channel',
    operation: 'channels.open',
    expected: 'FORBIDDEN',
    act: async (stage) => ({ as: stage.stranger, input: await offered(stage) }),
  },
  {
    name: 'The publisher binds a channel',
    operation: 'channels.bind',
    expected: 'ok',
    async act({ publisher, worker, channels }) {
      const job = await metered(publisher, worker)
      return { as: publisher, input: { task_id: job.taskId, ...opened(channels, publisher, job) } }
    },
  },
  {
    name: 'A channel that is not on its ledger is bound',
    operation: 'channels.bind',
    expected: 'CHANNEL_NOT_ON_CHAIN',
    async act({ publisher, worker }) {
      const { taskId } = await metered(publisher, worker)
      const fields = bindFields({ publisher, taskId, channelId: ledgerKey().address, payer: ledgerKey() })
      return { as: publisher, input: { task_id: taskId, ...fields } }
    },
  },
  {
    name: 'The worker hands in one unit of work',
    operation: 'channels.tick',
    expected: 'ok',
    act: async (stage) => ({ as: stage.worker, input: { task_id: await funded(stage), evidence: { boats: 3 } } }),
  },
  {
    name: 'A unit of work before there is a channel',
    operation: 'channels.tick',
    expected: 'no_channel_bound',
    async act({ publisher, worker }) {
      const { taskId } = await metered(publisher, worker)
      return { as: worker, input: { task_id: taskId, evidence: { boats: 3 } } }
    },
  },
  {
    name: 'A stranger hands in a unit of work',
    operation: 'channels.tick',
    expected: 'FORBIDDEN',
    async act({ publisher, worker, stranger }) {
      const { taskId } = await metered(publisher, worker)
      return { as: stranger, input: { task_id: taskId, evidence: { boats: 3 } } }
    },
  },
  {
    name: 'Anybody reads a meter',
    operation: 'meters.get',
    expected: 'ok',
    act: async (stage) => ({ as: stage.stranger, input: { task_id: await ticking(stage) } }),
  },
  {
    name: 'The worker ends its pay',
    operation: 'channels.close',
    expected: 'ok',
    act: async (stage) => ({ as: stage.worker, input: { task_id: await ticking(stage) } }),
  },
  {
    name: 'A stranger ends the pay of others',
    operation: 'channels.close',
    expected: 'FORBIDDEN',
    async act({ publisher, worker, stranger }) {
      return { as: stranger, input: { task_id: (await metered(publisher, worker)).taskId } }
    },
  },
  {
    name: 'A session is begun',
    operation: 'streams.start',
    expected: 'ok',
    act: (stage) => beginning(stage, '5'),
  },
  {
    name: 'A session costs more than is let',
    operation: 'streams.start',
    expected: 'SESSION_CAP_EXCEEDED',
    act: (stage) => beginning(stage, '100001'),
  },
  {
    name: 'Anybody reads a session',
    operation: 'streams.get',
    expected: 'ok',
    act: async (stage) => ({ as: stage.stranger, input: { session_id: await session(stage) } }),
  },
  {
    name: 'A stranger lists its sessions',
    operation: 'streams.list',
    expected: 'ok',
    act: ({ stranger }) => Promise.resolve({ as: stranger, input: { role: 'worker' } }),
  },
  {
    name: 'A stranger takes time of a session',
    operation: 'streams.tick',
    expected: 'FORBIDDEN',
    act: async (stage) => ({ as: stage.stranger, input: { session_id: await session(stage), evidence: { seen: 3 } } }),
  },
  {
    name: 'The worker stops a session',
    operation: 'streams.stop',
    expected: 'ok',
    act: async (stage) => ({ as: stage.worker, input: { session_id: await session(stage) } }),
  },
  {
    name: 'A stranger stops a session',
    operation: 'streams.stop',
    expected: 'FORBIDDEN',
    act: async (stage) => ({ as: stage.stranger, input: { session_id: await session(stage) } }),
  },
]
