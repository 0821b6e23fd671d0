import type { Party } from '@ergon/contract'
import {
  executorReputation,
  hasWords,
  parseUsd,
  publicStatuses,
  type OwedFee,
  type Page,
  type PageRequest,
  type TaskView,
} from '@ergon/core'
import { insertTask, publishedUnder, replayed } from '../publish.ts'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, rowOf, rowsOf } from '../engine/table.ts'
import type { TaskRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { isOpenMove } from '../tx/settlement-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type Point = { readonly lat: number; readonly lng: number }
type TaskReads = Part<
  | 'publish'
  | 'publishedUnder'
  | 'task'
  | 'taskView'
  | 'tasks'
  | 'availableTasks'
  | 'isParticipant'
  | 'taskMembers'
  | 'dueTasks'
  | 'owedFees'
>

export function taskReads({ disk, line }: StoreParts): TaskReads {
  const { tasks, workers, applications } = disk.tables
  return {
    async publish(task, event, idempotency) {
      const isNew = await line.write('publish', (session) => insertTask(disk, session, task, event, idempotency))
      if (isNew || idempotency === null) return { task, replayed: false }
      return {
        task: await line.read('publish replay', (viewer) => replayed(disk, viewer, task.publisherWallet, idempotency)),
        replayed: true,
      }
    },
    publishedUnder: (wallet, idempotency) =>
      line.read('publishedUnder', (viewer) => publishedUnder(disk, viewer, wallet, idempotency)),
    task: (id) => line.read('task', (viewer) => rowOf(viewer, tasks.by.pkey, id)?.task ?? null),
    taskView: (id) =>
      line.read('taskView', (viewer) => {
        const row = rowOf(viewer, tasks.by.pkey, id)
        return row === undefined ? null : viewOf(disk, viewer, row, null)
      }),
    ...taskLists({ disk, line }),
    isParticipant: (taskId, wallet) =>
      line.read('isParticipant', (viewer) => {
        const worker = rowOf(viewer, workers.by.wallet_key, wallet)
        return (
          worker !== undefined &&
          (rowOf(viewer, applications.by.task_id_executor_id_key, keyOf(taskId, worker.id)) !== undefined ||
            rowOf(viewer, tasks.by.pkey, taskId)?.task.executorId === worker.id)
        )
      }),
    taskMembers: (taskId, wallets) =>
      line.read('taskMembers', (viewer) => {
        const task = rowOf(viewer, tasks.by.pkey, taskId)?.task
        return wallets.filter((wallet) => {
          const worker = rowOf(viewer, workers.by.wallet_key, wallet)
          const application =
            worker === undefined
              ? undefined
              : rowOf(viewer, applications.by.task_id_executor_id_key, keyOf(taskId, worker.id))
          return (
            task?.publisherWallet === wallet ||
            (worker !== undefined && task?.executorId === worker.id) ||
            application?.status === 'pending' ||
            application?.status === 'accepted'
          )
        })
      }),
    ...dueRows({ disk, line }),
  }
}

/** What is due on one network. */
function dueRows({ disk, line }: Pick<StoreParts, 'disk' | 'line'>): Part<'dueTasks' | 'owedFees'> {
  const { tasks, settlements, timers, channels } = disk.tables
  return {
    dueTasks: (network, now, limit) =>
      line.read('dueTasks', (viewer) => {
        const due = allRows(
          viewer,
          tasks,
          ({ task }) => task.bounty.asset.network === network && task.deadline <= now && mayExpire.has(task.status),
        )
        const free = due.filter(
          ({ task }) =>
            rowOf(viewer, timers.by.pkey, keyOf(task.id, 'outcome')) === undefined &&
            rowOf(viewer, channels.by.task_id_key, task.id)?.channel.status !== 'closing' &&
            !rowsOf(viewer, settlements.by.open, 'open').some(
              (row) => row.settlement.taskId === task.id && isOpenMove(row),
            ),
        )
        return sortedBy(free, ({ task }) => task.deadline.getTime())
          .slice(0, limit)
          .map(({ task }) => task.id)
      }),
    owedFees: (network, limit) =>
      line.read('owedFees', (viewer) =>
        sortedBy(
          owed(disk, viewer).filter(({ fee }) => fee.bounty.asset.network === network),
          ({ paymentBlock }) => paymentBlock,
        )
          .slice(0, limit)
          .map(({ fee }) => fee),
      ),
  }
}

const mayExpire: ReadonlySet<string> = new Set([
  'published',
  'accepted',
  'in_progress',
  'submitted',
  'verifying',
  'disputed',
])

type Owed = { readonly paymentBlock: bigint; readonly fee: OwedFee }

function owed({ tables: { tasks, movements } }: Disk, viewer: Viewer): readonly Owed[] {
  return allRows(viewer, tasks).flatMap(({ task, paymentBlock }) => {
    if (paymentBlock === null || task.feeTx !== null || task.escrowStatus !== 'released') return []
    const logs =
      task.paymentTx === null
        ? []
        : rowsOf(
            viewer,
            movements.by.tx,
            keyOf(task.bounty.asset.network, task.paymentTx),
            (row) => row.taskId === task.id,
          )
    // A transaction lies in one block.
    const [last] = logs.toSorted((one, other) => other.logIndex - one.logIndex)
    const fee = {
      taskId: task.id,
      bounty: { ...task.bounty, atomic: task.captured ?? task.bounty.atomic },
      captured: { blockNumber: last?.blockNumber ?? paymentBlock, logIndex: last?.logIndex ?? -1 },
      since: task.updatedAt,
    }
    return [{ paymentBlock, fee }]
  })
}

function viewOf(
  { tables: { publisherScores, settlements, workers } }: Disk,
  viewer: Viewer,
  { task }: TaskRow,
  applicants: number | null,
): TaskView {
  // A page of tasks shows no authorization.
  const { paymentAuth: _, ...shown } = task
  const publisher = rowOf(viewer, publisherScores.by.pkey, task.publisherWallet)
  const worker = task.executorId === null ? undefined : rowOf(viewer, workers.by.pkey, task.executorId)
  return {
    ...shown,
    publisherReputation:
      publisher === undefined ? null : { avgScore: publisher.avgScore, ratingCount: publisher.ratingCount },
    publisherName: rowOf(viewer, workers.by.wallet_key, task.publisherWallet)?.displayName ?? null,
    executorName: worker?.displayName ?? null,
    publisherPicture: null,
    executorPicture: null,
    executorReputation:
      worker === undefined
        ? null
        : executorReputation({ onchain: worker.onchainScore, tasksCompleted: worker.tasksCompleted }),
    applicants,
    isPaying:
      task.escrowStatus === 'none' &&
      (task.status === 'verifying' || task.status === 'disputed') &&
      rowsOf(viewer, settlements.by.task, task.id, isOpenMove).length > 0,
  }
}

const isFor = (task: TaskRow['task'], party: Party | null | undefined): boolean =>
  party === undefined || party === null || task.target === 'any' || task.target === party

/** Neither a session between two nor an order that waits for its seller. */
const isPublic = ({ status, evidenceRequired }: TaskRow['task'], listing: TaskRow['uncountedListing']): boolean =>
  !(status === 'published' && listing !== null) &&
  evidenceRequired.length > 0 &&
  publicStatuses.some((one) => one === status)

function taskLists({ disk, line }: Pick<StoreParts, 'disk' | 'line'>): Part<'tasks' | 'availableTasks'> {
  const { tasks, bans } = disk.tables
  const page = async (
    label: string,
    where: (row: TaskRow, viewer: Viewer) => boolean,
    asked: PageRequest,
    applicants: boolean,
    order: Order = 'newest',
  ): Promise<Page<TaskView>> => {
    const matching = (viewer: Viewer): TaskRow[] => inOrder[order](allRows(viewer, tasks, (row) => where(row, viewer)))
    const [rows, total] = await Promise.all([
      line.read(label, (viewer) =>
        cut(matching(viewer), order, asked).map((row) =>
          viewOf(disk, viewer, row, applicants ? waiting(disk, viewer, row.task.id) : null),
        ),
      ),
      line.read(`${label} total`, (viewer) => matching(viewer).length),
    ])
    const hasMore = rows.length > asked.limit
    const shown = rows.slice(0, asked.limit)
    return {
      rows: shown,
      total,
      offset: asked.offset,
      hasMore,
      nextCursor: hasMore ? (shown.at(-1)?.id ?? null) : null,
    }
  }
  const isBanned = (viewer: Viewer, wallet: string): boolean => rowOf(viewer, bans.by.pkey, wallet) !== undefined
  return {
    tasks: (filter, asked) =>
      page(
        'tasks',
        ({ task, uncountedListing }, viewer) =>
          (filter.anyStatus || (isPublic(task, uncountedListing) && !isBanned(viewer, task.publisherWallet))) &&
          (filter.status === null || task.status === filter.status) &&
          (filter.category === null || task.category === filter.category) &&
          (filter.network === null || task.bounty.asset.network === filter.network) &&
          (filter.byPeople !== true || task.publisherType === 'human') &&
          (filter.publisher === null || task.publisherWallet === filter.publisher) &&
          isFor(task, filter.takenBy) &&
          saysAll(task, filter.words),
        asked,
        filter.anyStatus,
      ),
    availableTasks: (filter, asked, now) =>
      page(
        'availableTasks',
        ({ task, uncountedListing }, viewer) =>
          task.status === 'published' &&
          uncountedListing === null &&
          task.deadline > now &&
          !isBanned(viewer, task.publisherWallet) &&
          (filter.category === null || task.category === filter.category) &&
          (filter.network === null || task.bounty.asset.network === filter.network) &&
          (filter.target === null || task.target === 'any' || task.target === filter.target) &&
          isFor(task, filter.takenBy) &&
          isInBox(task.area, filter.box) &&
          saysAll(task, filter.words) &&
          (filter.minBountyUsd === null || task.bounty.atomic >= atomicOf(filter.minBountyUsd)) &&
          (filter.maxBountyUsd === null || task.bounty.atomic <= atomicOf(filter.maxBountyUsd)),
        asked,
        false,
        filter.order,
      ),
  }
}

type AvailableFilter = Parameters<TaskReads['availableTasks']>[0]
type Box = AvailableFilter['box']
type Order = NonNullable<AvailableFilter['order']>

const byId = (rows: readonly TaskRow[]): TaskRow[] => sortedBy(rows, ({ task }) => task.id)
const inOrder: Readonly<Record<Order, (rows: readonly TaskRow[]) => TaskRow[]>> = {
  newest: (rows) => byId(rows).reverse(),
  bounty: (rows) => sortedBy(byId(rows), ({ task }) => task.bounty.atomic).reverse(),
  deadline: (rows) => sortedBy(byId(rows), ({ task }) => task.deadline.getTime()),
}

const saysAll = ({ title, locationHint, instructions }: TaskRow['task'], words: AvailableFilter['words']): boolean =>
  words === undefined || words === null || hasWords([title, locationHint, instructions].join(' '), words)

function isInBox(area: Point | null, box: Box): boolean {
  if (box === undefined || box === null) return true
  if (area === null || area.lat < box.south || area.lat > box.north) return false
  const [isEast, isWest] = [area.lng >= box.west, area.lng <= box.east]
  return box.west <= box.east ? isEast && isWest : isEast || isWest
}

const atomicOf = (usd: string): bigint => parseUsd(usd, { symbol: 'USDC', network: 'any', decimals: 6 }).atomic

/** One row more than asked for, so that the answer knows whether there are more. */
function cut(rows: readonly TaskRow[], order: Order, { limit, offset, cursor }: PageRequest): readonly TaskRow[] {
  const from =
    cursor === null
      ? rows.slice(offset)
      : order === 'newest'
        ? rows.filter(({ task }) => task.id < cursor)
        : rows.slice(rows.findIndex(({ task }) => task.id === cursor) + 1)
  return from.slice(0, limit + 1)
}

function waiting({ tables: { applications, workers, bans } }: Disk, viewer: Viewer, taskId: string): number {
  return rowsOf(viewer, applications.by.task, taskId, ({ status, executorId }) => {
    const wallet = rowOf(viewer, workers.by.pkey, executorId)?.wallet
    return status === 'pending' && wallet !== undefined && rowOf(viewer, bans.by.pkey, wallet) === undefined
  }).length
}
