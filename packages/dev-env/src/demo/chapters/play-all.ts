import type { ConstellationRecord } from '../../constellation/record.ts'
import { groundOf } from '../demo.ts'
import type { Narrator } from '../narrator.ts'
import { playChapter, type Chapter, type ChapterReport } from './chapter.ts'
import { disputeOutlivedDeadline } from './dispute-outlived-deadline.ts'
import { disputeSplit } from './dispute-split.ts'
import { expiryRefund } from './expiry-refund.ts'
import { personToPerson } from './person-to-person.ts'
import { ruledByArbiter } from './ruled-by-arbiter.ts'
import { settledByParties } from './settled-by-parties.ts'
import { silenceReleased } from './silence-released.ts'

const chapters: readonly Chapter[] = [
  personToPerson,
  disputeSplit,
  expiryRefund,
  // What nobody works for nothing means; a further scene is a line here.
  silenceReleased,
  disputeOutlivedDeadline,
  settledByParties,
  ruledByArbiter,
]

/** Every further story, one after another; a mode without escrow has none to split or to give back. */
export async function playChapters(
  record: ConstellationRecord,
  bounty: bigint,
  narrator: Narrator,
): Promise<readonly ChapterReport[]> {
  const { serverUrl } = record
  if (serverUrl === undefined) throw new Error('the constellation runs without its server')
  if (record.paymentMode === 'fase1')
    throw new Error('--all needs escrow: a split and a refund have nothing to move in mode fase1')
  const reports: ChapterReport[] = []
  for (const chapter of chapters) {
    reports.push(
      await playChapter(chapter, {
        record,
        serverUrl,
        narrator,
        bounty,
        groundOf: (parties) => groundOf(record, parties, bounty),
      }),
    )
  }
  return reports
}
