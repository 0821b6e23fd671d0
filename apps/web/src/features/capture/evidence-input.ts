import type { EvidenceType } from '@ergon/contract'
import { filesOf, type EvidenceContentType } from '@ergon/contract/facts'
import { measureTyped, typedNumber } from '../../lib/number-typed.ts'

/** How a person gives each type of evidence. */
export type EvidenceInput = 'camera' | 'file' | 'position' | 'text' | 'link' | 'json' | 'measurement' | 'timestamp'

export const evidenceInputs: Readonly<Record<EvidenceType, EvidenceInput>> = {
  photo: 'camera',
  photo_geo: 'camera',
  gps: 'position',
  video: 'file',
  document: 'camera',
  receipt: 'camera',
  signature: 'camera',
  notarized: 'file',
  timestamp_proof: 'timestamp',
  text_response: 'text',
  measurement: 'measurement',
  screenshot: 'file',
  json_response: 'json',
  api_response: 'json',
  code_output: 'json',
  file_artifact: 'file',
  url_reference: 'link',
  structured_data: 'json',
  text_report: 'text',
}

/** What every browser can turn into a JPEG, which is what a position is written into. */
const drawn = ['image/jpeg', 'image/png', 'image/webp'] as const
/** The kinds of file that the service takes under a type. */
export function acceptedFiles(type: EvidenceType): readonly EvidenceContentType[] {
  return type === 'photo_geo' ? drawn : filesOf(type)
}

export type TypedValue = { readonly value: unknown } | { readonly fault: 'required' | 'malformed' }

/** What was typed, as the service takes it. */
export function readTyped(input: EvidenceInput, typed: string, locale: string): TypedValue {
  const text = typed.trim()
  if (text === '') return { fault: 'required' }
  if (input === 'link')
    return URL.canParse(text) && new URL(text).protocol === 'https:' && text.length <= 2_048
      ? { value: text }
      : { fault: 'malformed' }
  if (input === 'json') return readJson(text)
  if (input === 'timestamp') return { value: { timestamp: new Date().toISOString(), proof: text } }
  if (input === 'measurement') {
    const [, figure = '', unit] = /^(-?\d[\d.,\s'’]*?)\s*([^\d\s.,'’].{0,39})$/.exec(text) ?? []
    const value = measureTyped(figure, locale)
    return typeof value !== 'number' || unit === undefined
      ? { fault: 'malformed' }
      : { value: { value, unit: unit.trim() } }
  }
  return { value: text }
}

function readJson(text: string): TypedValue {
  try {
    const value: unknown = JSON.parse(text)
    return value === null || value === '' ? { fault: 'malformed' } : { value }
  } catch {
    return { fault: 'malformed' }
  }
}

/** The other way round: what is typed to say a value that was read before. */
export function writeTyped(input: EvidenceInput, value: unknown, locale: string): string {
  if (input === 'json') return JSON.stringify(value, null, 2)
  if (typeof value === 'string') return value
  // What `readTyped` makes of these two.
  const {
    value: figure,
    unit = '',
    proof = '',
  } = value as { readonly value?: number; readonly unit?: string; readonly proof?: string }
  return input === 'timestamp' ? proof : `${figure === undefined ? '' : typedNumber(figure, locale)} ${unit}`.trim()
}
