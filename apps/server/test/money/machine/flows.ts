import { MarketError, type TaskView } from '@ergon/core'
import { lowerAddress, parseExactPayload } from '@ergon/protocols'
import { asTypedData } from '../../adapters/orders.ts'
import { actOnChain } from './chain-acts.ts'
import { caller, signEnvelope, signFor, signedOf, type KeptOrder, type Scene } from './scene.ts'
import type { Duty, Flow, Step, Wait } from './steps.ts'

const admin = { kind: 'admin' } as const

/** Plays one step and answers what became of it: a state, or the code of a refusal. Anything else is a fault. */
export async function play(scene: Scene, step: Step): Promise<string> {
  switch (step.on) {
    case 'chain':
      return actOnChain(scene, step)
    case 'market':
      return playFlow(scene, step)
    case 'duties':
      return playDuty(scene, step)
    case 'time':
      return playWait(scene, step)
  }
}

async function playFlow(scene: Scene, flow: Flow): Promise<string> {
  const { during } = flow
  const inTurn = (some: NonNullable<Flow['during']>['before']) => async (): Promise<void> => {
    for (const step of some) await play(scene, step)
  }
  scene.world.interrupt(
    during === undefined ? null : { before: inTurn(during.before), after: inTurn(during.after), answer: during.answer },
  )
  try {
    return await run(scene, flow)
  } catch (error) {
    // A refusal of the catalogue is an answer; INTERNAL never is.
    if (!(error instanceof MarketError) || error.code === 'INTERNAL') throw error
    return error.code
  } finally {
    scene.world.interrupt(null)
  }
}

async function run(scene: Scene, flow: Flow): Promise<string> {
  const { market, taskId } = scene
  const task = await market.readTask(caller(scene.payer), taskId)
  switch (flow.do) {
    case 'go on':
      return goOn(scene, task, flow)
    case 'apply':
      return apply(scene, flow.worker)
    case 'sign':
      return (await signFor(scene, flow.worker)) === null ? 'nothing to do' : 'signed'
    case 'assign':
      return assign(scene, flow)
    case 'submit':
      return submit(scene, task)
    case 'cancel':
      return (await market.cancel(caller(scene.payer), taskId, null)).state
    case 'withdraw':
      return (await market.withdraw(caller(workerOf(scene, task)), taskId, null)).state
    case 'refund':
      return (await market.refundEscrow(caller(scene.payer), taskId)).state
    case 'reclaim':
      return reclaim(scene)
    default:
      return review(scene, flow)
  }
}

/** The next step of a job that goes as it should. */
async function goOn(scene: Scene, task: TaskView, flow: Flow): Promise<string> {
  const next: Readonly<Partial<Record<string, Flow['do']>>> = {
    published: 'assign',
    accepted: 'submit',
    in_progress: 'submit',
    verifying: 'approve',
    disputed: 'resolve for the worker',
  }
  const step = next[task.status]
  if (step === undefined) return playDuty(scene, { on: 'duties', do: 'all' })
  if (step === 'assign' && scene.executors[flow.worker] === null) await apply(scene, flow.worker)
  return `${step}: ${await run(scene, { ...flow, do: step })}`
}

function workerOf(scene: Scene, task: TaskView): Scene['payer'] {
  return task.executorId !== null && task.executorId === scene.executors[1] ? scene.workers[1] : scene.workers[0]
}

async function apply(scene: Scene, worker: 0 | 1): Promise<string> {
  const { executorId } = await scene.market.apply(caller(scene.workers[worker]), scene.taskId, {
    executorId: null,
    message: null,
  })
  scene.executors = worker === 0 ? [executorId, scene.executors[1]] : [scene.executors[0], executorId]
  return 'applied'
}

/** With the newest authorization for the worker, or the one before; a fresh one where none was signed. */
async function assign(scene: Scene, { worker, which }: Flow): Promise<string> {
  const executorId = scene.executors[worker]
  if (executorId === null) return 'nothing to do'
  const { market, taskId, mode } = scene
  const known = signedOf(scene, which)
  const signed =
    mode === 'fase1'
      ? null
      : known !== null && known.worker === worker && !scene.spent.has(known.hash)
        ? known
        : await signFor(scene, worker)
  if (signed !== null) scene.spent.add(signed.hash)
  return (
    await market.assign(caller(scene.payer), taskId, { executorId, notes: null, paymentAuth: signed?.raw ?? null })
  ).state
}

async function submit(scene: Scene, task: TaskView): Promise<string> {
  await scene.market.submit(caller(workerOf(scene, task)), scene.taskId, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  return 'submitted'
}

async function reclaim({ market, payer, taskId, world }: Scene): Promise<string> {
  const { escrow, calldata } = await market.reclaim(caller(payer), taskId)
  return world.transact(payer.address, lowerAddress(escrow), calldata as `0x${string}`) // calldata is hex
}

/** What can be done about a submission. */
async function review(scene: Scene, flow: Flow): Promise<string> {
  const { market, payer, taskId } = scene
  const submissionId = await market.currentSubmission(taskId)
  switch (flow.do) {
    case 'approve':
      return approve(scene, await releaseOrder(scene, submissionId))
    case 'keep a release order':
      scene.kept = await releaseOrder(scene, submissionId)
      return 'kept'
    case 'approve as kept':
      return scene.kept === null ? 'nothing to do' : approve(scene, scene.kept)
    case 'request changes':
      await market.requestChanges(caller(payer), submissionId, 'Say more, please.')
      return 'in progress'
    case 'reject':
      await market.reject(caller(payer), submissionId, { reason: 'It is shut.', criteria: [] })
      return 'disputed'
    case 'dispute':
      await market.openDispute(caller(scene.workers[0]), submissionId, { reason: 'other', description: 'It is open.' })
      return 'disputed'
    default:
      return resolve(scene, flow)
  }
}

/** Everything the payer signs to approve, in the mode of the task. */
async function releaseOrder(scene: Scene, submissionId: string): Promise<KeptOrder> {
  const { market, payer, transfers } = scene
  const { release, payoutAuth, feeAuth } = await market.approveChallenge(caller(payer), submissionId)
  const order =
    release === null
      ? null
      : {
          signer: payer.address,
          deadline: release.deadline,
          nonce: release.nonce,
          signature: await payer.signer.signTypedData(asTypedData(release.typedData)),
        }
  const sign = async (challenge: typeof payoutAuth): Promise<string | null> => {
    if (challenge === null) return null
    const raw = await signEnvelope(scene, challenge)
    const { payload } = JSON.parse(raw) as { payload: unknown } // the envelope we have just made
    const { authorization, signature } = parseExactPayload(payload)
    transfers.push({ ...authorization, signature })
    return raw
  }
  return { submissionId, order, payoutAuth: await sign(payoutAuth), feeAuth: await sign(feeAuth) }
}

async function approve({ market, payer }: Scene, { submissionId, ...signed }: KeptOrder): Promise<string> {
  return (await market.approve(caller(payer), submissionId, { rating: null, feedback: null, ...signed })).state
}

const verdicts = {
  'resolve for the worker': ['release', null],
  'resolve for the payer': ['refund', null],
  split: ['split', 40],
} as const

async function resolve({ market, taskId }: Scene, { do: name }: Flow): Promise<string> {
  if (name !== 'resolve for the worker' && name !== 'resolve for the payer' && name !== 'split') return 'nothing to do'
  const {
    rows: [dispute],
  } = await market.disputes(admin, { status: null, taskId }, { limit: 1, offset: 0, cursor: null })
  if (dispute === undefined) return 'nothing to do'
  const [verdict, splitPct] = verdicts[name]
  return (await market.resolveDispute({ kind: 'anonymous' }, dispute.id, { verdict, splitPct, reason: 'As seen.' }))
    .state
}

export async function playDuty({ market: { duties } }: Scene, { do: name }: Duty): Promise<string> {
  const run: Readonly<Record<Duty['do'], () => Promise<unknown>>> = {
    reconcile: () => duties.reconcile(),
    fees: () => duties.disburseFees(),
    expire: () => duties.expire(),
    audit: () => duties.auditMoney(),
    // Whatever duties there are: none of them may do harm at any time.
    all: async () => {
      for (const duty of Object.values<() => Promise<number>>({ ...duties })) await duty()
    },
  }
  await run[name]()
  return 'done'
}

async function playWait(scene: Scene, { do: until }: Wait): Promise<string> {
  const { time } = scene.world
  if (until === 'seconds') await time.advance(20)
  else if (until === 'minutes') await time.advance(320)
  else if (until === 'the deadline') await time.reach(scene.deadline + 1)
  else {
    const info = scene.signed.at(-1)?.info
    if (info === undefined) return 'nothing to do'
    await time.reach(info[until])
  }
  return 'waited'
}
