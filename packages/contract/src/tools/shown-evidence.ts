import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { evidenceKinds, evidenceTypes, type ValueForm } from '../facts/evidence-kinds.ts'
import { evidenceForms } from '../resources/evidence-forms.ts'

/** Providers refuse an object that names none of its fields, so one that is free names the likeliest. */
const free = (description: string): TSchema => Type.Object({ answer: Type.Optional(Type.String()) }, { description })
const { position, timestamp_proof, measurement, api_response, code_output } = evidenceForms

/** Forms without what is rarely given. */
const forms: Readonly<Record<ValueForm, TSchema>> = {
  ...evidenceForms,
  position: Type.Pick(position, ['lat', 'lng', 'accuracy_meters']),
  timestamp_proof: Type.Pick(timestamp_proof, ['timestamp', 'proof']),
  answer: Type.String(),
  measurement: Type.Pick(measurement, ['value', 'unit']),
  json: free('Any JSON, in fields of your choice.'),
  api_response: Type.Object({ status: api_response.properties.status, body: Type.String() }),
  code_output: Type.Pick(code_output, ['stdout', 'exit_code']),
  structure: free('Fields of your choice.'),
}

/**
 * The evidence of a task by its type, as a model is told of it: what stays behind the check is what is rarely given.
 * What checks it is `evidence`; a value of what is shown here passes that.
 */
export const shownEvidence = Type.Object(
  Object.fromEntries(
    evidenceTypes.map((type) => {
      const kind = evidenceKinds[type]
      return [type, Type.Optional(kind.kind === 'file' ? Type.String() : forms[kind.form])]
    }),
  ),
  { description: 'What evidence_required names and nothing else. A file: its public_url of svc_get_upload_link.' },
)

/** Of a tick, which takes any fields. */
export const shownTick = Type.Object({ text: Type.Optional(Type.String()) }, { description: 'Up to 4,096 characters.' })
