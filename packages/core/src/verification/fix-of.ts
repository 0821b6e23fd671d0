import type { Fix } from './scene.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The position behind `gps` evidence, with its raw fixes; null when none was handed in. The submit flow held its form.
 */
export function fixOf(gps: unknown): (Fix & { readonly samples: readonly Fix[] }) | null {
  const fix = readFix(gps)
  if (fix === null || !isRecord(gps)) return null
  const samples = Array.isArray(gps['samples']) ? gps['samples'] : []
  return { ...fix, samples: samples.map(readFix).filter((one) => one !== null) }
}

function readFix(value: unknown): Fix | null {
  if (!isRecord(value)) return null
  const { lat, lng, accuracy_meters: accuracy, timestamp } = value
  if (typeof lat !== 'number' || typeof lng !== 'number') return null
  return {
    lat,
    lng,
    accuracyM: typeof accuracy === 'number' ? accuracy : null,
    at: typeof timestamp === 'string' ? readInstant(timestamp) : null,
  }
}

/** Null for what is no instant with a zone: a wall clock somewhere is no moment. */
export function readInstant(text: string): Date | null {
  if (!/(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text)) return null
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}
