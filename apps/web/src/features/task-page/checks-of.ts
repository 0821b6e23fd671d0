import type { EvidenceType } from '@ergon/contract'

export type CheckKind = 'form' | 'place' | 'moves' | 'time' | 'new' | 'camera' | 'review' | 'person'

const positioned: readonly EvidenceType[] = ['gps', 'photo_geo']
const pictures: readonly EvidenceType[] = ['photo', 'photo_geo']
const files: readonly EvidenceType[] = [
  ...pictures,
  'video',
  'document',
  'receipt',
  'signature',
  'notarized',
  'screenshot',
  'file_artifact',
]

/**
 * What will be looked at when evidence of these kinds is handed in, from what is asked and whether a place is named.
 */
export function checksOf(evidence: readonly EvidenceType[], hasArea: boolean): readonly CheckKind[] {
  const asks = (kinds: readonly EvidenceType[]): boolean => evidence.some((type) => kinds.includes(type))
  const applies: Readonly<Record<CheckKind, boolean>> = {
    form: true,
    place: hasArea && asks(positioned),
    moves: asks(positioned),
    time: asks(positioned) || asks(pictures),
    new: asks(files),
    camera: asks(pictures),
    review: true,
    person: true,
  }
  // Object.keys of the record above answers exactly its kinds.
  return (Object.keys(applies) as CheckKind[]).filter((kind) => applies[kind])
}
