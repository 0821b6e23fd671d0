import { boundChannel, type Channel } from '../channels/channel.ts'
import type { Channels } from '../ports/channel-ledger.ts'
import type { Opening } from '../ports/channel-openings.ts'
import type { Task } from '../tasks/task.ts'
import { aTask } from './factories.ts'
import { scriptedDeps, scriptedNow, type Script } from './scripted-deps.ts'

/** A metered task of `buyer`, its channel, and the ports that a channel is opened and bound through. */

const now = scriptedNow
export const buyer = { kind: 'wallet', wallet: 'buyer', agentId: null, via: 'signature' } as const
export const asset = { symbol: 'USDC', network: 'solana', decimals: 6 }
export const task = aTask({
  id: 'task',
  status: 'accepted',
  escrowStatus: 'none',
  publisherWallet: 'buyer',
  executorId: 'executor',
  deadline: new Date(now.getTime() + 1),
  bounty: { atomic: 1_000_000n, asset },
})
export const terms = { unit: 'scan', price: 300n, cap: 1_000n } as const
export const opening: Opening = {
  channelId: 'channel',
  wire: 'wire',
  signature: 'opens channel',
  lastValidHeight: 9n,
  taskId: 'task',
  wallet: 'buyer',
  payer: 'payer',
  worker: 'address',
  asset,
  at: now,
}
export const channel = (change: Partial<Channel> = {}): Channel => ({
  ...boundChannel(
    {
      id: 'channel',
      taskId: 'task',
      executorId: 'executor',
      asset,
      payer: 'payer',
      payee: 'service',
      worker: 'address',
      voucherSigner: 'operator',
      voucherKey: null,
      deposit: 900n,
      unit: 'scan',
      price: 300n,
      limit: 900n,
    },
    now,
  ),
  ...change,
})

export type Given = {
  readonly script?: Script
  readonly lockedTask?: Task | null
  readonly canReceive?: boolean
  readonly opened?: Opening | null
  readonly recorded?: 'recorded' | 'known' | 'full'
  readonly fate?: 'landed' | 'failed' | 'refused' | 'unknown'
  readonly isOf?: boolean
  readonly due?: readonly Opening[]
  readonly windsUp?: boolean
}

export function channelStage({ script = {}, opened = null, ...given }: Given = {}) {
  const said: [string, ...unknown[]][] = []
  const note =
    <T>(name: string, answer: T) =>
    (...of: unknown[]): Promise<T> => {
      said.push([name, ...of])
      return Promise.resolve(answer)
    }
  const channels: Pick<Channels, 'network' | 'facts'> & Record<'ledger' | 'opening' | 'openings', unknown> = {
    network: 'solana',
    facts: { program: 'program', mint: 'mint', signer: 'signer' },
    ledger: {
      canReceive: note('canReceive', given.canReceive ?? true),
      openChannel: note('openChannel', { payee: 'service', deposit: 900n }),
    },
    opening: {
      offer: note('offer', { transaction: 'to sign', channelId: 'channel' }),
      countersign: note('countersign', {
        channelId: 'channel',
        wire: 'wire',
        signature: 'opens channel',
        lastValidHeight: 9n,
      }),
      demandLikely: note('demandLikely', undefined),
      isOf: (...of: unknown[]) => {
        said.push(['isOf', ...of])
        return given.isOf ?? true
      },
      deliver: note('deliver', given.fate ?? 'landed'),
      windUp: note('windUp', given.windsUp ?? true),
    },
    openings: {
      record: note('record', given.recorded ?? 'recorded'),
      find: note('find', opened),
      lease: note('lease', given.due ?? []),
      forget: note('forget', undefined),
    },
  }
  const answers: Script = {
    task: (id: string) => (id === 'task' ? task : null),
    meterTerms: terms,
    channelOf: null,
    payoutAddress: 'address',
    lockTask: given.lockedTask === undefined ? task : given.lockedTask,
    insertChannel: true,
    ...script,
  }
  return { ...scriptedDeps(answers, { channels: channels as unknown as Channels }), said }
}

export const notSubmittable = ['TASK_NOT_SUBMITTABLE', { task_id: 'task', status: 'completed', escrow_status: 'none' }]
export const notMetered = [
  'VALIDATION_FAILED',
  { field: 'task_id', constraint: 'a task published with payment_streaming', received: 'task' },
]
