import type { ProcessLog } from '@ergon/process'
import type { HandedIn, HandedInFiles } from './adapters/postgres/index.ts'

export type EvidenceWatch = {
  /** Whether a file that was handed in was found missing where this process keeps evidence; asked in the background. */
  isMissing(): boolean
}

type WatchDeps = {
  readonly handedIn: HandedInFiles
  /** @throws where the store gives no answer */
  readonly holds: (key: string) => Promise<boolean>
  readonly log: Pick<ProcessLog, 'error' | 'info'>
}

/** A bucket takes money for each question. */
const everyMs = 300_000
/** What is missing may come back by a mount, and then the alarm ends. */
const missingEveryMs = 10_000
/** Submissions that are looked at: the newest each time, the next of all of them, and those whose files are missing. */
const [newest, walked, mostMissing] = [5, 50, 20]

/**
 * Another folder, a folder whose mount is missing, another bucket: each takes files, and has none of those that people
 * have handed in. Nobody would know before a dispute. The newest files tell of it at once, and a walk over all of them
 * of those that were lost one by one; what was found missing is asked for until it is there or was taken down.
 */
export function createEvidenceWatch({ handedIn, holds, log }: WatchDeps): EvidenceWatch {
  /** Submissions, those with files that are missing. */
  let missing: readonly string[] = []
  let [askedAt, walkedAt] = [-Infinity, -Infinity]
  let place: string | null = null
  // Quick, since a process that starts remembers nothing.
  let isFirstRound = true
  let isLooking = false

  const lacking = async (
    rows: readonly HandedIn[],
  ): Promise<readonly (readonly [submission: string, key: string])[]> => {
    const found: [string, string][] = []
    for (const { submission, keys } of new Map(rows.map((row) => [row.submission, row])).values()) {
      const held = await Promise.all(keys.map((key) => holds(key)))
      const key = keys.find((_key, index) => held[index] === false)
      if (key !== undefined) found.push([submission, key])
    }
    return found
  }
  const look = async (now: number): Promise<void> => {
    const walks = isFirstRound || now - walkedAt >= everyMs
    const next = walks ? await handedIn.behind(place, walked) : []
    const found = await lacking([...(await handedIn.of(missing)), ...(await handedIn.newest(newest)), ...next])
    if (walks) {
      walkedAt = now
      place = next.length < walked ? null : (next.at(-1)?.submission ?? null)
      isFirstRound &&= place !== null
    }
    const [first] = found
    if (first !== undefined && missing.length === 0)
      log.error({ key: first[1] }, 'evidence that was handed in is not where SVC_DATA_DIR or SVC_S3_BUCKET leads')
    if (first === undefined && missing.length > 0) log.info('the evidence that was handed in is there again')
    missing = found.slice(0, mostMissing).map(([submission]) => submission)
  }
  return {
    isMissing() {
      const now = performance.now()
      if (!isLooking && now - askedAt > (missing.length > 0 || isFirstRound ? missingEveryMs : everyMs)) {
        askedAt = now
        isLooking = true
        const done = (): void => {
          isLooking = false
        }
        // That the database or the store is silent is an alarm of its own.
        void look(now).then(done, done)
      }
      return missing.length > 0
    },
  }
}
