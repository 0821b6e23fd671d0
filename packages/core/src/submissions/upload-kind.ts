import type { EvidenceContentType, EvidenceType } from '@ergon/contract/facts'
import { contentTypeOf, filesOf } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'

/** What the uploader said about a file before sending it. */
export type UploadWords = {
  readonly contentType: EvidenceContentType | null
  readonly filename: string | null
  readonly evidenceType: EvidenceType | null
}

/**
 * The media type an upload link is for: what was named, or what the name of the file ends in, or the first that its
 * type of evidence takes, or a JPEG.
 * @throws VALIDATION_FAILED for a type of evidence that is no file, or takes no such file
 */
export function uploadKind({ contentType, filename, evidenceType }: UploadWords): EvidenceContentType {
  const ending = filename?.split('.').at(-1)
  const said = contentType ?? (ending === undefined ? undefined : contentTypeOf(ending))
  if (evidenceType === null) return said ?? 'image/jpeg'
  const taken = filesOf(evidenceType)
  const kind = said ?? taken[0]
  if (kind === undefined || taken.length === 0)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'evidence_type',
      constraint: 'evidence that is a file',
      received: evidenceType,
    })
  if (!taken.includes(kind))
    throw new MarketError('VALIDATION_FAILED', {
      field: contentType === null ? 'filename' : 'content_type',
      constraint: `for ${evidenceType} one of ${taken.join(', ')}`,
      received: kind,
    })
  return kind
}
