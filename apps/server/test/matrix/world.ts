import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { toBase58, utf8 } from '@ergon/protocols'
import pg from 'pg'
import { payoutText } from '../../src/api/payout-proof.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { asAdmin } from '../http/live-admin.ts'
import { metered, opened, streamed } from '../http/live-channels.ts'
import { approveFields, assign, aTask, expectStatus, paymentAuth, type Party } from '../http/live-market.ts'
import { ownOrigin, sendJson, signedIn } from '../http/live-people.ts'
import { openScene, type Scene } from '../tour/scene.ts'
import { canaries } from './canaries.ts'
import type { Role } from './roles.ts'

/** Ids of one piece of the world, by the fields that name them. */
export type Thing = Readonly<Record<string, string>>

/**
 * How far a task has come; `still held` is over with its money in escrow, `a person's` was published on the rail of
 * people; `metered` waits for its channel, `ticking` has one and some accepted work; `streaming` is a session that has.
 */
export type Stage =
  | 'open'
  | 'applied'
  | 'accepted'
  | 'submitted'
  | 'disputed'
  | 'completed'
  | 'still held'
  | 'metered'
  | 'ticking'
  | 'streaming'
  | "a person's open"
  | "a person's applied"
  | "a person's accepted"
  | "a person's submitted"

export type Call = (
  method: string,
  target: string,
  body: string | undefined,
  headers: Record<string, string>,
) => Promise<Reply>

/** A market with every role in it, and things in every stage. */
export type World = AsyncDisposable & {
  readonly scene: Scene
  readonly publisher: Party
  readonly worker: Party
  readonly payoutAddress: string
  /** Who applies to every task and does nothing else. */
  readonly bystander: Party
  /** Wallets by what they are; the applicant applied to whatever the worker did. */
  readonly parties: Readonly<Record<'stranger' | 'applicant' | 'worker' | 'publisher' | 'banned', Party>>
  /** The sessions of those who come in a browser. */
  readonly cookies: Readonly<Record<'strangerSession' | 'publisherSession', string>>
  callAs(role: Role): Call
  /** The same roles without a past, for what ends a past. */
  freshCallAs(role: Role): Promise<Call>
  /** A new one in that stage. */
  make(stage: Stage): Promise<Thing>
  /** Puts a task where no operation leaves one. */
  force(taskId: string, status: string): Promise<void>
  bindPayout(by: Party): Promise<Record<string, unknown>>
}

const place = { lat: Number(canaries.latitude.text), lng: Number(canaries.longitude.text) }

export async function openWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const scene = stack.use(await openScene())
  const { market, publisher, worker } = scene
  const [stranger, applicant, banned, bystander] = [
    await market.party(0n),
    await market.party(0n),
    await market.party(0n),
    await market.party(0n),
  ]
  const parties = { stranger, applicant, worker, publisher, banned }
  for (const party of Object.values(parties)) await registerPerson(market, party)
  await ban(scene, banned)
  const inPerson = await signedIn(market, stranger)
  const cookies = { strangerSession: inPerson.cookie, publisherSession: scene.person.cookie }
  const byMeans: Readonly<Record<Role, Call>> = {
    anonymous: unsigned(market.url),
    admin: withKey(market.url),
    stranger: signing(stranger),
    applicant: signing(applicant),
    worker: signing(worker),
    publisher: signing(publisher),
    banned: signing(banned),
    strangerSession: inBrowser(market.url, inPerson),
    publisherSession: inBrowser(market.url, scene.person),
  }
  const sql = stack.use(await connect(scene.databaseUrl))
  const owned = stack.move()
  const force = async (taskId: string, status: string): Promise<void> => {
    await sql.query('update tasks set status = $2 where id = $1', [taskId, status])
  }
  return {
    scene,
    publisher,
    worker,
    parties,
    cookies,
    bystander,
    payoutAddress,
    force,
    bindPayout,
    callAs: (role) => byMeans[role],
    async freshCallAs(role) {
      if (role === 'anonymous' || role === 'admin') return byMeans[role]
      const party = await market.party(0n)
      await registerPerson(market, party)
      if (role === 'banned') await ban(scene, party)
      return role === 'strangerSession' || role === 'publisherSession'
        ? inBrowser(market.url, await signedIn(market, party))
        : signing(party)
    },
    make: (stage) => make({ scene, applicant, bystander, force }, stage),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const unsigned =
  (url: string): Call =>
  (method, target, body, headers) =>
    sendJson(url, method, target, body === undefined ? undefined : JSON.parse(body), { origin: ownOrigin, ...headers })
const withKey =
  (url: string): Call =>
  (method, target, body, headers) =>
    asAdmin({ url }, method, target, body === undefined ? undefined : JSON.parse(body), {
      origin: ownOrigin,
      ...headers,
    })
const signing =
  (party: Party): Call =>
  (method, target, body, headers) =>
    party.call(method, target, body, { origin: ownOrigin, ...headers })
const inBrowser =
  (url: string, { cookie }: { readonly cookie: string }): Call =>
  (method, target, body, headers) =>
    unsigned(url)(method, target, body, { cookie, ...headers })

/** A wallet that signs in and signs: a human to both. */
async function registerPerson(market: Scene['market'], party: Party): Promise<void> {
  expectStatus(await (await signedIn(market, party)).call('POST', '/api/v1/workers/register', {}), 201)
}

async function ban({ admin }: Scene, party: Party): Promise<void> {
  expectStatus(
    await admin('PUT', `/api/v1/admin/workers/${party.wallet}/ban`, { banned: true, reason: 'Fake evidence.' }),
    200,
  )
}

async function connect(databaseUrl: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

type Makers = {
  readonly scene: Scene
  readonly applicant: Party
  readonly bystander: Party
  force(taskId: string, status: string): Promise<void>
}

/** Ten sessions of one buyer run at a time: those of earlier questions end. */
async function stopSessions(buyer: Party): Promise<void> {
  const path = '/api/v1/streams/session'
  const listed = expectStatus(await buyer.call('GET', `${path}?limit=100`), 200)
  // The shape of the contract.
  const { sessions } = listed.body as { sessions: readonly { session_id: string; is_over: boolean }[] }
  for (const { session_id: id } of sessions.filter((one) => !one.is_over))
    expectStatus(await buyer.call('POST', `${path}/${id}/stop`, {}), 200)
}

async function makeMetered({ publisher, worker, channels }: Scene, stage: Stage): Promise<Thing> {
  if (stage === 'streaming') await stopSessions(publisher)
  const job = await (stage === 'streaming' ? streamed : metered)(publisher, worker)
  const thing = { task_id: job.taskId, executor_id: job.executorId, payout: job.payout.address }
  if (stage === 'metered') return thing
  const path = `/api/v1/tasks/${job.taskId}`
  const fields = opened(channels, publisher, job, stage === 'streaming' ? 5_000_000n : 5_000n)
  expectStatus(await publisher.call('POST', `${path}/channel`, fields), 200)
  const work = { evidence: { words: canaries.evidence.text }, note: canaries.submissionNote.text }
  expectStatus(await worker.call('POST', `${path}/tick`, work), 200)
  return { ...thing, channel_id: fields.channel_id, session_id: job.taskId }
}

async function make({ scene, applicant, bystander, force }: Makers, stage: Stage): Promise<Thing> {
  if (stage === 'metered' || stage === 'ticking' || stage === 'streaming') return makeMetered(scene, stage)
  const { publisher, worker, person } = scene
  const rail = stage.startsWith('a person')
    ? { by: person as Party, path: '/api/v1/h2a/tasks' }
    : { by: publisher, path: '/api/v1/tasks' }
  const reached = (...stages: readonly Stage[]): boolean => stages.includes(stage)
  const published = expectStatus(
    await rail.by.call(
      'POST',
      rail.path,
      aTask({ instructions: `${canaries.instructions.text}: stand in front of it.` }),
    ),
    201,
  )
  const task_id = String(published.body['id'])
  expectStatus(await publisher.call('PUT', `/api/v1/tasks/${task_id}/location`, place), 200)
  if (reached('open', "a person's open")) return { task_id }
  expectStatus(
    await applicant.call('POST', `/api/v1/tasks/${task_id}/apply`, { message: canaries.coverNote.text }),
    201,
  )
  expectStatus(await bystander.call('POST', `/api/v1/tasks/${task_id}/apply`, {}), 201)
  const executor_id = String(
    expectStatus(await worker.call('POST', `/api/v1/tasks/${task_id}/apply`, {}), 201).body['executor_id'],
  )
  if (reached('applied', "a person's applied")) return { task_id, executor_id }
  const job = { taskId: task_id, executorId: executor_id }
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  if (stage === 'still held') await force(task_id, 'expired')
  if (reached('accepted', "a person's accepted", 'still held')) return { task_id, executor_id }
  const submitted = await worker.call('POST', `/api/v1/tasks/${task_id}/submit`, {
    evidence: { text_response: canaries.evidence.text },
    notes: canaries.submissionNote.text,
    device_metadata: { utc_offset_minutes: 60 },
  })
  const submission_id = String(expectStatus(submitted, 201).body['submission_id'])
  if (stage === 'completed')
    expectStatus(
      await publisher.call(
        'POST',
        `/api/v1/submissions/${submission_id}/approve`,
        await approveFields(publisher, submission_id),
      ),
      200,
    )
  if (stage !== 'disputed') return { task_id, executor_id, submission_id }
  const dispute = expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${submission_id}/reject`, { reason: canaries.rejection.text }),
    200,
  ).body['dispute'] as { readonly id: string } // the contract's output
  expectStatus(
    await worker.call('POST', `/api/v1/disputes/${dispute.id}/evidence`, { statement: canaries.statement.text }),
    201,
  )
  return { task_id, executor_id, submission_id, dispute_id: dispute.id }
}

/** A key that is the same in every run, so that its address can be searched for. */
const payoutKey = createPrivateKey({
  format: 'der',
  type: 'pkcs8',
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
})
const payoutAddress = toBase58(Buffer.from(createPublicKey(payoutKey).export({ format: 'jwk' }).x ?? '', 'base64url'))

async function bindPayout(by: Party): Promise<Record<string, unknown>> {
  const executorId = String(expectStatus(await by.call('POST', '/api/v1/workers/register', {}), 201).body['id'])
  const message = payoutText({
    service: authority,
    wallet: by.wallet.toLowerCase(),
    executorId,
    address: payoutAddress,
    issuedAt: new Date().toISOString(),
  })
  return { solana_payout_address: payoutAddress, message, signature: toBase58(sign(null, utf8(message), payoutKey)) }
}
