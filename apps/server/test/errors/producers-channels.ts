import { bindFields, ledgerKey, metered, opened, perScan, type Metered } from '../http/live-channels.ts'
import { aTask, expectStatus } from '../http/live-market.ts'
import type { Reply } from '../dispatch/send.ts'
import type { Bench } from './bench.ts'
import type { Producers } from './producers.ts'

/** What is wrong with a channel, or with the ledger that keeps it. */
export const channelProducers = {
  async NO_PAYEE_RESOLVED(bench) {
    const task = aTask({ payment_network: 'solana', payment_streaming: perScan, bounty_usd: 1 })
    const taskId = String(expectStatus(await bench.publisher.call('POST', '/api/v1/tasks', task), 201).body['id'])
    return bind(bench, taskId, opened(bench.channels, bench.publisher, { taskId, payout: ledgerKey() }))
  },
  CHANNEL_NOT_YOURS: (bench) =>
    withJob(bench, (job) => {
      const fields = opened(bench.channels, bench.publisher, job)
      bench.channels.kept.set(fields.channel_id, { payer: 'another', worker: job.payout.address, deposit: 1n })
      return bind(bench, job.taskId, fields)
    }),
  CHANNEL_NOT_ON_CHAIN: (bench) =>
    withJob(bench, ({ taskId }) => {
      const nowhere = { taskId, channelId: ledgerKey().address, payer: ledgerKey() }
      return bind(bench, taskId, bindFields({ publisher: bench.publisher, ...nowhere }))
    }),
  CHANNEL_NOT_REUSABLE: (bench) =>
    withJob(bench, ({ taskId }) =>
      bind(bench, taskId, opened(bench.channels, bench.publisher, { taskId, payout: ledgerKey() })),
    ),
  async CHANNEL_EXPIRED(bench) {
    const taskId = await bound(bench)
    await bench.sql("update channels set status = 'closing' where task_id = $1", [taskId])
    return tick(bench, taskId)
  },
  no_channel_bound: (bench) => withJob(bench, ({ taskId }) => tick(bench, taskId)),
  async SESSION_CAP_EXCEEDED(bench) {
    const taskId = await bound(bench)
    for (let count = 0; count < 4; count += 1) expectStatus(await tick(bench, taskId), 200)
    return tick(bench, taskId)
  },
  channel_unreadable: (bench) =>
    withJob(bench, async (job) => {
      bench.channels.isUnreadable = true
      const reply = await bind(bench, job.taskId, opened(bench.channels, bench.publisher, job))
      bench.channels.isUnreadable = false
      return reply
    }),
  WORKER_USDC_ATA_MISSING: (bench) =>
    withJob(bench, async (job) => {
      bench.channels.unpayable.add(job.payout.address)
      return bind(bench, job.taskId, opened(bench.channels, bench.publisher, job))
    }),
  WORKER_USDC_ATA_UNVERIFIABLE: (bench) =>
    withJob(bench, async (job) => {
      bench.channels.isDown = true
      const reply = await bind(bench, job.taskId, opened(bench.channels, bench.publisher, job))
      bench.channels.isDown = false
      return reply
    }),
} satisfies Partial<Producers>

async function withJob({ publisher, worker }: Bench, act: (job: Metered) => Promise<Reply>): Promise<Reply> {
  return act(await metered(publisher, worker))
}

const bind = ({ publisher }: Bench, taskId: string, fields: object): Promise<Reply> =>
  publisher.call('POST', `/api/v1/tasks/${taskId}/channel`, fields)

const tick = ({ worker }: Bench, taskId: string): Promise<Reply> =>
  worker.call('POST', `/api/v1/tasks/${taskId}/tick`, { evidence: { boats: 3 } })

async function bound(bench: Bench): Promise<string> {
  const job = await metered(bench.publisher, bench.worker)
  expectStatus(await bind(bench, job.taskId, opened(bench.channels, bench.publisher, job)), 200)
  return job.taskId
}
