import type { EvidenceType } from '@ergon/contract'
import type { EvidenceContentType } from '@ergon/contract/facts'

/** One captured answer: a file, or a value as the contract takes it. */
export type Answer =
  | { readonly kind: 'file'; readonly blob: Blob; readonly contentType: EvidenceContentType; readonly name: string }
  | { readonly kind: 'value'; readonly value: unknown }
export type Answers = { readonly [T in EvidenceType]?: Answer }

/** What was captured for one task and is not handed in yet. */
export type Draft = {
  readonly wallet: string
  readonly taskId: string
  readonly title: string
  readonly answers: Answers
}

/** What is handed in for one task, kept until the service has it. */
export type Parcel = {
  /** Also the idempotency key: however often it is sent, one submission is made of it. */
  readonly id: string
  readonly wallet: string
  readonly taskId: string
  readonly title: string
  readonly deadline: string
  readonly answers: Answers
  /** What the worker says beside the evidence; absent when nothing. */
  readonly notes?: string
  /** The device clock when it was handed in, which the checks compare. */
  readonly device: { readonly clock: string; readonly utc_offset_minutes: number }
  /** The links of the files that are up already, by type. */
  readonly uploaded: Readonly<Partial<Record<EvidenceType, string>>>
  readonly state: 'waiting' | 'sent' | 'refused'
  readonly attempts: number
  /** Milliseconds since the epoch; not sent before. */
  readonly dueAt: number
  /** When it was tried last, by the same clock; absent before that, and in what an older build kept. */
  readonly triedAt?: number
  /** The code of the last failure. */
  readonly failure: string | null
}

const firstPauseMs = 2_000
const longestPauseMs = 5 * 60_000

/** A clock that was set back says nothing of how long a parcel has waited: then it is due. */
export function isDue({ state, dueAt, triedAt = 0 }: Parcel, now: number, isAsked: boolean): boolean {
  return state === 'waiting' && (isAsked || dueAt <= now || now < triedAt)
}

/** Of one person for one task: of these at most one waits. */
export function isOfSameTask(
  one: Pick<Parcel, 'wallet' | 'taskId'>,
  other: Pick<Parcel, 'wallet' | 'taskId'>,
): boolean {
  return one.wallet === other.wallet && one.taskId === other.taskId
}

/** How many bytes of files have yet to be sent. */
export function bytesLeft({ answers, uploaded }: Parcel): number {
  const files = Object.entries(answers).filter(([type]) => uploaded[type as EvidenceType] === undefined)
  return files.reduce((sum, [, answer]) => sum + (answer.kind === 'file' ? answer.blob.size : 0), 0)
}

/** The task ran out before the service had it. The service decides by its own clock, so it is sent all the same. */
export function isLate(parcel: Parcel, now: number): boolean {
  return parcel.state === 'waiting' && Date.parse(parcel.deadline) <= now
}

/** What becomes of a parcel that did not get through: it waits longer each time, or rests with the refusal. */
export function afterFailure(
  parcel: Parcel,
  failure: { readonly code: string; readonly canRetry: boolean; readonly retryAfterSec: number | undefined },
  now: number,
): Parcel {
  const attempts = parcel.attempts + 1
  if (!failure.canRetry) return { ...parcel, attempts, state: 'refused', failure: failure.code }
  const pause = Math.max(
    Math.min(firstPauseMs * 2 ** parcel.attempts, longestPauseMs),
    (failure.retryAfterSec ?? 0) * 1_000,
  )
  return { ...parcel, attempts, failure: failure.code, dueAt: now + pause, triedAt: now }
}

/** Once sent, the files are let go; that it was sent stays. */
export function afterSending(parcel: Parcel): Parcel {
  return { ...parcel, state: 'sent', answers: {}, uploaded: {}, failure: null }
}
