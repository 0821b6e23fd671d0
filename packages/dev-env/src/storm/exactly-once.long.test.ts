import { setTimeout as pause } from 'node:timers/promises'
import { localChainId, mintTestUsd } from '@ergon/contracts'
import { lowerAddress, signEscrowAuthorization } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentMode } from '../constellation/options.ts'
import { createAim, type Aim, type Order } from './aim.ts'
import { drawJob, type Job, type JobKind, type Played } from './jobs/job.ts'
import { playJob, type Ground } from './jobs/play-job.ts'
import type { Finding } from './proof/verdict.ts'
import { seededRandom } from './random.ts'
import { createPayerActs, type PayerActs } from './stage/payer-acts.ts'
import { startStage, type Stage } from './stage/stage.ts'
import { groundOf, prove } from './storm.ts'

/**
 * One answer is lost at the right place, one message comes late, the payer acts on the chain: real processes, each
 * fault aimed by name, and the proof read from the chain's logs and the tables.
 */

const patienceMs = 60_000
const random = seededRandom(11)
let number = 0
let mode: PaymentMode = 'fase2'
let aim: Aim
let stage: Stage
let acts: PayerActs

beforeAll(async () => {
  aim = createAim({ random, kinds: new Set(), only: [], gapMs: 0, struck: () => undefined })
  stage = await startStage({
    servers: 1,
    facilitators: 1,
    mode: () => mode,
    decide: (passing) => aim.decide(passing),
    lost: (passing, kind) => {
      aim.lost(passing, kind)
    },
  })
  acts = createPayerActs(stage.chain.rpcUrl)
})
afterAll(() => stage[Symbol.asyncDispose]())

/** Every job of this file: the books hold them all. */
const all: Played[] = []
beforeEach(() => stage.ready())

async function aJob(kind: JobKind, change: Partial<Job> = {}): Promise<Job> {
  const job: Job = {
    ...drawJob(random, (number += 1)),
    kind,
    kindWithoutEscrow: 'paid',
    backPercent: 40,
    isPatient: false,
    ...change,
  }
  await mintTestUsd(stage.chain.rpcUrl, lowerAddress(job.payer.address), job.mintedAtomic)
  return job
}

async function play(job: Job, ground: Partial<Ground> = {}): Promise<Played> {
  const played = await playJob({ ...groundOf(stage), ...ground }, job, performance.now() + patienceMs)
  all.push(played)
  return played
}

/** What was under way has landed or never will; then nothing is wrong with any job of this stage. */
async function expectProven(): Promise<void> {
  await pause(2_000)
  const found = (await prove(stage, all, 30_000, (one) => blamed.has(textOf(one)))).map(textOf)
  const fresh = found.filter((text) => !blamed.has(text))
  for (const text of fresh) blamed.add(text)
  expect(fresh).toEqual([])
}

const textOf = ({ kind, text }: Finding): string => `${kind}: ${text}`
/** What an earlier test has been blamed for stays on the chain. */
const blamed = new Set<string>()

async function struck(order: Omit<Order, 'times'>, kind: JobKind): Promise<void> {
  const one: Order = { ...order, times: 1 }
  aim.order(one)
  await play(await aJob(kind))
  expect(one.times).toBe(0)
  await expectProven()
}

async function inMode(next: PaymentMode): Promise<void> {
  if (mode === next) return
  mode = next
  await stage.members.get('server-a')?.process.kill()
  await pause(500)
  await stage.ready()
}

const lose = { kind: 'lose' } as const
const failover = { kind: 'failover', graceMs: 100, ms: 1_000 } as const

describe('a settlement whose intent was committed while the answer was lost is settled once', () => {
  test.each<[PaymentMode, string, JobKind]>([
    ['fase2', 'authorize', 'paid'],
    ['fase2', 'release', 'paid'],
    ['fase2', 'refundInEscrow', 'locked-and-cancelled'],
    ['fase2', 'refundInEscrow', 'withdrawn'],
    ['fase2', 'release', 'split'],
    ['fase1', 'exact', 'paid'],
  ])(
    '%s, the insert after %s, a job that is %s',
    async (which, action, kind) => {
      await inMode(which)
      await struck({ after: `POST /settle ${action}`, at: 'db:facilitator:intents-insert', fate: failover }, kind)
    },
    180_000,
  )
})

/** Where an answer is lost, and the job in which it is asked for; the first request is the job's own. */
const lostAnswers: readonly (readonly [at: string, kind: JobKind])[] = [
  ['db:server:operation-begin', 'paid'],
  ['db:server:nonces-consume', 'paid'],
  ['db:server:commit claim', 'paid'],
  ['db:server:commit confirm', 'paid'],
  ['db:server:commit confirm', 'split'],
  ['db:facilitator:intents-settle', 'paid'],
  ['http:server:POST /settle authorize', 'paid'],
  ['http:server:POST /settle release', 'paid'],
  ['http:server:POST /settle refundInEscrow', 'locked-and-cancelled'],
  ['rpc:facilitator:eth_sendRawTransaction', 'paid'],
  ['rpc:facilitator:eth_getBlockReceipts', 'paid'],
  ['http:server:POST /fees/distribute', 'paid'],
  ['http:server:POST /register', 'cancelled'],
]

test('what was carried out while its answer was lost is carried out once: every step of money, by name', async () => {
  await inMode('fase2')
  for (const [at, kind] of lostAnswers) {
    const one: Order = { after: 'POST /api/v1/tasks', at, fate: lose, times: 1 }
    aim.order(one)
    const { isDone, failure } = await play(await aJob(kind))
    expect([at, isDone, failure]).toEqual([at, true, undefined])
    await expect.poll(() => [at, one.times], { timeout: patienceMs }).toEqual([at, 0])
  }
  await expectProven()
}, 400_000)

test('a lock that was under way while its claim was given back is not made beside the next one', async () => {
  await inMode('fase2')
  const job = await aJob('paid')
  const [payer, elsewhere] = [lowerAddress(job.payer.address), lowerAddress((await aJob('paid')).payee.address)]
  const held: Order = { at: 'POST /settle authorize', fate: { kind: 'hold', ms: 14_000 }, times: 1 }
  aim.order(held)
  const playing = play(job)
  await expect.poll(() => held.times, { timeout: patienceMs }).toBe(0)
  // Whoever resends the order meanwhile is refused for want of money, and the claim is given back.
  await acts.transfer(payer, elsewhere, job.mintedAtomic)
  await pause(13_000)
  await acts.transfer(elsewhere, payer, job.mintedAtomic)
  await playing
  await expectProven()
}, 180_000)

test('a lock that comes late is made once, whoever asked again meanwhile', async () => {
  await inMode('fase2')
  await struck({ at: 'POST /settle authorize', fate: { kind: 'hold', ms: 11_000 } }, 'paid')
}, 180_000)

test('after the payer released one millionth past the service every way to end a job ends it, and what was left is settled', async () => {
  await inMode('fase2')
  const kinds = ['paid', 'awarded', 'split', 'refunded', 'locked-and-cancelled', 'expired', 'withdrawn'] as const
  const jobs: Job[] = []
  for (const kind of kinds) jobs.push(await aJob(kind, { dustAtomic: 1n }))
  const played = await Promise.all(
    jobs.map((job) => play(job, { onceLocked: ({ payer }) => acts.release(lowerAddress(payer.address), 1n) })),
  )
  expect(played.map(({ kind, failure }) => [kind, failure])).toEqual(kinds.map((kind) => [kind, undefined]))
  await expectProven()
}, 180_000)

test('an assignment whose authorization the payer used through charge ends, and the charge is booked', async () => {
  await inMode('fase2')
  const job = await aJob('paid')
  const clientOf = (signer: Job['payer']): Client => createClient({ baseUrl: stage.url, chainId: localChainId, signer })
  const [payer, payee] = [clientOf(job.payer), clientOf(job.payee)]
  const { id: task_id } = await payer.tasks.publish({
    title: 'Count the chairs',
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: Number(job.grossAtomic / 10_000n) / 100,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await payee.tasks.apply({ task_id })
  const [offer] = (await payer.tasks.assignChallenge({ task_id, executor_id })).accepts
  if (offer === undefined) throw new Error('the challenge offers nothing to sign')
  const payment_auth = await signEscrowAuthorization(offer.extra, job.payer)
  await acts.charge(payment_auth)
  await payer.tasks.assign({ task_id, executor_id, payment_auth }).catch(() => undefined)
  const read = async (): Promise<string> => (await payer.tasks.get({ task_id })).status
  await expect.poll(read, { timeout: patienceMs, interval: 500 }).not.toBe('assigning')
  all.push({ job, kind: 'paid', taskId: task_id, isDone: true, failure: undefined, told: [], codes: new Map() })
  await expectProven()
}, 180_000)
