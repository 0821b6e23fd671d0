import { MarketError } from '@ergon/core'
import type { MediaJob, MediaResult } from './media-jobs.ts'
import { parserLimits, type ParserLog } from './parser-limits.ts'
import { createParserPool } from './parser-pool.ts'

/** An uploaded file that can be followed to its end: its hash, and the copy for the other side where that differs. */
type Cleaned = { readonly sha256: string; readonly clean: { readonly bytes: Buffer; readonly sha256: string } | null }

/**
 * Makes clean copies (decision 0052), in processes of its own: no file of a stranger is parsed by the service itself.
 */
export type Cleaner = AsyncDisposable & {
  /**
   * `broken` for what cannot be followed to its end, in time and in the memory it is given.
   * @throws SERVICE_BUSY when too many wait; tasks take turns
   */
  clean(file: {
    readonly contentType: string
    readonly bytes: Uint8Array
    readonly taskId: string
  }): Promise<Cleaned | 'broken'>
}

/** A process apart from those that open pictures: whoever hands in does not wait for checks. */
export function createCleaner({ timeoutMs, log }: { readonly timeoutMs: number; readonly log?: ParserLog }): Cleaner {
  const pool = createParserPool<MediaJob, MediaResult>(parserLimits({ processes: 1, timeoutMs, log }))
  return {
    async clean({ contentType, bytes, taskId }) {
      const outcome = await pool.run(taskId, () => Promise.resolve({ job: { wanted: 'clean', contentType }, bytes }))
      if ('failed' in outcome && outcome.failed === 'busy') throw new MarketError('SERVICE_BUSY', { part: 'evidence' })
      if ('failed' in outcome || outcome.result.is !== 'clean') return 'broken'
      const { sha256, cleanSha256 } = outcome.result
      return { sha256, clean: cleanSha256 === null ? null : { bytes: outcome.bytes, sha256: cleanSha256 } }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
