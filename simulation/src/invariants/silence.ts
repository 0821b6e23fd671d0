import { requiredChecksPassed, type Dispute, type Submission, type Task } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { CaseFile } from '../people/case-file.ts'
import { arbiterReason } from '../people/words.ts'
import { allRows } from '../store/engine/table.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Universe } from '../world/universe.ts'
import { known } from './books.ts'
import { readChain } from './movements.ts'

const hourMs = 3_600_000
/** Two clocks that differ, and one that runs. */
const skewMs = 10_000

/** What an arbiter decided; a dispute that nobody decided has no ruling, whatever its row says. */
export function rulingOn({ disk: { tables } }: MemoryDatabase, taskId: string): Dispute['resolution'] {
  const [ruled] = allRows(
    undefined,
    tables.disputes,
    (row) => row.taskId === taskId && row.status === 'resolved' && row.resolution?.reason === arbiterReason,
  )
  return ruled?.resolution ?? null
}

function taskOf({ rows }: MemoryDatabase, { taskId }: CaseFile): Task | undefined {
  return rows.tasks().find((row) => row.task.id === taskId)?.task
}

const paymentOf = ({ rows }: MemoryDatabase, { taskId }: CaseFile): string | undefined =>
  rows.escrows().find((row) => row.taskId === taskId)?.payment.hash

/** Whether worker and publisher agreed on something else: both signed it (decision 0167). */
function hasAgreed({ disk: { tables } }: MemoryDatabase, taskId: string): boolean {
  const agreed = ['accepted', 'settled']
  return allRows(undefined, tables.offers, (row) => row.taskId === taskId && agreed.includes(row.status)).length > 0
}

/** What the assigned worker handed in that passed its required checks, without a ruling or an agreement on it. */
function passedUnruled(database: MemoryDatabase, task: Task | undefined): readonly Submission[] {
  if (task === undefined || task.policy === null || rulingOn(database, task.id) !== null) return []
  if (hasAgreed(database, task.id)) return []
  return database.rows
    .submissions()
    .map(({ submission }) => submission)
    .filter((one) => one.taskId === task.id && one.executorId === task.executorId && requiredChecksPassed(one))
}

/**
 * Work whose required checks passed is never refunded without a ruling (decision 0157). Of a lock that a reorganization
 * undid after its signature ran out nothing was ever held, so there is nothing to pay from.
 */
export function unpaidSilence(
  { driver: { chain } }: Universe,
  database: MemoryDatabase,
  file: CaseFile,
): string | undefined {
  const task = taskOf(database, file)
  if (task === undefined || task.escrowStatus === 'none' || task.status === 'completed') return undefined
  if (file.meddled || file.overslept) return undefined
  const hash = paymentOf(database, file)
  if (hash === undefined || !paymentStateOf(chain, hash).collected) return undefined
  return passedUnruled(database, task).length > 0
    ? `${file.name} is ${task.status}, though what was handed in passed its checks`
    : undefined
}

/** The same by the chain alone, whatever a payer does by itself: no coin of such work goes back by our hand. */
export function returnedInSilence(
  { driver: { chain } }: Universe,
  database: MemoryDatabase,
  file: CaseFile,
): string | undefined {
  if (file.overslept) return undefined
  // Its worker may send the money back: that is a signature of its own.
  if (file.plan.mischief.includes('worker asks the facilitator to refund')) return undefined
  const hash = paymentOf(database, file)
  if (hash === undefined || passedUnruled(database, taskOf(database, file)).length === 0) return undefined
  const back = readChain(chain).moved.reduce(
    (sum, move) => (move.hash === hash && move.kind === 'voided' ? sum + move.amount : sum),
    0n,
  )
  return back > 0n
    ? `${String(back)} of ${file.name} went back, though what was handed in passed its checks and nobody ruled`
    : undefined
}

/** Silence pays when the review is over, and not before. */
export function paidEarly(database: MemoryDatabase, file: CaseFile): string | undefined {
  const policy = taskOf(database, file)?.policy
  if (policy === null || policy === undefined) return undefined
  for (const { type, taskId, data, at } of database.rows.events()) {
    if (type !== 'review.lapsed' || taskId !== file.taskId || data['outcome'] !== 'release') continue
    const handedIn = database.rows.submissions().find(({ submission: { id } }) => id === data['submission_id'])
    const lasted = at.getTime() - (handedIn?.submission.submittedAt.getTime() ?? 0)
    if (lasted + skewMs < policy.reviewHours * hourMs)
      return (
        `${file.name} was paid by silence ${String(lasted)} ms after its work came, ` +
        `and its review takes ${String(policy.reviewHours)} h`
      )
  }
  return undefined
}

/** While machines are awake, nothing of a task with a policy is held beyond the end of its authorization. */
export function heldBeyond(
  { driver }: Universe,
  database: MemoryDatabase,
  files: readonly CaseFile[],
): readonly string[] {
  const now = driver.seconds()
  const late = files
    .filter(({ plan }) => plan.policy !== null)
    .flatMap(({ name, signed }) =>
      signed.filter(({ info }) => info !== null && info.authorizationExpiry < now).map((one) => ({ name, one })),
    )
  if (late.length === 0) return []
  const ours = known(database)
  return late.flatMap(({ name, one }) => {
    const held = ours.has(one.name) ? paymentStateOf(driver.chain, one.name).capturable : 0n
    return held > 0n ? [`${String(held)} of ${name} is held beyond its authorization by ${one.name.slice(0, 10)}`] : []
  })
}
