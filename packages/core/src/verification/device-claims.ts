import { readInstant } from './fix-of.ts'

/** What a device said about its clock with a submission. */
export type DeviceClaims = { readonly clock: Date | null; readonly utcOffsetMin: number | null }

const zoneMost = 14 * 60

/** What `device_metadata` means: `clock` (ISO 8601 with zone; another is no moment) and `utc_offset_minutes`. */
export function deviceClaims(metadata: Readonly<Record<string, unknown>> | null): DeviceClaims {
  const clock = metadata?.['clock']
  const offset = metadata?.['utc_offset_minutes']
  return {
    clock: typeof clock === 'string' && clock.length <= 40 ? readInstant(clock) : null,
    utcOffsetMin:
      typeof offset === 'number' && Number.isInteger(offset) && Math.abs(offset) <= zoneMost ? offset : null,
  }
}
