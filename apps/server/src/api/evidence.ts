import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'

export function createEvidenceHandlers({ market }: ApiDeps): HandlersOf<'evidence'> {
  return {
    'evidence.presignUpload': async ({ caller }, input) => {
      const upload = await market.presignUpload(caller, {
        taskId: input.task_id,
        contentType: input.content_type ?? null,
        filename: input.filename ?? null,
        evidenceType: input.evidence_type ?? null,
        bytes: input.content_length ?? null,
      })
      return done({
        upload_url: upload.url,
        method: 'PUT' as const,
        headers: lowercased(upload.headers),
        public_url: upload.publicUrl,
        key: upload.key,
        content_type: upload.contentType,
        max_bytes: upload.maxBytes,
        expires_in: upload.expiresInSec,
      })
    },
    'evidence.presignDownload': async ({ caller }, input) => {
      const link = await market.presignDownload(caller, input.key)
      return done({ download_url: link.url, key: link.key, expires_in: link.expiresInSec })
    },
  }
}

/** In lowercase, as fetch keeps them, so that a client's own content-type replaces ours instead of joining it. */
function lowercased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
