import type { Network } from '@ergon/protocols'
import { createClient, type Client, type Output } from '@ergon/sdk'
import type { Acknowledged, Job, Played } from './job.ts'
import { insist, OutOfPatience, type Patience } from './insist.ts'

/** Where a job is done, and what no operation does. */
export type Ground = {
  readonly url: string
  readonly chainId: number
  readonly adminKey: string
  /** What its clients trust; the published table unless told otherwise. */
  readonly networks?: readonly Network[]
  /** Moves the deadline of a task into the past: nobody here waits a day. */
  readonly passDeadline: (taskId: string) => Promise<void>
  /** What the payer does on chain, past the service, once the bounty is locked. */
  readonly onceLocked?: (job: Job, taskId: string) => Promise<void>
}

type Task = Output<'tasks.get'>
type Cast = {
  readonly job: Job
  readonly payer: Client
  readonly payee: Client
  readonly arbiter: Client
  readonly patience: Patience
  readonly ground: Ground
  readonly played: Played
}

/** A client waits this long for one answer; a process that is frozen comes back sooner. */
const timeoutMs = 20_000
const impatient = { attempts: 1, firstDelayMs: 250, maxDelayMs: 10_000 }
const moving: ReadonlySet<string> = new Set(['assigning'])
const movingMoney: ReadonlySet<string> = new Set(['releasing', 'refunding'])

/** Carries one job to its end, or until `until`; it never throws for what the service answers. */
export async function playJob(ground: Ground, job: Job, until: number): Promise<Played> {
  const played: Played = {
    job,
    kind: job.kind,
    taskId: undefined,
    isDone: false,
    failure: undefined,
    told: [],
    codes: new Map(),
  }
  const clientOf = (signer: Job['payer']): Client =>
    createClient({
      baseUrl: ground.url,
      chainId: ground.chainId,
      signer,
      timeoutMs,
      ...(ground.networks === undefined ? {} : { networks: ground.networks }),
      ...(job.isPatient ? {} : { retry: impatient }),
    })
  const arbiter = createClient({
    baseUrl: ground.url,
    chainId: ground.chainId,
    timeoutMs,
    fetch: withAdminKey(ground.adminKey),
  })
  const cast: Cast = {
    job,
    payer: clientOf(job.payer),
    payee: clientOf(job.payee),
    arbiter,
    patience: { until, codes: played.codes },
    ground,
    played,
  }
  try {
    await perform(cast)
    played.isDone = true
  } catch (error) {
    // A check of the client that fails is a finding too, and so is whatever else breaks here.
    played.failure =
      error instanceof OutOfPatience ? error.message : String(error instanceof Error ? error.stack : error)
  }
  return played
}

async function perform(cast: Cast): Promise<void> {
  const { played } = cast
  const taskId = await publish(cast)
  if ((await readEscrow(cast, taskId)) === 'none') played.kind = cast.job.kindWithoutEscrow
  if (played.kind === 'cancelled') return cancel(cast, taskId)
  const executorId = await apply(cast, taskId)
  await assign(cast, taskId, executorId)
  await cast.ground.onceLocked?.(cast.job, taskId)
  switch (played.kind) {
    case 'locked-and-cancelled':
      return cancel(cast, taskId)
    case 'withdrawn':
      await withdraw(cast, taskId)
      return cancel(cast, taskId)
    case 'expired':
      await cast.ground.passDeadline(taskId)
      return ended(cast, taskId, 'expired')
    case 'paid':
      return approve(cast, taskId, await submit(cast, taskId))
    case 'split':
    case 'awarded':
    case 'refunded':
      return dispute(cast, taskId, await submit(cast, taskId))
  }
}

function tell({ played, job }: Cast, what: Acknowledged['what'], id: string, tx: string | null): void {
  played.told.push({ job: job.number, what, id, tx })
}

async function publish(cast: Cast): Promise<string> {
  const { job, payer, patience, played } = cast
  const fields = {
    title: `Count the chairs of hall ${String(job.number)}`,
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: Number(job.grossAtomic / 10_000n) / 100,
    evidence_required: ['text_response'],
    client_ref: `storm-${String(job.number)}`,
  } as const
  let made: Output<'tasks.publish'> | undefined
  await insist(patience, 'a task', {
    look: async () => made,
    act: async () => {
      made = await payer.tasks.publish({ ...fields, evidence_required: [...fields.evidence_required] })
    },
  })
  if (made === undefined) throw new OutOfPatience('a task was not reached')
  played.taskId = made.id
  tell(cast, 'published', made.id, null)
  return made.id
}

async function apply(cast: Cast, taskId: string): Promise<string> {
  const { payer, payee, patience } = cast
  const executorId = await insist(patience, 'an application', {
    look: async () => (await payer.tasks.applications({ task_id: taskId })).applications[0]?.executor_id,
    act: async () => {
      tell(cast, 'applied', (await payee.tasks.apply({ task_id: taskId, message: 'I am near.' })).application_id, null)
    },
  })
  return executorId
}

const readTask = (cast: Cast, taskId: string): Promise<Task> => cast.payer.tasks.get({ task_id: taskId })

/** Whether there is an escrow is decided when the task is published. */
function readEscrow(cast: Cast, taskId: string): Promise<Task['escrow_status']> {
  return insist(cast.patience, 'the task', {
    look: async () => (await readTask(cast, taskId)).escrow_status,
    act: async () => undefined,
  })
}

async function assign(cast: Cast, taskId: string, executorId: string): Promise<void> {
  const { payer, patience } = cast
  await insist(patience, 'an assignment', {
    look: async () => {
      const { status } = await readTask(cast, taskId)
      return status === 'published' ? undefined : moving.has(status) ? 'wait' : status
    },
    // Every attempt is signed anew, as the library does: a second signature can be a second payment.
    act: async () => {
      const { escrow_tx } = await payer.assignWorker({ task_id: taskId, executor_id: executorId })
      tell(cast, 'assigned', taskId, escrow_tx)
    },
  })
}

async function submit(cast: Cast, taskId: string): Promise<string> {
  const { payee, patience, job } = cast
  const submissionId = await insist(patience, 'a submission', {
    look: async () => (await cast.payer.tasks.submissions({ task_id: taskId })).submissions[0]?.id,
    act: async () => {
      const { submission_id } = await payee.tasks.submit({
        task_id: taskId,
        evidence: { text_response: 'There are forty chairs.' },
        idempotency_key: `storm-submit-${String(job.number)}`,
      })
      tell(cast, 'submitted', submission_id, null)
    },
  })
  await insist(patience, 'a checked submission', {
    look: async () => ((await readTask(cast, taskId)).status === 'verifying' ? true : 'wait'),
    act: async () => undefined,
  })
  return submissionId
}

async function approve(cast: Cast, taskId: string, submissionId: string): Promise<void> {
  const { payer, patience, job } = cast
  await insist(patience, 'a payment', {
    look: async () => {
      const [submission, task] = [
        await payer.submissions.get({ submission_id: submissionId }),
        await readTask(cast, taskId),
      ]
      if (submission.status === 'approved') return true
      return movingMoney.has(task.escrow_status) ? 'wait' : undefined
    },
    act: async () => {
      const { payment_tx } = await payer.approveSubmission({
        submission_id: submissionId,
        ...(job.number % 3 === 0 ? { rating: 90 } : {}),
      })
      tell(cast, 'approved', submissionId, payment_tx)
    },
  })
}

async function cancel(cast: Cast, taskId: string): Promise<void> {
  const { payer, patience } = cast
  await insist(patience, 'a cancellation', {
    look: async () => {
      const { status, escrow_status } = await readTask(cast, taskId)
      return status === 'cancelled' ? true : moving.has(status) || movingMoney.has(escrow_status) ? 'wait' : undefined
    },
    act: async () => {
      const { status, refund_tx } = await payer.tasks.cancel({ task_id: taskId })
      if (status === 'cancelled') tell(cast, 'ended', taskId, refund_tx)
    },
  })
}

async function withdraw(cast: Cast, taskId: string): Promise<void> {
  const { payee, patience } = cast
  await insist(patience, 'a withdrawal', {
    look: async () => {
      const { status, escrow_status } = await readTask(cast, taskId)
      return status === 'published' ? true : movingMoney.has(escrow_status) ? 'wait' : undefined
    },
    act: () => payee.tasks.withdraw({ task_id: taskId }),
  })
}

async function dispute(cast: Cast, taskId: string, submissionId: string): Promise<void> {
  const { payer, arbiter, patience, job } = cast
  const disputeId = await insist(patience, 'a dispute', {
    look: async () => (await payer.disputes.list({ task_id: taskId })).disputes[0]?.id,
    act: () =>
      payer.submissions.reject({ submission_id: submissionId, reason: 'This is not the hall that was meant.' }),
  })
  const verdict =
    cast.played.kind === 'split'
      ? { verdict: 'split' as const, split_pct: job.backPercent }
      : { verdict: cast.played.kind === 'awarded' ? ('release' as const) : ('refund' as const) }
  await insist(patience, 'a resolution', {
    look: async () => {
      const { status } = await payer.disputes.get({ dispute_id: disputeId })
      return status === 'resolved' ? true : status === 'resolving' ? 'wait' : undefined
    },
    act: () =>
      arbiter.disputes.resolve({ dispute_id: disputeId, ...verdict, reason: 'It was looked at by two people.' }),
  })
}

/** Waits for what the service does by itself. */
async function ended(cast: Cast, taskId: string, status: Task['status']): Promise<void> {
  await insist(cast.patience, `a task that is ${status}`, {
    look: async () => {
      const task = await readTask(cast, taskId)
      return task.status === status && !movingMoney.has(task.escrow_status) && task.escrow_status !== 'authorized'
        ? true
        : 'wait'
    },
    act: async () => undefined,
  })
}

function withAdminKey(key: string): typeof fetch {
  return (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-admin-key', key)
    return fetch(target, { ...init, headers })
  }
}
