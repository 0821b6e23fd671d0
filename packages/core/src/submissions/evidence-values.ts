import { evidenceLimits, showsSomething } from '@ergon/contract/facts'

/** What a value of a kind has to be; every rule is a question about plain JSON, and none of them throws. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && showsSomething(value) && value.length <= max
const isWithin = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high
const isWhole = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && isWithin(value, low, high)
/** An absent field keeps any rule. */
const isAbsentOr = (value: unknown, keeps: (value: unknown) => boolean): boolean => value === undefined || keeps(value)

const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && instantShape.test(value) && !Number.isNaN(Date.parse(value))

const { text: textMax, json: jsonMax, link: linkMax, samples: samplesMax, unit: unitMax } = evidenceLimits

export const isLink = (value: unknown): boolean => isText(value, linkMax) && /^https?:\/\/[^\s]+$/.test(value)
export const isSecureLink = (value: unknown): boolean =>
  isText(value, linkMax) && /^https:\/\/[^\s/?#@]+(?:[/?#][^\s]*)?$/.test(value)
export const isAnswer = (value: unknown): boolean => isText(value, textMax)

export function isJson(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && JSON.stringify(value).length <= jsonMax
}

/** A collection with something in it. */
export function isStructure(value: unknown): boolean {
  return (Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0) && isJson(value)
}

function isFix(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isRecord(value) &&
    isWithin(value['lat'], -90, 90) &&
    isWithin(value['lng'], -180, 180) &&
    isAbsentOr(value['accuracy_meters'], (meters) => isWithin(meters, 0, 100_000)) &&
    isAbsentOr(value['timestamp'], isInstant)
  )
}

export function isPosition(value: unknown): boolean {
  if (!isFix(value)) return false
  const samples = value['samples']
  return (
    samples === undefined ||
    (Array.isArray(samples) && samples.length > 0 && samples.length <= samplesMax && samples.every(isFix))
  )
}

export function isMeasurement(value: unknown): boolean {
  return (
    isRecord(value) &&
    isJson(value) &&
    typeof value['value'] === 'number' &&
    Number.isFinite(value['value']) &&
    isText(value['unit'], unitMax) &&
    isAbsentOr(value['uncertainty'], (spread) => isWithin(spread, 0, Number.MAX_VALUE)) &&
    isAbsentOr(value['taken_at'], isInstant)
  )
}

export function isTimestampProof(value: unknown): boolean {
  return (
    isRecord(value) &&
    isJson(value) &&
    isInstant(value['timestamp']) &&
    isText(value['proof'], textMax) &&
    isAbsentOr(value['sha256'], (hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
  )
}

export function isApiResponse(value: unknown): boolean {
  return (
    isRecord(value) &&
    isJson(value) &&
    isWhole(value['status'], 100, 599) &&
    'body' in value &&
    isAbsentOr(value['url'], isLink) &&
    isAbsentOr(
      value['headers'],
      (headers) => isRecord(headers) && Object.values(headers).every((one) => typeof one === 'string'),
    )
  )
}

export function isCodeOutput(value: unknown): boolean {
  return (
    isRecord(value) &&
    isJson(value) &&
    typeof value['stdout'] === 'string' &&
    isWhole(value['exit_code'], -128, 255) &&
    isAbsentOr(value['stderr'], (text) => typeof text === 'string') &&
    isAbsentOr(value['command'], (text) => isText(text, 2_000))
  )
}
