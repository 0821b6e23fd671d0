import type { RunConfig, RunConfigKey } from '@ergon/contract'
import type { AdminAct } from '../admin/audit-line.ts'
import { requireSound } from '../admin/run-config.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'

export type RunConfigChange = {
  readonly key: RunConfigKey
  /** Null goes back to what the deployment set. */
  readonly value: string | number | boolean | null
  readonly defaults: RunConfig
}

/** Changes one setting of the running service, or goes back to what the deployment set (decision 0058). */
export async function changeRunConfig(
  deps: MarketDeps,
  { key, value, defaults }: RunConfigChange,
  act: AdminAct,
): Promise<RunConfig> {
  return deps.store.transaction(async (tx) => {
    const standing = await tx.lockRunChanges()
    const { [key]: before = null, ...others } = standing
    const config = requireSound(defaults, value === null ? others : { ...others, [key]: value })
    if (before === value) return config
    await tx.putRunChange(key, value, deps.clock.now())
    await tx.addAudit(auditLine(deps, act, 'config.set', key, { value: before }, { value }))
    return config
  })
}
