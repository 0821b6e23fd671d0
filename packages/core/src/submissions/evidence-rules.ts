import type { EvidenceType } from '@ergon/contract'
import { MarketError } from '../errors.ts'
import type { Check, Evidence } from './submission.ts'

/** How a value of one evidence type is held against its rule. */
export type EvidenceRule =
  | { readonly kind: 'file'; readonly contentTypes: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'position' }
  | { readonly kind: 'json' }
  | { readonly kind: 'url' }

const image = ['image/jpeg', 'image/png', 'image/webp']
const paper = [...image, 'application/pdf']
const anyFile = [...paper, 'video/mp4', 'text/plain', 'application/json']

/** A new evidence type does not compile until it has a rule. */
export const evidenceRules: Readonly<Record<EvidenceType, EvidenceRule>> = {
  photo: { kind: 'file', contentTypes: image },
  photo_geo: { kind: 'file', contentTypes: image },
  gps: { kind: 'position' },
  video: { kind: 'file', contentTypes: ['video/mp4'] },
  document: { kind: 'file', contentTypes: paper },
  receipt: { kind: 'file', contentTypes: paper },
  signature: { kind: 'file', contentTypes: paper },
  notarized: { kind: 'file', contentTypes: paper },
  timestamp_proof: { kind: 'json' },
  text_response: { kind: 'text' },
  measurement: { kind: 'json' },
  screenshot: { kind: 'file', contentTypes: image },
  json_response: { kind: 'json' },
  api_response: { kind: 'json' },
  code_output: { kind: 'json' },
  file_artifact: { kind: 'file', contentTypes: anyFile },
  url_reference: { kind: 'url' },
  structured_data: { kind: 'json' },
  text_report: { kind: 'text' },
}

// The keys of a record over EvidenceType are exactly its words.
export const evidenceTypes = Object.keys(evidenceRules) as readonly EvidenceType[]

/** A stored file as a submission refers to it; links are made anew whenever somebody may read it. */
export type StoredFile = { readonly key: string; readonly content_type: string; readonly bytes: number; readonly sha256: string }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The stored file behind a piece of evidence. Only types whose rule is a file have one: what a worker wrote under any
 * other type stays what it is, even when it looks like one.
 */
export function storedFile(type: string, value: unknown): StoredFile | null {
  const rule = Object.entries(evidenceRules).find(([name]) => name === type)?.[1]
  // The submit flow alone writes values of file types, and writes nothing else.
  return rule?.kind === 'file' ? (value as StoredFile) : null
}

/**
 * @throws EVIDENCE_MISSING naming the types that are required and absent, EVIDENCE_INVALID for a type the task did not ask for.
 */
export function requireEvidence(evidence: Evidence, required: readonly EvidenceType[], optional: readonly EvidenceType[]): void {
  const missing = required.filter((type) => evidence[type] === undefined)
  if (missing.length > 0) throw new MarketError('EVIDENCE_MISSING', { missing })
  const uninvited = Object.keys(evidence).filter((type) => !required.some((one) => one === type) && !optional.some((one) => one === type))
  if (uninvited.length > 0) throw new MarketError('EVIDENCE_INVALID', { field: uninvited[0] ?? '', constraint: 'a type this task asks for' })
}

/** Whether a value has the form of its type; what a link stands for is looked up by the submit flow. */
export function fitsRule(type: EvidenceType, value: unknown): boolean {
  const rule = evidenceRules[type]
  switch (rule.kind) {
    case 'file':
    case 'url':
      return typeof value === 'string' && value.length <= 2_048 && /^https?:\/\/[^\s]+$/.test(value)
    case 'text':
      return typeof value === 'string' && value.trim() !== ''
    case 'position':
      return isRecord(value) && isWithin(value['lat'], 90) && isWithin(value['lng'], 180)
    case 'json':
      return value !== null && value !== '' && JSON.stringify(value).length <= 100_000
  }
}

const isWithin = (value: unknown, bound: number): boolean => typeof value === 'number' && Math.abs(value) <= bound

/** The schema check of decision 0041: it alone is decided here, and the score follows from it. */
export const schemaCheck: Check = { name: 'schema', result: 'passed', reason: 'every required type is there and keeps its rule' }

/** Weighted share of decided checks, and how much of all checks could decide (decision 0041). */
export function scoreOf(checks: readonly Check[]): { readonly score: number | null; readonly coverage: number | null } {
  const applicable = checks.filter((check) => check.result !== 'not_applicable')
  const decided = applicable.filter((check) => check.result === 'passed' || check.result === 'failed')
  if (decided.length === 0) return { score: null, coverage: applicable.length === 0 ? null : 0 }
  return { score: decided.filter((check) => check.result === 'passed').length / decided.length, coverage: decided.length / applicable.length }
}
