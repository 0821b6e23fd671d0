import type { EvidenceType } from '@ergon/contract'
import { evidenceKinds, evidenceTypes, type EvidenceKind } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import type { EvidenceOwner } from '../ports/surroundings.ts'
import { fitsRule, type StoredFile } from '../submissions/evidence-rules.ts'
import type { Evidence } from '../submissions/submission.ts'
import type { MarketDeps } from './deps.ts'

/**
 * Holds every piece of evidence against its rule; a link becomes the stored file it names. No file is fetched
 * before every value is in order.
 * @throws EVIDENCE_INVALID naming the type and its rule
 */
export async function takeEvidence(deps: MarketDeps, owner: EvidenceOwner, given: Evidence): Promise<Evidence> {
  const types = evidenceTypes.filter((type) => given[type] !== undefined)
  for (const type of types)
    if (!fitsRule(type, given[type]))
      throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: evidenceKinds[type].says })
  const taken: Partial<Record<EvidenceType, unknown>> = {}
  for (const type of types) taken[type] = await taking(deps, owner, type, given[type])
  return taken
}

async function taking(deps: MarketDeps, owner: EvidenceOwner, type: EvidenceType, value: unknown): Promise<unknown> {
  const rule: EvidenceKind = evidenceKinds[type]
  if (rule.kind !== 'file' || typeof value !== 'string') return value
  const upload = deps.evidence.uploadKey(value, owner)
  const isClaimed = upload !== null && (await deps.uploads.claim(upload, deps.clock.now()))
  const file = isClaimed ? await deps.evidence.resolve(value, owner) : null
  if (upload === null || file === null)
    throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: rule.says })
  if ('refused' in file) throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: file.refused })
  await deps.uploads.taken(upload, file.cleanKey === null ? [file.key] : [file.key, file.cleanKey])
  if (!rule.contentTypes.some((one) => one === file.contentType))
    throw new MarketError('EVIDENCE_INVALID', {
      field: type,
      constraint: rule.contentTypes,
      received: file.contentType,
    })
  const stored = { key: file.key, content_type: file.contentType, bytes: file.bytes, sha256: file.sha256 }
  return (file.cleanKey === null ? stored : { ...stored, clean_key: file.cleanKey }) satisfies StoredFile
}
