import { executorReputation, type WorkerView } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, rowOf, slotsOf } from '../engine/table.ts'
import type { WorkerRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { runChangesOf } from '../tx/admin-tx.ts'
import { anything } from '../tx/task-tx.ts'
import type { Part, StoreParts } from './parts.ts'

type PeopleReads = Part<
  | 'worker'
  | 'workerByWallet'
  | 'putWorker'
  | 'identity'
  | 'putIdentity'
  | 'putScore'
  | 'isBanned'
  | 'bannedWallets'
  | 'adminVersion'
  | 'runChanges'
  | 'putBlock'
  | 'removeBlock'
  | 'areApart'
  | 'correlations'
>

export function viewOfWorker(
  { tables: { identities } }: Disk,
  viewer: Viewer,
  row: WorkerRow,
  identityNetwork: string,
): WorkerView {
  const { id, wallet, displayName, party, createdAt, onchainScore, tasksCompleted } = row
  const agentId = rowOf(viewer, identities.by.pkey, keyOf(identityNetwork, wallet))?.agentId ?? null
  return {
    id,
    wallet,
    displayName,
    picture: null,
    party,
    agentId,
    createdAt,
    reputation: executorReputation({ onchain: onchainScore, tasksCompleted }),
  }
}

export function peopleReads(parts: StoreParts): PeopleReads {
  const { disk, line, identityNetwork } = parts
  const { workers, identities } = disk.tables
  const viewed = (viewer: Viewer, row: WorkerRow | undefined): WorkerView | null =>
    row === undefined ? null : viewOfWorker(disk, viewer, row, identityNetwork)
  return {
    worker: (id) => line.read('worker', (viewer) => viewed(viewer, rowOf(viewer, workers.by.pkey, id))),
    workerByWallet: (wallet) =>
      line.read('workerByWallet', (viewer) => viewed(viewer, rowOf(viewer, workers.by.wallet_key, wallet))),
    putWorker: ({ id, wallet, displayName, party, at }) =>
      line.write('putWorker', async (session) => {
        const fresh: WorkerRow = {
          id,
          wallet,
          displayName: displayName ?? null,
          party: party ?? 'agent',
          createdAt: at,
          tasksCompleted: 0,
          onchainScore: null,
          profile: null,
        }
        const put = await workers.upsert(session, fresh, workers.by.wallet_key, (row) => ({
          ...row,
          displayName: displayName ?? row.displayName,
        }))
        return viewOfWorker(disk, session, put ?? fresh, identityNetwork)
      }),
    identity: (network, wallet) =>
      line.read('identity', (viewer) => {
        const row = rowOf(viewer, identities.by.pkey, keyOf(network, wallet))
        return row === undefined ? null : { agentId: row.agentId, txHash: row.txHash }
      }),
    putIdentity: (network, wallet, { agentId, txHash }) =>
      line.write('putIdentity', async (session) => {
        await identities.upsert(session, { network, wallet, agentId, txHash }, identities.by.pkey, (row) => ({
          ...row,
          agentId,
          txHash: txHash ?? row.txHash,
        }))
      }),
    ...adminReads(parts),
  }
}

function adminReads({
  disk,
  line,
}: StoreParts): Omit<PeopleReads, 'worker' | 'workerByWallet' | 'putWorker' | 'identity' | 'putIdentity'> {
  const { workers, publisherScores, bans, blocks, adminVersion, tasks } = disk.tables
  return {
    putScore: ({ role, wallet, score, count }) =>
      line.write('putScore', async (session) => {
        if (role === 'worker')
          await workers.update(session, slotsOf(session, workers.by.wallet_key, wallet), anything, (row) => ({
            ...row,
            onchainScore: score,
          }))
        else
          await publisherScores.upsert(
            session,
            { wallet, avgScore: score, ratingCount: count },
            publisherScores.by.pkey,
            (row) => ({ ...row, avgScore: score, ratingCount: count }),
          )
      }),
    isBanned: (wallet) => line.read('isBanned', (viewer) => rowOf(viewer, bans.by.pkey, wallet) !== undefined),
    bannedWallets: () => line.read('bannedWallets', (viewer) => allRows(viewer, bans).map(({ wallet }) => wallet)),
    adminVersion: () =>
      line.read('adminVersion', (viewer) => rowOf(viewer, adminVersion.by.pkey, 'one')?.version ?? 0n),
    runChanges: () => line.read('runChanges', (viewer) => runChangesOf(disk, viewer)),
    putBlock: (block) =>
      line.write(
        'putBlock',
        async (session) => (await blocks.upsert(session, block, blocks.by.blocker_blocked_key, (row) => row)) ?? block,
      ),
    removeBlock: (blocker, blocked) =>
      line.write(
        'removeBlock',
        async (session) =>
          (
            await blocks.remove(
              session,
              slotsOf(session, blocks.by.blocker_blocked_key, keyOf(blocker, blocked)),
              anything,
            )
          ).length > 0,
      ),
    areApart: (one, other) =>
      line.read('areApart', (viewer) =>
        [keyOf(one, other), keyOf(other, one)].some(
          (key) => rowOf(viewer, blocks.by.blocker_blocked_key, key) !== undefined,
        ),
      ),
    correlations: (executorIds, publisherWallet) =>
      line.read('correlations', (viewer) => {
        const completed = executorIds.map(
          (id) =>
            [id, allRows(viewer, tasks, ({ task }) => task.executorId === id && task.status === 'completed')] as const,
        )
        return new Map(
          completed
            .filter(([, rows]) => rows.length > 0)
            .map(([id, rows]) => [
              id,
              {
                tasksTogether: rows.filter(({ task }) => task.publisherWallet === publisherWallet).length,
                totalCompleted: rows.length,
                distinctPublishers: new Set(rows.map(({ task }) => task.publisherWallet)).size,
              },
            ]),
        )
      }),
  }
}
