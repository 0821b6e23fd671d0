import type { EvidenceType } from '@ergon/contract'
import { evidenceInputs, readTyped } from './evidence-input.ts'
import type { Typed } from './gather.ts'

type Asked = {
  readonly evidence_required: readonly EvidenceType[]
  readonly evidence_optional: readonly EvidenceType[]
}

/** What a task asks for, as steps of a screen: the step of a photo with position asks for the position as well. */
export function stepsOf({ evidence_required: required, evidence_optional: optional }: Asked): {
  readonly required: readonly EvidenceType[]
  readonly optional: readonly EvidenceType[]
} {
  const isPlaced = (types: readonly EvidenceType[]): boolean => types.includes('photo_geo')
  return {
    required: isPlaced(required) ? required.filter((type) => type !== 'gps') : required,
    optional: isPlaced(required) || isPlaced(optional) ? optional.filter((type) => type !== 'gps') : optional,
  }
}

/** Whether a step has all that it asks for. */
export function isReady(
  type: EvidenceType,
  answers: { readonly [T in EvidenceType]?: unknown },
  typed: Typed,
  locale: string,
): boolean {
  if (type === 'photo_geo') return answers.photo_geo !== undefined && answers.gps !== undefined
  return answers[type] !== undefined || 'value' in readTyped(evidenceInputs[type], typed[type] ?? '', locale)
}
