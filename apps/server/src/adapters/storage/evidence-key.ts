import { createHash } from 'node:crypto'
import { evidenceContentTypes, fileKindOf, fileKinds } from '@ergon/contract/facts'
import type { EvidenceOwner } from '@ergon/core'

/** Names one file: ids of our own and an ending of our own, nothing a user wrote. A copy goes by a hash. */
export type EvidenceKey = {
  readonly taskId: string
  readonly executorId: string
  readonly fileId: string
  readonly contentType: string
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const shape = new RegExp(`^(${uuid})/(${uuid})/(${uuid}|[0-9a-f]{64})\\.([a-z0-9]{1,5})$`)

export function formatKey({ taskId, executorId, fileId, contentType }: EvidenceKey): string {
  const key = `${taskId}/${executorId}/${fileId}.${fileKindOf(contentType)?.endings[0] ?? ''}`
  if (!shape.test(key)) throw new Error('an evidence key is made of ids and a known content type')
  return key
}

/** Undefined for anything that `formatKey` does not write. */
export function parseKey(key: string): EvidenceKey | undefined {
  const [, taskId, executorId, fileId, extension] = shape.exec(key) ?? []
  const contentType = evidenceContentTypes.find((type) => fileKinds[type].endings[0] === extension)
  if (taskId === undefined || executorId === undefined || fileId === undefined || contentType === undefined)
    return undefined
  return { taskId, executorId, fileId, contentType }
}

/** The key in a link that begins with our own address; null where it is not of this task and worker. */
export function keyBehind(link: string, base: string, owner: EvidenceOwner): string | null {
  const key = link.startsWith(base) ? link.slice(base.length).replace(/[?#].*$/s, '') : ''
  const parsed = parseKey(key)
  return parsed !== undefined && parsed.taskId === owner.taskId && parsed.executorId === owner.executorId ? key : null
}

/** Null for what is no key of ours. */
export function ownerIn(key: string): EvidenceOwner | null {
  const parsed = parseKey(key)
  return parsed === undefined ? null : { taskId: parsed.taskId, executorId: parsed.executorId }
}

/**
 * The id of what is kept of an upload: of this upload and these bytes alone, so that purging one upload touches no
 * other.
 */
export function copyId(uploadId: string, sha256: string): string {
  return createHash('sha256').update(`${uploadId} ${sha256}`).digest('hex')
}
