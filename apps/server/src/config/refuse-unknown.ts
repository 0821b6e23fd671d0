import { firstUnknownName, sayUnknownName } from '@ergon/process'
import { networks } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { settings } from './settings-table.ts'

/** What nothing reads as it is written is a setting that its operator believes in. @throws ConfigError naming it */
export function refuseUnknown(raw: RawSettings): void {
  if (raw.fault !== undefined) throw new ConfigError(raw.fault)
  // A row of a file is served by its name, whatever the table has.
  const served = (raw.text('SVC_NETWORKS') ?? '').split(',').map((name) => name.trim())
  const nodes = [...Object.keys(networks), ...served].map(
    (name) => `SVC_RPC_${name.toUpperCase().replaceAll('-', '_')}`,
  )
  const unknown = firstUnknownName(raw.names, [...settings.map(({ name }) => name), ...nodes])
  if (unknown !== undefined) throw new ConfigError(sayUnknownName(unknown))
}
