import type { ProcessLog } from '@ergon/process'

export type EvidenceWatch = {
  /** Whether a file that was handed in lately was not where this process keeps evidence; asked in the background. */
  isMissing(): boolean
}

type WatchDeps = {
  /** Keys of files that were handed in last. */
  readonly newest: () => Promise<readonly string[]>
  /** @throws where the store gives no answer */
  readonly holds: (key: string) => Promise<boolean>
  readonly log: Pick<ProcessLog, 'error' | 'info'>
}

/** A bucket takes money for each question. */
const everyMs = 300_000
/** What is missing may come back by a mount, and then the alarm ends. */
const missingEveryMs = 10_000
const mostAsked = 5

/**
 * Another folder, a folder whose mount is missing, another bucket: each takes files, and has none of those that people
 * have handed in. Nobody would know before a dispute.
 */
export function createEvidenceWatch({ newest, holds, log }: WatchDeps): EvidenceWatch {
  let isMissing = false
  let askedAt = -Infinity
  const look = async (): Promise<void> => {
    const keys = (await newest()).slice(0, mostAsked)
    const held = await Promise.all(keys.map((key) => holds(key)))
    const missing = keys.find((_key, index) => held[index] === false)
    if (missing !== undefined && !isMissing)
      log.error({ key: missing }, 'evidence that was handed in is not where SVC_DATA_DIR or SVC_S3_BUCKET leads')
    if (missing === undefined && isMissing) log.info('the evidence that was handed in is there again')
    isMissing = missing !== undefined
  }
  return {
    isMissing() {
      if (performance.now() - askedAt > (isMissing ? missingEveryMs : everyMs)) {
        askedAt = performance.now()
        // That the database or the store is silent is an alarm of its own.
        void look().catch(() => undefined)
      }
      return isMissing
    },
  }
}
