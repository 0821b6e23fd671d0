import { randomInt } from 'node:crypto'
import {
  errorCatalogue,
  errorsOf,
  operations,
  signatureErrors,
  takesSession,
  type ErrorCode,
  type Operation,
  type OperationName,
  type RestBinding,
} from '@ergon/contract'
import fc, { type Arbitrary } from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import {
  applied,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { signedIn } from './live-people.ts'
import { pour } from './pour.ts'
import { fields, type Known, type Schema } from './schema-arbitrary.ts'

export type Route = { readonly name: OperationName; readonly operation: Operation; readonly binding: RestBinding }

/** One run of the fuzz: where it begins, and how much it asked. */
export type Fuzz = AsyncDisposable & {
  readonly market: LiveMarket
  readonly runs: number
  readonly seed: number
  readonly requests: number
  /** How many were answered with each code; success is 'ok'. */
  readonly answers: ReadonlyMap<string, number>
  /** A task in every state that requests meet, and what its parties would send. */
  freshScene(): Promise<Known>
  /** Requests to one route made from its schema, as everybody, good and bad. */
  fuzz(route: Route, known: Known): Promise<void>
  /** Sends a body as it is, as a caller who may. */
  raw(route: Route, known: Known, body: string): Promise<void>
}

/** Their answers end with the connection; events.test.ts and meters.test.ts listen to them. */
const endless = new Set(['events.stream', 'meters.stream', 'streams.stream', 'taximetro.stream'])
/** Switched off here, which is all they say; channels/bad-input.test.ts and streams.test.ts have them on. */
const off = new Set(['channels', 'meters', 'streams', 'taximetro'])
/** What the admin key opens can shut all others out; fuzz-admin.long.test.ts has a market of its own for it. */
export const routes: readonly Route[] = Object.entries<Operation>(operations)
  .filter(([name, { section }]) => !endless.has(name) && section !== 'admin' && !off.has(section))
  .flatMap(([name, operation]) =>
    operation.rest.map((binding) => ({ name: name as OperationName, operation, binding })),
  ) // the keys of a literal

export const titleOf = ({ name, binding }: Route): string => `${name} ${binding.method} ${binding.path}`

const outputs = new Map(Object.entries<Operation>(operations).map(([name, { output }]) => [name, Compile(output)]))
const isCode = (text: unknown): text is ErrorCode => typeof text === 'string' && text in errorCatalogue

/** Success in the shape of the contract, or a refusal that the contract names; never a fault. */
export function expectNamed(name: string, operation: Operation, { status, body }: Reply): void {
  if (status < 300) {
    expect([200, 201, 202]).toContain(status)
    if (operation.raw !== true) expect([...(outputs.get(name)?.Errors(body) ?? [])]).toEqual([])
    return
  }
  const code: unknown = body.code
  if (!isCode(code) || status === 500) throw new Error(`${name} answers ${String(status)} ${JSON.stringify(body)}`)
  const entry = errorCatalogue[code]
  expect([
    status,
    body.detail?.['code'],
    body.detail?.['retryable'],
    typeof body['request_id'],
    typeof body.message,
  ]).toEqual([entry.status, code, entry.retryable, 'string', 'string'])
  // A path that no operation answers is nobody's error.
  if (code !== 'NOT_FOUND') expect([...errorsOf(operation), ...signatureErrors]).toContain(code)
}

/** Nobody waits here for something to happen. */
function atOnce(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const waits = input['wait_seconds']
  return typeof waits === 'number' && waits > 0 && waits <= 25 ? { ...input, wait_seconds: 0 } : input
}

/** How a request says who sends it; most say it well. */
type Manner = 'signed' | 'in a browser' | 'unsigned' | 'forged' | 'expired' | 'for another host' | 'with a key'
const manners = ({ operation: { access } }: Route): Arbitrary<readonly [Manner, number]> =>
  fc.tuple(
    fc.oneof(
      { weight: access.by === 'session' ? 3 : 30, arbitrary: fc.constant<Manner>('signed') },
      {
        weight: access.by === 'session' ? 30 : takesSession(access) ? 12 : 1,
        arbitrary: fc.constant<Manner>('in a browser'),
      },
      { weight: access.by === 'anyone' ? 5 : 1, arbitrary: fc.constant<Manner>('unsigned') },
      { weight: 1, arbitrary: fc.constantFrom<Manner>('forged', 'expired', 'for another host', 'with a key') },
    ),
    fc.constantFrom(0, 0, 1, 1, 2),
  )

export async function startFuzz(): Promise<Fuzz> {
  const market = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '0' })
  const parties = [await market.party(5_000n), await market.party(5n), await market.party(5n)] as const
  const [publisher, worker] = parties
  let person: Party = await signedIn(market, publisher)
  const seed = Number(process.env['ERGON_FUZZ_SEED'] ?? randomInt(2 ** 31))
  const runs = Number(process.env['ERGON_FUZZ_RUNS'] ?? 110)
  let requests = 0
  const answers = new Map<string, number>()
  const note = (reply: Reply): Reply => {
    const said = reply.status < 300 ? 'ok' : String(reply.body.code)
    answers.set(said, (answers.get(said) ?? 0) + 1)
    return reply
  }

  const ask = async (
    { binding }: Route,
    [manner, who]: readonly [Manner, number],
    input: Readonly<Record<string, unknown>>,
  ): Promise<Reply> => {
    requests += 1
    const { target, headers, body } = pour(binding, input)
    const party = parties[who] ?? publisher
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    switch (manner) {
      case 'signed':
        return party.call(binding.method, target, body, headers)
      case 'in a browser':
        return person.call(binding.method, target, body === undefined ? undefined : JSON.parse(body), headers)
      case 'unsigned':
        return send(market.url, binding.method, target, { host: authority, ...json, ...headers }, body)
      case 'forged':
        return send(
          market.url,
          binding.method,
          target,
          await signed(binding.method, `${target}${target.includes('?') ? '&' : '?'}more=1`, body, {
            key: party.key,
            headers,
          }),
          body,
        )
      case 'expired':
        return send(
          market.url,
          binding.method,
          target,
          await signed(binding.method, target, body, { key: party.key, headers, now: -3_600 }),
          body,
        )
      case 'for another host':
        return send(
          market.url,
          binding.method,
          target,
          await signed(binding.method, target, body, { key: party.key, headers, authority: 'another.market' }),
          body,
        )
      case 'with a key':
        return send(
          market.url,
          binding.method,
          target,
          { host: authority, ...json, ...headers, authorization: 'Bearer svc_free_0123456789' },
          body,
        )
    }
  }

  return {
    market,
    runs,
    seed,
    answers,
    get requests() {
      return requests
    },
    async freshScene() {
      // Whoever was blocked on the way may work with the others again, and whoever signed out is back.
      for (const party of parties)
        for (const other of parties) await party.call('DELETE', `/api/v1/users/block?wallet=${other.wallet}`)
      person = await signedIn(market, publisher)
      return sceneOf({ publisher, worker, person, wallets: parties.map(({ wallet }) => wallet) })
    },
    async fuzz(route, known) {
      // A TypeBox schema is JSON Schema.
      await fc.assert(
        fc.asyncProperty(
          fields(route.operation.input as unknown as Schema, known),
          manners(route),
          async (input, manner) => {
            expectNamed(route.name, route.operation, note(await ask(route, manner, atOnce(input))))
          },
        ),
        { numRuns: runs, seed },
      )
    },
    async raw({ name, operation, binding }, known, body) {
      requests += 1
      const { target } = pour(
        binding,
        Object.fromEntries(Object.entries(known).map(([field, values]) => [field, values[0]])),
      )
      expectNamed(
        name,
        operation,
        await (operation.access.by === 'session' ? person : publisher).call(
          binding.method,
          target.split('?', 1)[0] ?? target,
          body,
        ),
      )
    },
    [Symbol.asyncDispose]: () => market[Symbol.asyncDispose](),
  }
}

export type Cast = {
  readonly publisher: Party
  readonly worker: Party
  readonly person: Party
  readonly wallets: readonly string[]
}

/** Tasks in every state that requests meet, made anew. */
export async function sceneOf({ publisher, worker, person, wallets }: Cast): Promise<Known> {
  const appliedToPerson = async (): Promise<Applied> => {
    const taskId = String(expectStatus(await person.call('POST', '/api/v1/h2a/tasks', aTask()), 201).body['id'])
    const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
    return { taskId, executorId: String(application.body['executor_id']) }
  }
  const open = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  const waiting = await applied(publisher, worker)
  const accepted = await applied(publisher, worker, {
    evidence_required: ['text_response'],
    evidence_optional: ['gps', 'json_response', 'url_reference', 'photo'],
  })
  const [submitted, disputed, byPerson, heldByPerson] = [
    await applied(publisher, worker),
    await applied(publisher, worker),
    await appliedToPerson(),
    await appliedToPerson(),
  ]
  for (const job of [accepted, submitted, disputed, heldByPerson])
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const [inReview, inDispute, ofPerson] = [
    await submit(worker, submitted.taskId),
    await submit(worker, disputed.taskId),
    await submit(worker, heldByPerson.taskId),
  ]
  const dispute = expectStatus(
    await worker.call('POST', `/api/v1/submissions/${inDispute}/dispute`, {
      reason: 'no_response',
      description: 'Nobody looks at it.',
    }),
    201,
  )
  return {
    task_id: [
      String(open.body['id']),
      waiting.taskId,
      accepted.taskId,
      submitted.taskId,
      disputed.taskId,
      byPerson.taskId,
      heldByPerson.taskId,
    ],
    submission_id: [inReview, ofPerson, inDispute],
    dispute_id: [String(dispute.body['id'])],
    listing_id: [await listingOf(worker)],
    executor_id: [waiting.executorId],
    target_id: [waiting.taskId, waiting.executorId],
    wallet: wallets,
    publisher: wallets,
    wallet_address: wallets,
    publisher_key: wallets,
    network: ['localnet', 'base'],
    payment_network: ['localnet'],
    payment_token: ['USDC'],
    payment_auth: [await paymentAuth(publisher, waiting)],
    payment_worker: wallets,
    agent_id: ['0', '1'],
  }
}

/** A seller has at most twenty. */
async function listingOf(seller: Party): Promise<string> {
  const mine = expectStatus(await seller.call('GET', '/api/v1/services/mine?limit=1'), 200).body[
    'listings'
  ] as readonly { readonly id: string }[] // the contract's output
  if (mine[0] !== undefined) return mine[0].id
  const offer = {
    title: 'Photographs of gates',
    description: 'One sharp photograph of any gate in town.',
    category: 'simple_action',
    unit_price_usd: 1,
  }
  return String(expectStatus(await seller.call('POST', '/api/v1/services', offer), 201).body['id'])
}
