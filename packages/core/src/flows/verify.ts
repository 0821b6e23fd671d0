import type { EvidenceType } from '@ergon/contract'
import { evidenceTypes } from '@ergon/contract/facts'
import type { DueVerification, TwinSearch } from '../ports/store-verification.ts'
import type { ReviewAnswer, ReviewEvidence, ReviewQuestion } from '../ports/verification.ts'
import { storedFile } from '../submissions/evidence-rules.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { fixOf } from '../verification/fix-of.ts'
import { reviewQuestions } from '../verification/review-questions.ts'
import type { InspectedFile, VerificationScene } from '../verification/scene.ts'
import { verificationChecks, weightedScore } from '../verification/verify-scene.ts'
import type { MarketDeps } from './deps.ts'

/** Taken up at once: what waits for a reviewer does not hold up the rest. */
const batch = 64
/**
 * Longer than any inspection and review may take, which the ports promise to end in 25 s; a submission of a process
 * that died is taken up then, within the minute of spec §8.
 */
const leaseMs = 40_000
/** After so many rounds that broke off, what could not be looked at is said to be an error. */
const attemptsMost = 3
/** How soon a submission is taken up again whose files nobody had time to open. */
const putOffMs = 2_000
const receiptsKept = 20
const twinsShown = 3
/** Perceptual hashes further apart than this are different pictures. */
const nearBits = 12

/**
 * One round of verification: whatever is due is checked and written down. It decides about no task and moves no money
 * (decision 0053).
 */
export async function verifyDue(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const due = await deps.store.leaseVerifications(now, new Date(now.getTime() + leaseMs), batch)
  const ended = await Promise.allSettled(due.map((one) => verifyOne(deps, one)))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return due.length
}

async function verifyOne(deps: MarketDeps, due: DueVerification): Promise<void> {
  const { submission, task } = due
  const scene = await sceneOf(deps, due)
  // Pictures of others that take long switch no check off: it is made later.
  if (scene.files.some(({ facts }) => facts?.trouble === 'busy'))
    return deps.store.putOffVerification(submission.id, new Date(deps.clock.now().getTime() + putOffMs))
  const checks = verificationChecks(scene)
  const { score, coverage } = weightedScore(checks)
  const at = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const isFirst = await tx.endVerification(submission.id, { checks, score, coverage, at })
    if (isFirst)
      await tx.addEvent({
        id: deps.ids.next(),
        type: 'submission.verified',
        taskId: task.id,
        at,
        data: {
          task_id: task.id,
          submission_id: submission.id,
          executor_id: submission.executorId,
          pre_check_score: score,
          coverage,
        },
      })
  })
}

async function sceneOf(
  deps: MarketDeps,
  { submission, task, device, attempts }: DueVerification,
): Promise<VerificationScene> {
  const { store } = deps
  const search: TwinSearch = { submissionId: submission.id, taskId: task.id, executorId: submission.executorId }
  const [place, assignedAt, receipts, files, review] = await Promise.all([
    store.taskPlace(task.id),
    store.assignedAt(task.id),
    store.positionReceipts(search, receiptsKept),
    attempts > attemptsMost ? filesOf(submission).map(unopened) : inspected(deps, submission, search),
    attempts > attemptsMost ? unanswered(deps) : reviewed(deps, task, submission),
  ])
  return {
    category: task.category,
    evidenceRequired: task.evidenceRequired,
    place,
    assignedAt: assignedAt ?? task.createdAt,
    deadline: task.deadline,
    receivedAt: submission.submittedAt,
    fix: fixOf(submission.evidence.gps),
    device,
    files,
    receipts,
    review,
  }
}

/** Opens every file and looks for it among all that were ever submitted. */
async function inspected(
  deps: MarketDeps,
  submission: Submission,
  search: TwinSearch,
): Promise<readonly InspectedFile[]> {
  return Promise.all(
    filesOf(submission).map(async ({ type, file }): Promise<InspectedFile> => {
      const [facts, exactTwins] = await Promise.all([
        deps.verification.inspector.inspect(file),
        deps.store.exactTwins(file.sha256, search, twinsShown),
      ])
      if (facts.image === null) return { type, file, facts, exactTwins, nearTwins: [] }
      // Remembered before it is looked for, so that of two that come at once the later one finds the earlier.
      await deps.store.rememberImage({ ...facts.image, evidenceType: type }, search)
      return {
        type,
        file,
        facts,
        exactTwins,
        nearTwins: await deps.store.nearTwins(facts.image, search, nearBits, twinsShown),
      }
    }),
  )
}

const unopened = ({ type, file }: ReturnType<typeof filesOf>[number]): InspectedFile => ({
  type,
  file,
  facts: null,
  exactTwins: [],
  nearTwins: [],
})
const unanswered = (deps: MarketDeps): ReviewAnswer | null =>
  deps.verification.reviewer() === null ? null : { outcome: 'unavailable', reason: 'unreachable' }

async function reviewed(deps: MarketDeps, task: Task, submission: Submission): Promise<ReviewAnswer | null> {
  const reviewer = deps.verification.reviewer()
  return reviewer === null ? null : reviewer.review(questionOf(task, submission))
}

function questionOf(task: Task, submission: Submission): ReviewQuestion {
  const evidence = evidenceTypes.flatMap((type): readonly ReviewEvidence[] => {
    const value = submission.evidence[type]
    if (value === undefined || type === 'gps') return []
    const file = storedFile(type, value)
    return [file === null ? { type, text: typeof value === 'string' ? value : JSON.stringify(value) } : { type, file }]
  })
  return {
    taskTitle: task.title,
    instructions: task.instructions,
    category: task.category,
    evidence,
    questions: reviewQuestions(task),
  }
}

/** The stored files of a submission, by the type they were handed in under. */
export function filesOf(
  submission: Pick<Submission, 'evidence'>,
): readonly { readonly type: EvidenceType; readonly file: NonNullable<ReturnType<typeof storedFile>> }[] {
  return evidenceTypes.flatMap((type) => {
    const value = submission.evidence[type]
    const file = value === undefined ? null : storedFile(type, value)
    return file === null ? [] : [{ type, file }]
  })
}
