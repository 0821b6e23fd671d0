import type { MarketDeps } from '../flows/deps.ts'
import { storedFile } from '../submissions/evidence-rules.ts'
import type { Submission } from '../submissions/submission.ts'

/**
 * The worker and whoever decides a dispute read the files as they were uploaded, the other side the copies that say
 * nothing of the worker (decision 0052).
 */
export type EvidenceReader = 'worker' | 'arbiter' | 'counterparty'

/** Stored files come back as short-lived links. */
export function shown<T extends Submission>(
  deps: MarketDeps,
  rows: readonly T[],
  readerOf: (row: T) => EvidenceReader,
): Promise<readonly T[]> {
  const now = deps.clock.now()
  return Promise.all(
    rows.map(async (row) => {
      const entries = Object.entries(row.evidence).map(async ([type, value]): Promise<readonly [string, unknown]> => {
        const file = storedFile(type, value)
        if (file === null) return [type, value]
        const key = readerOf(row) === 'counterparty' ? (file.clean_key ?? file.key) : file.key
        return [type, (await deps.evidence.presignDownload(key, now)).url]
      })
      return { ...row, evidence: Object.fromEntries(await Promise.all(entries)) }
    }),
  )
}
