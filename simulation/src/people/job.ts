import type { AssignInput, Market, TaskView } from '@ergon/core'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'
import type { CaseFile, Signed } from './case-file.ts'
import type { Desk, Reply } from './desk.ts'
import type { Moment } from './mischief.ts'
import type { Plan } from './plan.ts'
import { promiseApplied, promiseAssigned, promiseCancelled, promisePaid } from './promises.ts'
import { queue } from './queue.ts'
import { keepRuling, payOwed } from './ruling.ts'
import { settle } from './settle.ts'
import { keepSilent } from './silence.ts'
import { signApproval, signLock, type Approval, type SignedLock } from './signing.ts'
import { isPassedOn, sayBegun } from './start.ts'
import type { Wallet } from './wallets.ts'
import { arbiterReason } from './words.ts'

export type JobDeps = {
  readonly universe: Universe
  readonly desk: Desk
  readonly plan: Plan
  readonly file: CaseFile
  readonly workers: readonly [Wallet, Wallet]
  /** Who rushes to a task that lets only so many wait. */
  readonly crowd: readonly Wallet[]
  readonly random: Random
  readonly mischief: (moment: Moment) => void
  /** All machines sleep for so long. */
  readonly sleep: (ms: number) => void
}

/** Statuses in which nothing more can happen. */
const over = new Set(['completed', 'cancelled', 'expired'])
const most = 14
/** Most clients believe what they were told; the others look again. */
const trust = 0.75
/** How often a client sends again what it has signed before, instead of signing anew. */
const resends = 0.25

/** One task from its publication to the end its people want for it, as far as the world lets them. */
export async function doJob(deps: JobDeps): Promise<void> {
  const { desk, plan } = deps
  await desk.pause(plan.startsMs)
  if (!(await publish(deps))) return
  deps.mischief('later')
  if (plan.ending === 'cancel before') {
    await cancel(deps)
    return
  }
  const [first, second] = await queue(deps, (worker) => apply(deps, worker))
  if (!(await engage(deps, first))) {
    await cancel(deps)
    return
  }
  deps.mischief('locked')
  if (plan.start === 'says so') await sayBegun(deps, first)
  if (plan.start === 'never') {
    if (await isPassedOn(deps, look)) {
      await passOn(deps, first, second)
      return
    }
    // Half of those who never began never do.
    if (deps.random.chance(0.5)) return
  }
  if (plan.ending === 'withdraw, then cancel' || plan.ending === 'withdraw, then approve') {
    if (!(await withdraw(deps, first))) return
    if (plan.ending === 'withdraw, then cancel') {
      await cancel(deps)
      return
    }
    await hire(deps, plan.returns ? first : second)
    return
  }
  await finish(deps, first)
}

/** Who lost the task waits again, and has it back when the other does not begin either. */
async function passOn(deps: JobDeps, lost: Wallet, next: Wallet): Promise<void> {
  if (deps.plan.returns) await apply(deps, lost)
  if (!(await engage(deps, next))) {
    await cancel(deps)
    return
  }
  if (deps.plan.returns && (await isPassedOn(deps, look))) {
    await hire(deps, lost)
    return
  }
  await finish(deps, next)
}

async function hire(deps: JobDeps, worker: Wallet): Promise<void> {
  await ((await engage(deps, worker)) ? finish(deps, worker) : cancel(deps))
}

async function finish(deps: JobDeps, worker: Wallet): Promise<void> {
  const { plan, desk, file, random } = deps
  if (plan.silence === null && plan.ending === 'abandon assigned') return
  if (plan.silence === null && plan.ending === 'cancel after') {
    await cancel(deps)
    return
  }
  const submissionId = await submit(deps, worker)
  if (submissionId === null) return
  if (plan.silence !== null) {
    await keepSilent(deps, plan.silence, submissionId, { look, approve: () => approve(deps, submissionId, worker) })
    return
  }
  if (plan.ending === 'abandon submitted') return
  if (plan.ending === 'dispute' || plan.ending === 'abandon disputed') {
    const opened = await desk.insist(`${file.name}: ${worker.name} opens a dispute`, (market) =>
      market.openDispute(worker.caller, submissionId, { reason: 'other', description: 'We do not agree.' }),
    )
    const isOperators =
      opened?.kind === 'done' &&
      plan.ending === 'dispute' &&
      (plan.ruling === null || (await keepRuling(deps, plan.ruling, opened.value, worker.name)))
    if (isOperators) await resolve(deps, opened.value.id)
    if (plan.mode === 'fase1' && plan.ruling?.pays === true)
      await payOwed(
        deps,
        () => look(deps),
        () => approveOnce(deps, submissionId, worker),
      )
    if (opened?.kind === 'done' && plan.ending === 'abandon disputed' && plan.settles) await settle(deps, worker)
    return
  }
  if (plan.ending === 'approve against cancel') {
    await Promise.all([
      approve(deps, submissionId, worker),
      desk.pause(random.between(0, 3_000)).then(() => cancel(deps)),
    ])
    return
  }
  await approve(deps, submissionId, worker)
}

async function publish({ desk, plan, file }: JobDeps): Promise<boolean> {
  const { publisher, name } = file
  const reply = await desk.insist(`${name}: ${publisher.name} publishes`, (market) =>
    market.publish(publisher.caller, {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'simple_action',
      bountyUsd: plan.bountyUsd,
      deadlineHours: 24,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
      minReputation: 0,
      network: null,
      token: null,
      target: 'any',
      publisherType: 'agent',
      paymentAuth: null,
      idempotency: { key: `publish ${name}`, bodyHash: name },
    }),
  )
  if (reply?.kind !== 'done') return false
  const taskId = reply.value.task.id
  file.taskId = taskId
  const { policy } = plan
  if (policy !== null)
    await desk.insist(`${name}: ${publisher.name} says what silence does`, (market) =>
      market.setPolicy(publisher.caller, taskId, policy),
    )
  return true
}

async function look({ desk, file }: Pick<JobDeps, 'desk' | 'file'>): Promise<TaskView | null> {
  const reply = await desk.insist(`${file.name}: ${file.publisher.name} looks`, (market) =>
    market.readTask(file.publisher.caller, file.taskId),
  )
  return reply?.kind === 'done' ? reply.value : null
}

/** A worker applies and is assigned; true when the task is theirs. */
async function engage(deps: JobDeps, worker: Wallet): Promise<boolean> {
  const { desk, file, random } = deps
  const executorId = await apply(deps, worker)
  if (executorId === null) return false
  // What nobody has touched yet needs no look: a publisher assigns at once what it has just published.
  let task: Pick<TaskView, 'status' | 'executorId'> | null = file.signed.length === 0 ? untouched : await look(deps)
  for (let attempt = 1; attempt <= most; attempt += 1) {
    if (task === null || over.has(task.status)) return false
    if (task.executorId === executorId && task.status !== 'assigning') return true
    if (task.status === 'published' && (await twice(deps, () => assignOnce(deps, executorId))) && random.chance(trust))
      return true
    await desk.pause(random.between(300, 2_000) * Math.min(attempt, 5))
    task = await look(deps)
  }
  return false
}

const untouched = { status: 'published', executorId: null } as const

/** Who applied is known by the answer; whose answer was lost asks who it is. */
async function apply({ desk, file }: JobDeps, worker: Wallet): Promise<string | null> {
  const applied = await desk.insist(`${file.name}: ${worker.name} applies`, (market) =>
    market.apply(worker.caller, file.taskId, { executorId: null, message: 'I am near.' }),
  )
  if (applied?.kind === 'done') {
    promiseApplied(file, worker, applied.value.executorId)
    return applied.value.executorId
  }
  if (applied?.code !== 'already_applied') return null
  const me = await desk.insist(`${file.name}: who is ${worker.name}`, (market) =>
    market.registerWorker(worker.caller, { name: null, party: 'agent' }),
  )
  return me?.kind === 'done' ? me.value.id : null
}

/** True when it was said that the worker is assigned. */
async function assignOnce(deps: JobDeps, executorId: string): Promise<boolean> {
  const {
    desk,
    file: { publisher, taskId, mode, name },
    universe,
    file,
  } = deps
  const input: AssignInput = { executorId, notes: null, paymentAuth: null }
  const send =
    (given: AssignInput) =>
    (market: Market): ReturnType<Market['assign']> =>
      market.assign(publisher.caller, taskId, given)
  if (mode === 'fase1') return (await desk.ask(`${name}: ${publisher.name} assigns`, send(input))).kind === 'done'
  const kept = keptBy(deps, file.kept.locks, executorId)
  const lock = kept ?? (await newLock(deps, executorId))
  if (lock === null) return false
  const { paymentAuth, standingOrder, signed } = lock
  const reply = await copies(deps, [signed], () =>
    desk.ask(
      `${name}: ${publisher.name} assigns with ${signed.name.slice(0, 10)}`,
      send({ ...input, paymentAuth, standingOrder }),
    ),
  )
  if (reply?.kind !== 'done' || reply.value.state !== 'accepted') return false
  promiseAssigned(universe, file, signed)
  return true
}

async function newLock({ desk, file, mischief }: JobDeps, executorId: string): Promise<SignedLock | null> {
  const challenge = await desk.ask(`${file.name}: ${file.publisher.name} asks what to sign`, (market) =>
    market.assignChallenge(file.publisher.caller, file.taskId, executorId),
  )
  if (challenge.kind !== 'done') return null
  const lock = signLock(file, challenge.value)
  file.kept.locks.set(executorId, lock)
  mischief('signed a lock')
  return lock
}

/** Some clients send again, however much later, what they have signed before. */
function keptBy<T>({ random }: JobDeps, kept: ReadonlyMap<string, T>, of: string): T | null {
  return kept.has(of) && random.chance(resends) ? (kept.get(of) ?? null) : null
}

/** A client that hears nothing may well send the same signature again. Null: nothing was heard. */
async function copies<T>(
  { desk, random }: JobDeps,
  signed: readonly Signed[],
  ask: () => Promise<Reply<T>>,
): Promise<Reply<T> | null> {
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    for (const one of signed) one.sent += 1
    const reply = await ask()
    if (reply.kind !== 'unclear') {
      if (reply.kind === 'refused' && !inFlight.has(reply.code)) for (const one of signed) one.denied += 1
      return reply
    }
    await desk.pause(random.between(200, 4_000))
  }
  return null
}

/** Refusals that say that something is under way: what was sent before may still be carried out. */
const inFlight = new Set([
  'ESCROW_NOT_ASSIGNABLE',
  'APPROVAL_IN_FLIGHT',
  'TASK_NOT_ASSIGNABLE',
  'SUBMISSION_NOT_REVIEWABLE',
  'ESCROW_NOT_RELEASABLE',
])

/** Of two attempts at once, the better answer counts. */
async function twice(deps: JobDeps, work: () => Promise<boolean>): Promise<boolean> {
  if (!deps.plan.isHasty) return work()
  const [one, other] = await Promise.all([work(), deps.desk.pause(deps.random.between(0, 800)).then(work)])
  return one || other
}

async function submit({ desk, file }: JobDeps, worker: Wallet): Promise<string | null> {
  const sent = await desk.insist(`${file.name}: ${worker.name} submits`, (market) =>
    market.submit(worker.caller, file.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open.' },
      notes: null,
      deviceMetadata: null,
    }),
  )
  if (sent?.kind === 'done') return sent.value.submission.id
  const current = await desk.insist(`${file.name}: which submission`, (market) => market.currentSubmission(file.taskId))
  return current?.kind === 'done' ? current.value : null
}

async function approve(deps: JobDeps, submissionId: string, worker: Wallet): Promise<void> {
  const { desk, random } = deps
  for (let attempt = 1; attempt <= most; attempt += 1) {
    if ((await twice(deps, () => approveOnce(deps, submissionId, worker))) && random.chance(trust)) return
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
    const task = await look(deps)
    if (task === null || task.status !== 'verifying') return
  }
}

/** True when it was said that the worker is paid. */
async function approveOnce(deps: JobDeps, submissionId: string, worker: Wallet): Promise<boolean> {
  const { desk, file, universe } = deps
  const { publisher, name } = file
  const kept = keptBy(deps, file.kept.approvals, submissionId)
  const approval = kept ?? (await newApproval(deps, submissionId))
  if (approval === null) return false
  const reply = await copies(deps, approval.signed, () =>
    desk.ask(`${name}: ${publisher.name} approves`, (market) =>
      market.approve(publisher.caller, submissionId, approval.input),
    ),
  )
  if (reply?.kind !== 'done' || reply.value.state !== 'approved') return false
  promisePaid(universe, file, worker, reply.value)
  return true
}

async function newApproval({ desk, file, mischief }: JobDeps, submissionId: string): Promise<Approval | null> {
  const challenge = await desk.ask(`${file.name}: ${file.publisher.name} asks what to sign`, (market) =>
    market.approveChallenge(file.publisher.caller, submissionId),
  )
  if (challenge.kind !== 'done') return null
  const approval = signApproval(file, challenge.value)
  file.kept.approvals.set(submissionId, approval)
  mischief('signed a payout')
  return approval
}

async function cancel(deps: JobDeps): Promise<void> {
  const { desk, file, random, universe } = deps
  for (let attempt = 1; attempt <= most; attempt += 1) {
    const reply = await desk.ask(`${file.name}: ${file.publisher.name} cancels`, (market) =>
      market.cancel(file.publisher.caller, file.taskId, null),
    )
    const isDone = reply.kind === 'done' && reply.value.state === 'cancelled'
    if (isDone) promiseCancelled(universe, file, reply.value.refundTx)
    if (isDone && random.chance(trust)) return
    const task = await look(deps)
    if (task === null || over.has(task.status) || !['published', 'accepted', 'assigning'].includes(task.status)) return
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
}

async function withdraw(deps: JobDeps, worker: Wallet): Promise<boolean> {
  const { desk, file, random } = deps
  for (let attempt = 1; attempt <= most; attempt += 1) {
    await desk.ask(`${file.name}: ${worker.name} steps down`, (market) =>
      market.withdraw(worker.caller, file.taskId, null),
    )
    const task = await look(deps)
    if (task === null || over.has(task.status)) return false
    if (task.status === 'published') return true
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
  return false
}

async function resolve(deps: JobDeps, disputeId: string): Promise<void> {
  const { desk, file, plan, random } = deps
  const input = {
    verdict: plan.verdict,
    splitPct: plan.verdict === 'split' ? plan.splitPct : null,
    reason: arbiterReason,
  }
  for (let attempt = 1; attempt <= most; attempt += 1) {
    await desk.ask(`${file.name}: the arbiter decides ${plan.verdict}`, (market) =>
      market.resolveDispute({ kind: 'anonymous' }, disputeId, input),
    )
    const task = await look(deps)
    if (task === null || task.status !== 'disputed') return
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
}
