import { StartupError } from '../errors.ts'

/** A setting such as `0.002`, in units of which `places` make one. Throws `StartupError` naming it. */
export function decimal(name: string, value: string | undefined, otherwise: string, places: number): bigint {
  const units = unitsOf(value === undefined || value === '' ? otherwise : value, places)
  if (units === undefined) throw new StartupError(`${name} must be a number with at most ${String(places)} decimals`)
  return units
}

/** Undefined for what is no plain number with so many decimals at the most: nothing, a sign, an exponent, hex. */
export function unitsOf(text: string, places: number): bigint | undefined {
  const [, whole = '', rest = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  return whole === '' || rest.length > places ? undefined : BigInt(whole + rest.padEnd(places, '0'))
}
