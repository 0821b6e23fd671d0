import type { Adapters } from './adapters/index.ts'
import type { DatabaseWatch, EpochWatch, Membership } from './adapters/postgres/index.ts'
import type { Reachable } from './api/deps.ts'
import type { EvidenceWatch } from './evidence-watch.ts'
import type { EventRelay } from './events/event-relay.ts'
import { isClockFarOff, readinessOf, type Readiness } from './live/readiness.ts'
import type { ProcessLog } from '@ergon/process'
import type { SettingsProof } from './settings-proof.ts'

const reachMs = 2_000

/** Health is asked often; what it depends on is asked at most every two seconds. */
export function createReach(adapters: Adapters): () => Promise<Reachable> {
  let asked: { readonly at: number; readonly answer: Promise<Reachable> } | undefined
  return () => {
    if (asked === undefined || performance.now() - asked.at > reachMs) {
      asked = {
        at: performance.now(),
        answer: adapters.health().then(({ facilitator, chains }) => ({ facilitator, networks: chains })),
      }
    }
    return asked.answer
  }
}

type Watched = {
  readonly database: Pick<DatabaseWatch, 'seen'>
  readonly epoch: Pick<EpochWatch, 'isUnchecked'>
  readonly relay: Pick<EventRelay, 'lateMs'>
  readonly reached: () => Reachable | null
  readonly proof: Pick<SettingsProof, 'faults'>
  readonly storageTakes: () => Promise<boolean>
  readonly evidence: EvidenceWatch
  /** Null where no mail is sent. */
  readonly mail: { isRefused(): boolean } | null
  readonly membership: Pick<Membership, 'unwrittenMs'>
}

/** What was last heard of them, which a page of figures tells; null until it is known. */
export function createLastReach(reach: () => Promise<Reachable>): () => Reachable | null {
  let reached: Reachable | null = null
  return () => {
    void reach().then(
      (answer) => {
        reached = answer
      },
      () => undefined,
    )
    return reached
  }
}

/** What probes are answered: what was seen last, so that nothing which hangs can hold an answer up. */
export function createReadiness({
  database,
  epoch,
  relay,
  reached,
  proof,
  storageTakes,
  evidence,
  mail,
  membership,
}: Watched): () => Readiness {
  let takesFiles = true
  return () => {
    void storageTakes().then((answer) => {
      takesFiles = answer
    })
    return readinessOf({
      takesFiles,
      isEvidenceMissing: evidence.isMissing(),
      isMailRefused: mail?.isRefused() ?? false,
      unwrittenMs: membership.unwrittenMs(),
      database: database.seen(),
      wentBack: epoch.isUnchecked(),
      eventsLateMs: relay.lateMs(),
      reached: reached(),
      isContradicted: proof.faults().length > 0,
    })
  }
}

/** A server with a wrong clock does no duties: it would end, expire and repeat what is not due. Says so once. */
export function createClockGuard(
  database: Pick<DatabaseWatch, 'seen'>,
  log: Pick<ProcessLog, 'error' | 'info'>,
): () => boolean {
  let wasOff = false
  return () => {
    const { clockAheadMs } = database.seen()
    const isOff = isClockFarOff(clockAheadMs)
    if (isOff && !wasOff)
      log.error({ clockAheadMs }, 'the clock of this machine is far from that of the database: no duty is done here')
    if (!isOff && wasOff) log.info({ clockAheadMs }, 'the clock is right again: duties go on')
    wasOff = isOff
    return isOff
  }
}
