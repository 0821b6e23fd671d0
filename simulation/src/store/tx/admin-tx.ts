import type { Disk } from '../engine/database.ts'
import type { Session, Viewer } from '../engine/session.ts'
import { allRows, lockRows, slotsOf } from '../engine/table.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type AdminPart = Part<'addAudit' | 'putBan' | 'removeBan' | 'lockRunChanges' | 'putRunChange'>

export function adminTx({ disk, run }: TxDeps): AdminPart {
  const { auditLog, bans, runConfig, adminVersion } = disk.tables
  return {
    addAudit: (line) =>
      run('tx.addAudit', async (session) => {
        await auditLog.insert(session, line)
      }),
    putBan: (ban) =>
      run('tx.putBan', async (session) => {
        const isNew = await bans.insert(session, ban, [bans.by.pkey])
        await moveVersion(disk, session)
        return isNew
      }),
    removeBan: (wallet) =>
      run('tx.removeBan', async (session) => {
        const [ban] = await bans.remove(session, slotsOf(session, bans.by.pkey, wallet), anything)
        await moveVersion(disk, session)
        return ban ?? null
      }),
    lockRunChanges: async () => {
      await run('tx.lockAdminVersion', (session) =>
        lockRows(session, slotsOf(session, adminVersion.by.pkey, 'one'), anything),
      )
      return run('tx.lockRunChanges', (session) => runChangesOf(disk, session))
    },
    putRunChange: (key, value) =>
      run('tx.putRunChange', async (session) => {
        if (value === null) await runConfig.remove(session, slotsOf(session, runConfig.by.pkey, key), anything)
        else {
          await runConfig.upsert(session, { key, value }, runConfig.by.pkey, (row) => ({ ...row, value }))
          // An insert that may update is both, and each has its trigger.
          await moveVersion(disk, session)
        }
        await moveVersion(disk, session)
      }),
  }
}

/** The triggers of bans and settings. */
async function moveVersion({ tables: { adminVersion } }: Disk, session: Session): Promise<void> {
  await adminVersion.update(session, slotsOf(session, adminVersion.by.pkey, 'one'), anything, ({ version }) => ({
    version: version + 1n,
  }))
}

/** Only values that met the schema of their key are ever written. */
export function runChangesOf(
  { tables: { runConfig } }: Disk,
  viewer: Viewer,
): Awaited<ReturnType<AdminPart['lockRunChanges']>> {
  return Object.fromEntries(allRows(viewer, runConfig).map(({ key, value }) => [key, value]))
}
