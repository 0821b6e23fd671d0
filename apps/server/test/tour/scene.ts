import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Reply } from '../dispatch/send.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { liveChannels } from '../http/live-channels.ts'
import {
  applied,
  approveFields,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { signedIn, type Person } from '../http/live-people.ts'
import { createJournal, type Between, type Journal } from './journal.ts'
import { mailNowhere } from '../mail/mail-server.ts'
import { startGeocoderDouble } from '../places/geocoder-double.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

export type Submitted = Applied & { readonly submissionId: string }

/** Who takes part in the tour, and the way to a task in each state. */
export type Scene = {
  readonly market: LiveMarket
  readonly databaseUrl: string
  readonly journal: Journal
  readonly publisher: Party
  readonly worker: Party
  /** The publisher in a browser. */
  readonly person: Person
  readonly agentKey: string
  /** Channels of metered tasks, on a ledger that is a map. */
  readonly channels: ReturnType<typeof liveChannels>['fake']
  admin(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  get(target: string): Promise<Reply>
  published(): Promise<string>
  applied(): Promise<Applied>
  accepted(change?: Readonly<Record<string, unknown>>): Promise<Applied>
  submitted(): Promise<Submitted>
  /** Paid for; a fresh one each time. */
  completed(): Promise<Submitted>
  /** Published by the person on its own rail. */
  appliedToPerson(): Promise<Applied>
  acceptedFromPerson(): Promise<Applied>
  submittedToPerson(): Promise<Submitted>
}

const agentKey = 'svc_growth_0123456789abcdef0123456789abcdef'

/** On a new database, or on one that is there already. */
export async function openScene(databaseUrl?: string, between?: Between): Promise<Scene & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'ergon-tour-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const keyFile = join(folder, 'keys.json')
  await writeFile(
    keyFile,
    JSON.stringify([{ sha256: createHash('sha256').update(agentKey).digest('hex'), agent_id: 7, tier: 'growth' }]),
  )
  const url = databaseUrl ?? stack.use(await createTestDatabase(serverSchema)).url
  const [channels, geocoder] = [liveChannels(), stack.use(await startGeocoderDouble())]
  const market = stack.use(
    await startLiveMarket(
      {
        DATABASE_URL: url,
        SVC_ADMIN_KEY: adminKey,
        SVC_AGENT_KEYS: keyFile,
        SVC_PLATFORM_AGENT_ID: '0',
        SVC_PUBLISH_PER_HOUR: '0',
        SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true',
        SVC_OAUTH: 'true',
        ...mailNowhere,
        SVC_GEOCODER_URL: geocoder.url,
      },
      undefined,
      { channels: channels.wired },
    ),
  )
  const journal = createJournal(between)
  const payer = await market.party(1_000n)
  const [publisher, worker] = [journal.watch(payer), journal.watch(await market.party(0n))]
  const person = journal.watch(await signedIn(market, payer))
  const owned = stack.move()
  const asOperator = journal.through(({ method, target, body, headers }) =>
    asAdmin(market, method, target, body, headers),
  )
  const unsigned = journal.through(({ target }) => market.get(target))
  return {
    market,
    databaseUrl: url,
    journal,
    publisher,
    worker,
    person,
    agentKey,
    channels: channels.fake,
    admin: (method, target, body, headers = {}) => asOperator({ method, target, body, headers }),
    get: (target) => unsigned({ method: 'GET', target }),
    ...jobs(publisher, worker, person),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

type Jobs = Pick<
  Scene,
  | 'published'
  | 'applied'
  | 'accepted'
  | 'submitted'
  | 'completed'
  | 'appliedToPerson'
  | 'acceptedFromPerson'
  | 'submittedToPerson'
>

export function jobs(publisher: Party, worker: Party, person: Party): Jobs {
  const lock = async (job: Applied): Promise<Applied> => {
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    return job
  }
  const handIn = async (job: Applied): Promise<Submitted> => ({
    ...job,
    submissionId: await submit(worker, job.taskId),
  })
  const appliedToPerson = async (): Promise<Applied> => {
    const taskId = String(expectStatus(await person.call('POST', '/api/v1/h2a/tasks', aTask()), 201).body['id'])
    const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
    return { taskId, executorId: String(application.body['executor_id']) }
  }
  const accepted = async (change = {}): Promise<Applied> => lock(await applied(publisher, worker, change))
  const submitted = async (): Promise<Submitted> => handIn(await accepted())
  const acceptedFromPerson = async (): Promise<Applied> => lock(await appliedToPerson())
  return {
    accepted,
    submitted,
    appliedToPerson,
    acceptedFromPerson,
    applied: () => applied(publisher, worker),
    published: async () => String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id']),
    submittedToPerson: async () => handIn(await acceptedFromPerson()),
    async completed() {
      const job = await submitted()
      expectStatus(
        await publisher.call(
          'POST',
          `/api/v1/submissions/${job.submissionId}/approve`,
          await approveFields(publisher, job.submissionId),
        ),
        200,
      )
      return job
    },
  }
}
