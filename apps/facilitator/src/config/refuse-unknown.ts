import { firstUnknownName, sayUnknownName } from '@ergon/process'
import { networks, type Network } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import { settings } from './settings-table.ts'

/** A name that nothing reads is a setting that its operator believes in. Throws `StartupError` naming it. */
export function refuseUnknown(names: readonly string[], served: readonly { readonly row: Network }[]): void {
  const chains = [...Object.keys(networks), ...served.map(({ row }) => row.name)]
  const nodes = chains.map((name) => `FACILITATOR_RPC_${name.toUpperCase().replaceAll('-', '_')}`)
  const unknown = firstUnknownName(names, [...settings.map(({ name }) => name), ...nodes])
  if (unknown !== undefined) throw new StartupError(sayUnknownName(unknown))
}
