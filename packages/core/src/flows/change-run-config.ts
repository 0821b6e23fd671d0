import type { RunConfig, RunConfigKey } from '@ergon/contract'
import type { AdminAct } from '../admin/audit-line.ts'
import { requireSound } from '../admin/run-config.ts'
import { closedNames, everyNetwork } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
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
  if (key === 'networks.closed') requireServed(deps, String(value ?? ''))
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

/** A name that is misspelt would close nothing. @throws VALIDATION_FAILED */
function requireServed({ networks }: MarketDeps, list: string): void {
  const served = [everyNetwork, ...networks.map(({ name }) => name)]
  const unknown = closedNames(list).find((one) => !served.includes(one))
  if (unknown === undefined) return
  const constraint = `of ${served.join(', ')}`
  throw new MarketError('VALIDATION_FAILED', { field: 'value', key: 'networks.closed', constraint, received: unknown })
}
