import { adminKey, asAdmin } from '../http/live-admin.ts'
import { liveChannels, metered, opened, streamed } from '../http/live-channels.ts'
import {
  applied,
  approveFields,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type Applied,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { acceptFields, anArbiter, offered, rulingFields } from '../http/live-offers.ts'
import { canaries } from './canaries.ts'
import type { Thing } from './world.ts'

/** Tasks of the kinds that the matrix of plain tasks does not play, each in a state that is odd to it. */

/** One such task, with who takes part in it. */
export type Made = {
  readonly market: LiveMarket
  readonly publisher: Party
  readonly worker: Party
  readonly ids: Thing
}
export type Kind = (world: KindsWorld) => Promise<Made>
/** A market that holds bounties, and one that pays directly; both with channels on a ledger that is a map. */
export type KindsWorld = AsyncDisposable & { readonly held: House; readonly direct: House }

type House = {
  readonly market: LiveMarket
  readonly channels: ReturnType<typeof liveChannels>['fake']
  readonly publisher: Party
  readonly worker: Party
  admin(method: string, target: string, body?: unknown): ReturnType<typeof asAdmin>
}

export async function openKinds(): Promise<KindsWorld> {
  await using stack = new AsyncDisposableStack()
  const held = stack.use(await openHouse())
  const direct = stack.use(await openHouse({ SVC_PAYMENT_MODE: 'fase1' }, held.market))
  const owned = stack.move()
  return { held, direct, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function openHouse(env = {}, beside?: LiveMarket): Promise<House & AsyncDisposable> {
  const { fake, wired } = liveChannels()
  const all = { SVC_ADMIN_KEY: adminKey, SVC_PUBLISH_PER_HOUR: '0', ...env }
  const market = await startLiveMarket(all, beside?.rig, { channels: wired })
  return {
    market,
    channels: fake,
    publisher: await market.party(100n),
    worker: await market.party(0n),
    admin: (method, target, body) => asAdmin(market, method, target, body),
    [Symbol.asyncDispose]: () => market[Symbol.asyncDispose](),
  }
}

const reason = canaries.rejection.text
const evidence = { evidence: { text_response: canaries.evidence.text }, notes: canaries.submissionNote.text }
const done = async (by: Party, method: string, path: string, body?: object, status = 200) =>
  expectStatus(await by.call(method, `/api/v1${path}`, body), status).body
const asMade = ({ market, publisher, worker }: House, ids: Thing): Made => ({ market, publisher, worker, ids })
const idsOf = ({ taskId, executorId }: Applied): Thing => ({ task_id: taskId, executor_id: executorId })

/** A house with two people who did nothing before. */
const withOthers = async (house: House): Promise<House> => ({
  ...house,
  publisher: await house.market.party(5n),
  worker: await house.market.party(0n),
})

async function ordered({ publisher, worker }: House): Promise<Applied> {
  const offer = {
    title: 'Photographs of gates',
    description: 'One sharp photograph of any gate in town.',
    category: 'simple_action',
    unit_price_usd: 1.07,
  }
  const { id } = await done(worker, 'POST', '/services', offer, 201)
  const order = await done(publisher, 'POST', `/services/${String(id)}/order`, {}, 201)
  await done(worker, 'PATCH', `/services/${String(id)}`, { availability: 'paused' })
  return { taskId: String(order['task_id']), executorId: String(order['seller_executor_id']) }
}

const plain = ({ publisher, worker }: House): Promise<Applied> => applied(publisher, worker)

async function assigned({ publisher }: House, job: Applied): Promise<Applied> {
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job
}

async function unlocked({ publisher }: House, job: Applied): Promise<Applied> {
  await done(publisher, 'POST', `/tasks/${job.taskId}/assign`, { executor_id: job.executorId })
  return job
}

async function handedIn({ worker }: House, job: Applied): Promise<Thing> {
  const { submission_id } = await done(worker, 'POST', `/tasks/${job.taskId}/submit`, evidence, 201)
  return { ...idsOf(job), submission_id: String(submission_id) }
}

async function approved({ publisher }: House, ids: Thing): Promise<Thing> {
  const path = `/submissions/${ids['submission_id'] ?? ''}/approve`
  await done(publisher, 'POST', path, await approveFields(publisher, ids['submission_id'] ?? ''))
  return ids
}

async function disputed({ publisher, worker }: House, ids: Thing): Promise<Thing> {
  const { dispute } = await done(publisher, 'POST', `/submissions/${ids['submission_id'] ?? ''}/reject`, { reason })
  const { id } = dispute as { readonly id: string } // the contract's output
  await done(worker, 'POST', `/disputes/${id}/evidence`, { statement: canaries.statement.text }, 201)
  return { ...ids, dispute_id: id }
}

async function offeredTo({ worker }: House, ids: Thing): Promise<Thing> {
  return { ...ids, offer_id: await offered(worker, ids['task_id'] ?? '') }
}

async function agreed({ publisher, worker }: House, ids: Thing): Promise<Thing> {
  const offer = await offered(worker, ids['task_id'] ?? '')
  await done(publisher, 'POST', `/settlements/${offer}/accept`, await acceptFields(publisher, offer))
  return { ...ids, offer_id: offer }
}

async function resolved({ admin }: House, ids: Thing, verdict: object, status = 200): Promise<Thing> {
  const said = { ...verdict, reason: 'So it is.' }
  expectStatus(await admin('POST', `/api/v1/disputes/${ids['dispute_id'] ?? ''}/resolve`, said), status)
  return ids
}

async function forced({ admin }: House, ids: Thing, status: string): Promise<Thing> {
  expectStatus(
    await admin('PUT', `/api/v1/admin/tasks/${ids['task_id'] ?? ''}`, { status, reason: 'The matrix.' }),
    200,
  )
  return ids
}

async function banned({ admin }: House, { wallet }: Party): Promise<void> {
  expectStatus(await admin('PUT', `/api/v1/admin/workers/${wallet}/ban`, { banned: true, reason: 'Fake.' }), 200)
}

async function bound(
  { publisher, worker, channels }: House,
  job: Awaited<ReturnType<typeof metered>>,
  deposit: bigint,
): Promise<Thing> {
  const fields = opened(channels, publisher, job, deposit)
  await done(publisher, 'POST', `/tasks/${job.taskId}/channel`, fields)
  await done(worker, 'POST', `/tasks/${job.taskId}/tick`, { evidence: { words: canaries.evidence.text } })
  return { ...idsOf(job), session_id: job.taskId, channel_id: fields.channel_id }
}

const session = (house: House) => streamed(house.publisher, house.worker)
const byUnit = (house: House) => metered(house.publisher, house.worker)

/** How a kind is made in the market that holds its bounty. */
const held =
  (make: (house: House) => Promise<Thing>): Kind =>
  async ({ held: house }) =>
    asMade(house, await make(house))
/** The same between two who did nothing before. */
const ofOthers =
  (make: (house: House) => Promise<Thing>): Kind =>
  async ({ held: house }) => {
    const others = await withOthers(house)
    return asMade(others, await make(others))
  }
const direct =
  (make: (house: House) => Promise<Thing>): Kind =>
  async ({ direct: house }) =>
    asMade(house, await make(house))

export const kinds = {
  'an order that waits for its buyer': held(async (house) => idsOf(await ordered(house))),
  'an order that its seller took back': held(async (house) => {
    const job = await ordered(house)
    await done(house.worker, 'POST', `/tasks/${job.taskId}/withdraw`, {})
    return idsOf(job)
  }),
  'an order with work to decide on': held(async (house) =>
    handedIn(house, await assigned(house, await ordered(house))),
  ),
  'an order in dispute with an offer': held(async (house) =>
    offeredTo(house, await disputed(house, await handedIn(house, await assigned(house, await ordered(house))))),
  ),
  'an order that the two settled': held(async (house) =>
    agreed(house, await disputed(house, await handedIn(house, await assigned(house, await ordered(house))))),
  ),
  'an order that the operator split': held(async (house) => {
    const ids = await disputed(house, await handedIn(house, await assigned(house, await ordered(house))))
    return resolved(house, ids, { verdict: 'split', split_pct: 40 })
  }),
  'an order that an arbiter ruled on': held(async (house) => {
    const ids = await disputed(house, await handedIn(house, await assigned(house, await ordered(house))))
    const arbiter = await anArbiter(house)
    const path = `/disputes/${ids['dispute_id'] ?? ''}/ruling`
    await done(arbiter, 'POST', path, await rulingFields(arbiter, ids['dispute_id'] ?? ''), 201)
    return ids
  }),
  'a task with a policy and an extended deadline': held(async (house) => {
    const task = aTask({ category: 'physical_presence', evidence_required: ['text_response'] })
    const taskId = String((await done(house.publisher, 'POST', '/tasks', task, 201))['id'])
    const terms = { review_hours: 24, applications_max: 2, start_hours: 4, criteria_required: true }
    await done(house.publisher, 'PUT', `/tasks/${taskId}/policy`, terms)
    await done(house.publisher, 'PUT', `/tasks/${taskId}/location`, {
      lat: Number(canaries.latitude.text),
      lng: Number(canaries.longitude.text),
    })
    const { executor_id } = await done(house.worker, 'POST', `/tasks/${taskId}/apply`, {}, 201)
    const deadline = new Date(Date.now() + 3 * 86_400_000).toISOString()
    await done(house.publisher, 'POST', `/tasks/${taskId}/deadline`, { deadline })
    const job = await assigned(house, { taskId, executorId: String(executor_id) })
    await done(house.worker, 'POST', `/tasks/${taskId}/begin`, {})
    return handedIn(house, job)
  }),
  'a task whose worker stepped down': held(async (house) => {
    const job = await assigned(house, await plain(house))
    await done(house.worker, 'POST', `/tasks/${job.taskId}/withdraw`, {})
    return idsOf(job)
  }),
  'a task that was cancelled with its money held': held(async (house) => {
    const job = await assigned(house, await plain(house))
    await done(house.publisher, 'POST', `/tasks/${job.taskId}/cancel`, {})
    return idsOf(job)
  }),
  'a task that expired with work handed in': held(async (house) =>
    forced(house, await handedIn(house, await assigned(house, await plain(house))), 'expired'),
  ),
  'a paid task whose publisher is gone': ofOthers(async (house) => {
    const ids = await approved(house, await handedIn(house, await assigned(house, await plain(house))))
    await done(house.publisher, 'DELETE', '/account')
    return ids
  }),
  'a paid task whose worker is gone': ofOthers(async (house) => {
    const ids = await approved(house, await handedIn(house, await assigned(house, await plain(house))))
    await done(house.worker, 'DELETE', '/account')
    return ids
  }),
  'a task whose publisher is banned': ofOthers(async (house) => {
    const ids = await handedIn(house, await assigned(house, await plain(house)))
    await banned(house, house.publisher)
    return ids
  }),
  'a task whose worker is banned': ofOthers(async (house) => {
    const job = await assigned(house, await plain(house))
    await banned(house, house.worker)
    return idsOf(job)
  }),
  'a task whose worker blocked its publisher': ofOthers(async (house) => {
    const ids = await handedIn(house, await assigned(house, await plain(house)))
    await done(house.worker, 'POST', '/users/block', { wallet: house.publisher.wallet }, 201)
    return ids
  }),
  'a direct payment to come': direct(async (house) => idsOf(await unlocked(house, await plain(house)))),
  'a direct payment that was made': direct(async (house) =>
    approved(house, await handedIn(house, await unlocked(house, await plain(house)))),
  ),
  'a direct payment that a verdict asks for': direct(async (house) => {
    const ids = await disputed(house, await handedIn(house, await unlocked(house, await plain(house))))
    return resolved(house, ids, { verdict: 'release' }, 202)
  }),
  'a direct payment of what the two settled on': direct(async (house) =>
    agreed(house, await disputed(house, await handedIn(house, await unlocked(house, await plain(house))))),
  ),
  'a direct payment that is called off': direct(async (house) => {
    const job = await unlocked(house, await plain(house))
    await done(house.publisher, 'POST', `/tasks/${job.taskId}/cancel`, {})
    return idsOf(job)
  }),
  'a session without a channel': held(async (house) => {
    const job = await session(house)
    return { ...idsOf(job), session_id: job.taskId }
  }),
  'a session that was stopped': held(async (house) => {
    const ids = await bound(house, await session(house), 5_000_000n)
    await done(house.worker, 'POST', `/streams/session/${ids['session_id'] ?? ''}/stop`, {})
    return ids
  }),
  'work by the unit without a channel': held(async (house) => handedIn(house, await byUnit(house))),
  'work by the unit to decide on': held(async (house) => {
    const job = await byUnit(house)
    return { ...(await bound(house, job, 5_000n)), ...(await handedIn(house, job)) }
  }),
  'work by the unit in dispute': held(async (house) => {
    const job = await byUnit(house)
    return { ...(await bound(house, job, 5_000n)), ...(await disputed(house, await handedIn(house, job))) }
  }),
  'work by the unit whose channel its worker closed': held(async (house) => {
    const ids = await bound(house, await byUnit(house), 5_000n)
    await done(house.worker, 'POST', `/tasks/${ids['task_id'] ?? ''}/channel/close`, {})
    return ids
  }),
  'work by the unit that was approved': held(async (house) => {
    const job = await byUnit(house)
    const ids: Thing = { ...(await bound(house, job, 5_000n)), ...(await handedIn(house, job)) }
    await done(house.publisher, 'POST', `/submissions/${ids['submission_id'] ?? ''}/approve`, {})
    return ids
  }),
} as const satisfies Readonly<Record<string, Kind>>
