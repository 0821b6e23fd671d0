import type { EvidenceType } from '@ergon/contract'
import { MarketError } from '../errors.ts'
import { passed } from '../verification/outcome.ts'
import { say } from '../verification/reasons.ts'
import {
  isAnswer,
  isApiResponse,
  isCodeOutput,
  isJson,
  isLink,
  isMeasurement,
  isPosition,
  isSecureLink,
  isStructure,
  isTimestampProof,
} from './evidence-values.ts'
import type { Check, Evidence } from './submission.ts'

/**
 * How a value of one evidence type is held against its rule; `says` is the rule in words, for refusals and the
 * reference.
 */
export type EvidenceRule = { readonly says: string } & (
  | { readonly kind: 'file'; readonly contentTypes: readonly string[] }
  | { readonly kind: 'value'; readonly fits: (value: unknown) => boolean }
)

const image = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']
const film = ['video/mp4', 'video/quicktime']
const paper = [...image, 'application/pdf']
const anyFile = [...paper, ...film, 'text/plain', 'application/json']

const file = (contentTypes: readonly string[]): EvidenceRule => ({
  kind: 'file',
  contentTypes,
  says: 'a link from GET /api/v1/evidence/presign-upload for this task, with the file uploaded',
})
const value = (fits: (value: unknown) => boolean, says: string): EvidenceRule => ({ kind: 'value', fits, says })
const answer = value(isAnswer, 'text of 1 to 20000 characters')
const json = value(isJson, 'any JSON but null and the empty text, up to 100000 characters')

/** A new evidence type does not compile until it has a rule. */
export const evidenceRules: Readonly<Record<EvidenceType, EvidenceRule>> = {
  photo: file(image),
  photo_geo: file(image),
  gps: value(
    isPosition,
    'lat -90 to 90, lng -180 to 180 (WGS 84); optional accuracy_meters 0 to 100000, timestamp, and 1 to 30 samples of the same fields',
  ),
  video: file(film),
  document: file(paper),
  receipt: file(paper),
  signature: file(paper),
  notarized: file(paper),
  timestamp_proof: value(
    isTimestampProof,
    'timestamp (ISO 8601 with zone) and proof (text: a token, a transaction, a link); optional sha256 of what is proven, 64 lowercase hex digits',
  ),
  text_response: answer,
  measurement: value(
    isMeasurement,
    'value (number) and unit (text up to 40 characters); optional uncertainty (number from 0) and taken_at (ISO 8601 with zone)',
  ),
  screenshot: file(image),
  json_response: json,
  api_response: value(
    isApiResponse,
    'status (100 to 599) and body (any JSON); optional url and headers (texts by name)',
  ),
  code_output: value(
    isCodeOutput,
    'stdout (text) and exit_code (whole number, -128 to 255); optional stderr and command',
  ),
  file_artifact: file(anyFile),
  url_reference: value(isSecureLink, 'an https URL without credentials, up to 2048 characters'),
  structured_data: value(isStructure, 'an object or a list with at least one entry, up to 100000 characters'),
  text_report: answer,
}

// The keys of a record over EvidenceType are exactly its words.
export const evidenceTypes = Object.keys(evidenceRules) as readonly EvidenceType[]

/**
 * A stored file as a submission refers to it; links are made anew whenever somebody may read it. `clean_key` names the
 * copy for the other side (decision 0052), where it differs.
 */
export type StoredFile = {
  readonly key: string
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string
  readonly clean_key?: string
}

/** The rule of a type by its name as a row carries it. */
export function evidenceRuleOf(type: string): EvidenceRule | undefined {
  return Object.entries(evidenceRules).find(([name]) => name === type)?.[1]
}

/**
 * The stored file behind a piece of evidence. Only types whose rule is a file have one: what a worker wrote under any
 * other type stays what it is, even when it looks like one.
 */
export function storedFile(type: string, value: unknown): StoredFile | null {
  // The submit flow alone writes values of file types, and writes nothing else.
  return evidenceRuleOf(type)?.kind === 'file' ? (value as StoredFile) : null
}

/**
 * @throws EVIDENCE_MISSING naming the types that are required and absent, EVIDENCE_INVALID for a type the task did not
 * ask for.
 */
export function requireEvidence(
  evidence: Evidence,
  required: readonly EvidenceType[],
  optional: readonly EvidenceType[],
): void {
  const missing = required.filter((type) => evidence[type] === undefined)
  if (missing.length > 0) throw new MarketError('EVIDENCE_MISSING', { missing })
  const uninvited = Object.keys(evidence).filter(
    (type) => !required.some((one) => one === type) && !optional.some((one) => one === type),
  )
  if (uninvited.length > 0)
    throw new MarketError('EVIDENCE_INVALID', { field: uninvited[0] ?? '', constraint: 'a type this task asks for' })
}

/** Whether a value has the form of its type; what a link stands for is looked up by the submit flow. */
export function fitsRule(type: EvidenceType, value: unknown): boolean {
  const rule = evidenceRules[type]
  return rule.kind === 'file' ? isLink(value) : rule.fits(value)
}

/** The schema check of decision 0041: it alone is decided here, and the score follows from it. */
export const schemaCheck: Check = passed('schema', say('evidence_complete'))
