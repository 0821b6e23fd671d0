import type { Channel } from '../channels/channel.ts'
import { MarketError } from '../errors.ts'
import type { Task } from '../tasks/task.ts'
import { channel as bound } from './scripted-channels.ts'
import { scriptedNow, type Script } from './scripted-deps.ts'
import { event, nth, posted, type Lines, type Posting } from './scripted-lines.ts'
import { heldTask, placeOn } from './scripted-money.ts'

/** A channel whose worker ended the pay, its ledger, and what the store holds. */

const now = scriptedNow
export const closing = { reason: 'worker', at: now, submissionId: null, rating: null, attempts: 2 } as const
export const channel = (change: Partial<Channel> = {}): Channel => bound({ cumulative: 600n, ...change })
export const leaving = channel({ status: 'closing', closing })
export const ended = { settled: 600n, deposit: 900n, txHash: '0xended', slot: 8n }
const signed = {
  act: 'end',
  wire: 'wire',
  signature: 'signed',
  lastValidHeight: 9n,
  settled: 600n,
  deposit: 900n,
} as const
export const order = { ...signed, id: 'order', channelId: 'channel', status: 'sent', sentAt: now }

export type EndGiven = {
  readonly task?: Partial<Task>
  readonly script?: Script | (() => Script)
  readonly state?: string
  readonly fault?: 'channel_unreadable' | 'WORKER_USDC_ATA_MISSING' | 'down'
  readonly endOf?: object | null
  readonly order?: object | null
  readonly fate?: object
}

export function endStage({ task = {}, script = {}, state = 'open', fault, ...given }: EndGiven) {
  const own = heldTask({ status: 'verifying', escrowStatus: 'none', publisherWallet: 'payer', ...task })
  const one = placeOn(own, {
    task: own,
    workerByWallet: (wallet: string) => (wallet === 'receiver' ? { id: 'executor' } : null),
    channelOf: leaving,
    lockChannel: leaving,
    openOrder: null,
    insertOrder: true,
    leaseChannels: [{ channel: leaving, isTaskOver: false }],
    ...(typeof script === 'function' ? script() : script),
  })
  const failing = (): Promise<never> =>
    Promise.reject(fault === 'down' ? new Error('down') : new MarketError(fault ?? 'INTERNAL'))
  const ledger = {
    channel: () => (fault === undefined ? Promise.resolve({ state, deposit: 900n, settled: 0n }) : failing()),
    endOf: () => Promise.resolve(given.endOf === undefined ? ended : given.endOf),
    order: (act: string) => Promise.resolve(given.order === undefined ? { ...signed, act } : given.order),
    send: (of: { readonly id: string }) => Promise.resolve(one.asked.push(['send', of.id])),
    fate: (_of: unknown, waitMs: number) => {
      one.asked.push(['fate', waitMs])
      return Promise.resolve(given.fate ?? { state: 'landed', slot: 8n })
    },
  }
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  const deps = { ...one.deps, channels: { ledger }, wakeup } as unknown as typeof one.deps
  return { ...one, deps, woken }
}

/** What the store and the ledger are asked and told, in the words of `linesOf`; `id` is the number of the first id. */
export const leased: Lines = ['leaseChannels closing now 2026-11-21T12:00:30.000Z 50', 'openOrder channel']
export const later: Lines = ['transaction', 'channelDueAt channel closing 2026-11-21T12:00:02.000Z']
export const lockedToEnd: Lines = ['transaction', 'lockTask task', 'lockChannel task']
export const ordered = (id: number): Lines => [
  'transaction',
  'lockChannel task',
  'insertOrder {act:end,wire:wire,signature:signed,lastValidHeight:9n,settled:600n,deposit:900n,' +
    `id:${nth(id)},channelId:channel,status:sent,sentAt:now}`,
]
export const sent = (id: string): Lines => [`send ${id}`, 'fate 2000']

const usdc = '{symbol:USDC,network:solana,decimals:6}'
export const postedOf = (id: number, ...postings: readonly Posting[]): string => posted(id, postings, 'task', usdc)
export const moneyMoved = (id: number, type: string, atomic: bigint, sides: string, txHash: string): string =>
  `addPaymentEvent {id:${nth(id)},taskId:task,type:${type},status:success,` +
  `amount:{atomic:${String(atomic)}n,asset:${usdc}},asset:${usdc},${sides},txHash:${txHash},at:now}`
export const settledAt = (deposit: bigint, settled: bigint, txHash: string): string =>
  `settleChannel channel ${String(deposit)}n {settled:${String(settled)}n,txHash:${txHash},slot:8n,at:now} now`

/** Of 900 that the channel held 600 are pay: 87 of a hundred to the worker, 13 to us, and the rest goes back. */
export const paidOut = (id: number, txHash: string): Lines => [
  settledAt(900n, 600n, txHash),
  postedOf(id, ['channel:channel', -900n], ['wallet:address', 522n], ['operator', 78n], ['wallet:payer', 300n]),
  moneyMoved(id + 1, 'settle', 600n, 'from:payer,to:channel', txHash),
  moneyMoved(id + 2, 'disburse_worker', 522n, 'from:channel,to:address', txHash),
  moneyMoved(id + 3, 'disburse_fee', 78n, 'from:channel,to:service', txHash),
  moneyMoved(id + 4, 'refund', 300n, 'from:channel,to:payer', txHash),
]
export const onSolana = (txHash: string): string => `payment:{chain:solana,token:USDC,tx_hash:${txHash}}`
export const payOfChannel = (txHash: string): string =>
  `worker_amount:0.000522,platform_fee:0.000078,${onSolana(txHash)}`
/** And it is told. */
export const paidOutAndTold = (id: number, txHash: string): Lines => [
  ...paidOut(id, txHash),
  event(id + 5, 'payment.released', payOfChannel(txHash)),
]
