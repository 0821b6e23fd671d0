import type { Hex } from '@ergon/protocols'
import { gasOfRating } from '../gas/gas-budget.ts'
import { malformed, readHex32, readInteger, readOptionalText, readRecord } from '../wire/read.ts'
import { readAgentId } from './network.ts'

export type Feedback = {
  readonly agentId: bigint
  readonly value: bigint
  readonly valueDecimals: number
  readonly tag1: string
  readonly tag2: string
  readonly endpoint: string
  readonly feedbackUri: string
  readonly feedbackHash: Hex
}

const keys = [
  'agentId',
  'value',
  'valueDecimals',
  'tag1',
  'tag2',
  'endpoint',
  'feedbackUri',
  'feedbackHash',
  'score',
  'rater',
  'proof',
  'payment',
]
const noHash: Hex = `0x${'0'.repeat(64)}`

/** The registry's own limits on value and decimals, so that a bad one costs no simulation. */
export function readFeedback(value: unknown): Feedback {
  const record = readRecord(value, 'feedback', keys)
  return {
    agentId: readAgentId(record['agentId'], 'feedback.agentId'),
    value: readValue(record['value'] ?? record['score']),
    valueDecimals:
      record['valueDecimals'] === undefined ? 0 : readInteger(record['valueDecimals'], 'feedback.valueDecimals', 18),
    tag1: readOptionalText(record['tag1'], 'feedback.tag1', 128) ?? '',
    tag2: readOptionalText(record['tag2'], 'feedback.tag2', 128) ?? '',
    endpoint: readOptionalText(record['endpoint'], 'feedback.endpoint', 2_048) ?? '',
    feedbackUri: readOptionalText(record['feedbackUri'], 'feedback.feedbackUri', 2_048) ?? '',
    feedbackHash:
      record['feedbackHash'] === undefined ? noHash : readHex32(record['feedbackHash'], 'feedback.feedbackHash'),
  }
}

/** What writing it may cost at most. */
export function gasOfFeedback({ tag1, tag2, endpoint, feedbackUri }: Feedback): number {
  return gasOfRating({ stored: Buffer.byteLength(tag1 + tag2), logged: Buffer.byteLength(endpoint + feedbackUri) })
}

function readValue(value: unknown): bigint {
  const isInteger =
    typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && /^-?[0-9]{1,39}$/.test(value)
  // Checked on the line above.
  const number = isInteger ? BigInt(value as number | string) : undefined
  if (number === undefined || number > 10n ** 38n || number < -(10n ** 38n))
    throw malformed('feedback.value', 'an integer of at most 38 digits')
  return number
}
