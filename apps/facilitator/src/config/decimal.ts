import { StartupError } from '../errors.ts'

/** A setting such as `0.002`, in units of which `places` make one. Throws `StartupError` naming it. */
export function decimal(name: string, value: string | undefined, otherwise: string, places: number): bigint {
  const text = value === undefined || value === '' ? otherwise : value
  const [, whole = '', rest = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || rest.length > places)
    throw new StartupError(`${name} must be a number with at most ${String(places)} decimals`)
  return BigInt(whole + rest.padEnd(places, '0'))
}
