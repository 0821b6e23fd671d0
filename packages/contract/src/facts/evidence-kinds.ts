import type { EvidenceContentType } from './file-kinds.ts'
import { evidenceContentTypes } from './file-kinds.ts'

export const evidenceTypes = [
  'photo',
  'photo_geo',
  'gps',
  'video',
  'document',
  'receipt',
  'signature',
  'notarized',
  'timestamp_proof',
  'text_response',
  'measurement',
  'screenshot',
  'json_response',
  'api_response',
  'code_output',
  'file_artifact',
  'url_reference',
  'structured_data',
  'text_report',
] as const
/** Kinds of evidence a task may ask for. */
export type EvidenceType = (typeof evidenceTypes)[number]

/** The largest values that are taken as evidence. */
export const evidenceLimits = {
  /** Characters of an answer, a report or a proof. */
  text: 20_000,
  /** Characters of JSON. */
  json: 100_000,
  /** Characters of a link. */
  link: 2_048,
  /** Positions measured beside one position. */
  samples: 30,
  /** Characters of a unit. */
  unit: 40,
} as const

/** What a value is, where no file is asked for. */
export type ValueForm =
  | 'position'
  | 'timestamp_proof'
  | 'answer'
  | 'measurement'
  | 'json'
  | 'api_response'
  | 'code_output'
  | 'link'
  | 'structure'

/** What one kind of evidence has to be; `says` is that in words, for refusals and the reference. */
export type EvidenceKind = { readonly says: string } & (
  | { readonly kind: 'file'; readonly contentTypes: readonly EvidenceContentType[] }
  | { readonly kind: 'value'; readonly form: ValueForm }
)

const image = ['image/jpeg', 'image/png', 'image/webp', 'image/heic'] as const
const film = ['video/mp4', 'video/quicktime'] as const
const paper = [...image, 'application/pdf'] as const

const file = <Types extends readonly EvidenceContentType[]>(contentTypes: Types) =>
  ({
    kind: 'file',
    contentTypes,
    says: 'a link from GET /api/v1/evidence/presign-upload for this task, with the file uploaded',
  }) as const
const value = (form: ValueForm, says: string) => ({ kind: 'value', form, says }) as const
const answer = value('answer', `text of 1 to ${evidenceLimits.text} characters`)

/** A new kind of evidence does not compile until its row is whole. */
export const evidenceKinds = {
  photo: file(image),
  photo_geo: file(image),
  gps: value(
    'position',
    'lat -90 to 90, lng -180 to 180 (WGS 84); optional accuracy_meters 0 to 100000, timestamp, and ' +
      `1 to ${evidenceLimits.samples} samples of the same fields`,
  ),
  video: file(film),
  document: file(paper),
  receipt: file(paper),
  signature: file(paper),
  notarized: file(paper),
  timestamp_proof: value(
    'timestamp_proof',
    'timestamp (ISO 8601 with zone) and proof (text: a token, a transaction, a link); ' +
      'optional sha256 of what is proven, 64 lowercase hex digits',
  ),
  text_response: answer,
  measurement: value(
    'measurement',
    `value (number) and unit (text up to ${evidenceLimits.unit} characters); ` +
      'optional uncertainty (number from 0) and taken_at (ISO 8601 with zone)',
  ),
  screenshot: file(image),
  json_response: value('json', `any JSON but null and the empty text, up to ${evidenceLimits.json} characters`),
  api_response: value(
    'api_response',
    'status (100 to 599) and body (any JSON); optional url and headers (texts by name)',
  ),
  code_output: value(
    'code_output',
    'stdout (text) and exit_code (whole number, -128 to 255); optional stderr and command',
  ),
  file_artifact: file(evidenceContentTypes),
  url_reference: value('link', `an https URL without credentials, up to ${evidenceLimits.link} characters`),
  structured_data: value(
    'structure',
    `an object or a list with at least one entry, up to ${evidenceLimits.json} characters`,
  ),
  text_report: answer,
} as const satisfies Readonly<Record<EvidenceType, EvidenceKind>>

/** The kind of a type by its name as a row carries it; undefined for a word that is none. */
export function evidenceKindOf(type: string): EvidenceKind | undefined {
  const kinds: Readonly<Record<string, EvidenceKind>> = evidenceKinds
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined
}

/** The media types of files that a type takes: none where it is a value. */
export function filesOf(type: EvidenceType): readonly EvidenceContentType[] {
  const kind: EvidenceKind = evidenceKinds[type]
  return kind.kind === 'file' ? kind.contentTypes : []
}

/** Types whose file may be a picture. */
export const pictureTypes: ReadonlySet<string> = new Set(
  evidenceTypes.filter((type) => type !== 'file_artifact' && filesOf(type).includes('image/jpeg')),
)
