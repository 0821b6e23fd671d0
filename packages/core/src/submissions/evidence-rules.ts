import type { EvidenceType } from '@ergon/contract'
import { evidenceKindOf, evidenceKinds, type EvidenceKind, type ValueForm } from '@ergon/contract/facts'
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

const forms: Readonly<Record<ValueForm, (value: unknown) => boolean>> = {
  position: isPosition,
  timestamp_proof: isTimestampProof,
  answer: isAnswer,
  measurement: isMeasurement,
  json: isJson,
  api_response: isApiResponse,
  code_output: isCodeOutput,
  link: isSecureLink,
  structure: isStructure,
}

/**
 * A stored file as a submission refers to it; links are made anew whenever it is read. `clean_key` names the
 * copy for the other side (decision 0052), where it differs.
 */
export type StoredFile = {
  readonly key: string
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string
  readonly clean_key?: string
}

/**
 * The stored file behind a piece of evidence. Only types whose rule is a file have one: what a worker wrote under any
 * other type stays what it is, even when it looks like one.
 */
export function storedFile(type: string, value: unknown): StoredFile | null {
  // The submit flow alone writes values of file types, and writes nothing else.
  return evidenceKindOf(type)?.kind === 'file' ? (value as StoredFile) : null
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

/** Whether a value has the form of its type; the submit flow looks up the file behind a link. */
export function fitsRule(type: EvidenceType, value: unknown): boolean {
  const kind: EvidenceKind = evidenceKinds[type]
  return kind.kind === 'file' ? isLink(value) : forms[kind.form](value)
}

/** The schema check of decision 0041: it alone is decided here, and the score follows from it. */
export const schemaCheck: Check = passed('schema', say('evidence_complete'))
