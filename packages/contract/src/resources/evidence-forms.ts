import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import {
  evidenceKinds,
  evidenceLimits,
  evidenceTypes,
  type EvidenceType,
  type ValueForm,
} from '../facts/evidence-kinds.ts'
import { open, optional } from '../schema.ts'
import { limits } from '../vocabulary.ts'
import { position } from './position.ts'

const time = () => Type.String({ format: 'date-time', description: 'With its zone.' })

/** What a piece of evidence looks like, by the form of its value; what checks it is the rule of its type (0041). */
export const evidenceForms = {
  position,
  timestamp_proof: open({
    timestamp: time(),
    proof: Type.String({ description: 'A token, a transaction or a link.' }),
    sha256: optional(Type.String({ description: 'Of what is proven, in lower case.' })),
  }),
  answer: Type.String({ minLength: 1, maxLength: evidenceLimits.text, description: 'Free text.' }),
  measurement: open({
    value: Type.Number(),
    unit: Type.String({ maxLength: evidenceLimits.unit }),
    uncertainty: optional(Type.Number({ minimum: 0 })),
    taken_at: optional(time()),
  }),
  json: Type.Unknown({ description: 'Any JSON but null and the empty text.' }),
  api_response: open({
    status: Type.Integer({ minimum: 100, maximum: 599, description: 'HTTP status of the answer.' }),
    body: Type.Unknown({ description: 'Any JSON.' }),
    url: optional(Type.String()),
    headers: optional(Type.Record(Type.String(), Type.String())),
  }),
  code_output: open({
    stdout: Type.String(),
    exit_code: Type.Integer({ minimum: -128, maximum: 255 }),
    stderr: optional(Type.String()),
    command: optional(Type.String()),
  }),
  link: Type.String({ maxLength: evidenceLimits.link, description: 'An https URL.' }),
  structure: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())], {
    description: 'At least one entry.',
  }),
} as const satisfies Readonly<Record<ValueForm, TSchema>>

const uploaded = Type.String({ description: 'The public_url of an upload link, with the file uploaded.' })

/** The form of a type. */
export function evidenceFormOf(type: EvidenceType): TSchema {
  const kind = evidenceKinds[type]
  return kind.kind === 'file' ? uploaded : evidenceForms[kind.form]
}

/** Evidence as generators are told of it. */
export const typedEvidence = Type.Object(
  Object.fromEntries(evidenceTypes.map((type) => [type, Type.Optional(evidenceFormOf(type))])),
  { additionalProperties: false, minProperties: 1, maxProperties: 2 * limits.evidenceMax },
)
