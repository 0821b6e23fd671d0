import { operations, pathFields, type Operation, type OperationName, type RestBinding } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import { asAdmin } from '../http/live-admin.ts'
import { ledgerKey } from '../http/live-channels.ts'
import { approveFields, eventually, paymentAuth, type Party } from '../http/live-market.ts'
import { acceptFields, offerFields } from '../http/live-offers.ts'
import { pour } from '../http/pour.ts'
import { readVerdict } from './ask.ts'
import { canaries, type Canary } from './canaries.ts'
import { kinds, openKinds, type Kind, type KindsWorld, type Made } from './kinds-world.ts'

/** What holds for a task of any kind, in any state, to whoever reads it. */
let world: KindsWorld
let stranger: Party
beforeAll(async () => {
  world = await openKinds()
  stranger = await world.held.market.party(0n)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

type Body = Readonly<Record<string, unknown>>
type Reader = 'anonymous' | 'stranger' | 'worker' | 'publisher' | 'admin'
const readers: readonly Reader[] = ['anonymous', 'stranger', 'worker', 'publisher', 'admin']

function ask({ market, publisher, worker }: Made, reader: Reader, target: string): Promise<Reply> {
  if (reader === 'anonymous') return market.get(target)
  if (reader === 'admin') return asAdmin(market, 'GET', target)
  const by = { stranger: market.known(stranger), publisher, worker }[reader]
  return by.call('GET', target)
}

/** What an operation asks for beside ids. */
const asked: { readonly [N in OperationName]?: Body } = {
  'tasks.get': { include_submissions: true },
  'offers.challenge': { worker_amount_usd: 0 },
  'disputes.rulingChallenge': { verdict: 'refund', reason: 'It is dark.', criteria: 'The gate is on it.' },
  'channels.offer': { payer: ledgerKey().address },
}

type Read = readonly [OperationName, RestBinding]
/** Reads by the ids of a task that end; what is asked by a session of a browser asks the same handlers. */
const reads = (Object.entries(operations) as [OperationName, Operation][]).flatMap(
  ([name, { rest, access }]): Read[] =>
    access.by === 'session' || access.by === 'admin' || name.endsWith('.stream')
      ? []
      : rest.filter(({ method, path }) => method === 'GET' && pathFields(path).length > 0).map((one) => [name, one]),
)

const readsOf = ({ ids }: Made) => reads.filter(([, { path }]) => pathFields(path).every((field) => field in ids))

function targetOf({ ids }: Made, [name, binding]: Read): string {
  const named = Object.keys((operations[name] as Operation).input.properties)
  const given = Object.fromEntries(Object.entries(ids).filter(([field]) => named.includes(field)))
  return pour(binding, { ...given, ...asked[name] }).target
}

function expectNoSecrets(reader: Reader, target: string, body: unknown): void {
  const text = JSON.stringify(body)
  for (const [name, { text: secret, seenBy }] of Object.entries<Canary>(canaries))
    if (text.includes(secret)) expect(seenBy, `${name} is shown to ${reader} by ${target}`).toContain(reader)
}

const millionths = (usd: unknown): number => Math.round(Number(usd) * 1_000_000)
const sum = (lines: readonly Body[], field: string): number =>
  lines.reduce((total, line) => total + millionths(line[field]), 0)

/** The body of a read that its party may do. */
async function readAs(made: Made, reader: Reader, path: string): Promise<Body> {
  const { status, body } = await ask(made, reader, `/api/v1${path}`)
  return status === 200 ? body : {}
}

/** A banned publisher reads nothing: its worker reads the same. */
async function sidesOf(made: Made, path: string): Promise<Body> {
  const own = await readAs(made, 'publisher', path)
  return Object.keys(own).length > 0 ? own : readAs(made, 'worker', path)
}

async function expectSums(made: Made): Promise<void> {
  const { task_id: id = '', executor_id: executor = '', dispute_id: dispute } = made.ids
  // The fee of an escrow goes to the treasury after the payout.
  await eventually(
    () => sidesOf(made, `/payments/${id}`),
    (body) => (body['release_tx'] ?? null) === null || body['fee_tx'] !== null,
  )
  const [task, paid, funding] = [
    await sidesOf(made, `/tasks/${id}`),
    await sidesOf(made, `/payments/${id}`),
    await sidesOf(made, `/tasks/${id}/funding`),
  ]
  expect([paid['total_amount'], paid['network'], paid['token'], paid['escrow_tx'], paid['refund_tx']]).toEqual([
    task['bounty_usd'],
    task['payment_network'],
    task['payment_token'],
    task['escrow_tx'],
    task['refund_tx'],
  ])
  // A channel that is closed has paid before its task is decided on.
  if (task['payment_tx'] !== null) expect(paid['release_tx']).toBe(task['payment_tx'])
  expect([funding['amount_usd'], funding['network'], funding['next_action']]).toEqual([
    task['bounty_usd'],
    task['payment_network'],
    task['next_action'],
  ])
  expect(funding['state'] === 'paid', JSON.stringify(funding)).toBe(paid['release_tx'] !== null)
  const log = await sidesOf(made, `/payments/events/${id}`)
  const events = log['events'] as readonly Body[] // the contract's output
  const of = (type: string) => events.filter((one) => one['type'] === type && one['status'] === 'success')
  const [net, fee] = [millionths(paid['released_net_usdc']), millionths(paid['platform_fee_usdc'])]
  expect([sum(of('disburse_worker'), 'amount_usd'), sum(of('disburse_fee'), 'amount_usd')]).toEqual([net, fee])
  const { payments = [] } = (await readAs(made, 'worker', `/workers/${executor}/earnings?limit=100`)) as {
    readonly payments?: readonly Body[]
  } // its output
  const earned = payments.filter((one) => one['task_id'] === id)
  expect([sum(earned, 'payout_usd'), sum(earned, 'gross_usd')]).toEqual([net, net + fee])
  if (dispute === undefined) return
  const decided = await sidesOf(made, `/disputes/${dispute}`)
  if (decided['status'] !== 'resolved') return
  expect([millionths(decided['worker_gross_usdc']), millionths(decided['publisher_refund_usdc'])]).toEqual([
    net + fee,
    millionths(task['bounty_usd']) - net - fee,
  ])
}

/** Nobody is asked to sign for what is refused then: whatever a challenge hands out, its act takes. */
async function expectOffered(made: Made): Promise<void> {
  const { publisher, worker, ids } = made
  const { task_id: taskId = '', executor_id: executorId = '', submission_id: submission, offer_id: offer } = ids
  const isAsked = async (by: Party, path: string) => (await by.call('GET', `/api/v1${path}`)).status === 200
  const act = async (by: Party, path: string, body: object, headers = {}) => {
    const reply = await by.call('POST', `/api/v1${path}`, body, headers)
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  }
  if (await isAsked(publisher, `/tasks/${taskId}/assign/challenge?executor_id=${executorId}`)) {
    const auth = await paymentAuth(publisher, { taskId, executorId })
    await act(publisher, `/tasks/${taskId}/assign`, { executor_id: executorId }, { 'x-payment-auth': auth })
  }
  if (offer !== undefined && (await isAsked(publisher, `/settlements/${offer}/challenge`)))
    await act(publisher, `/settlements/${offer}/accept`, await acceptFields(publisher, offer))
  for (const by of [worker, publisher])
    if (await isAsked(by, `/tasks/${taskId}/settlements/challenge?worker_amount_usd=0.5`))
      await act(by, `/tasks/${taskId}/settlements`, await offerFields(by, taskId))
  if (submission !== undefined && (await isAsked(publisher, `/submissions/${submission}/approve/challenge`)))
    await act(publisher, `/submissions/${submission}/approve`, await approveFields(publisher, submission))
}

/** Whose turn it is can take it: what its publisher is told to decide on or to pay, it is asked to sign for. */
async function expectTurn(made: Made): Promise<void> {
  const { publisher, ids } = made
  const { next_action, applications_count } = await readAs(made, 'publisher', `/tasks/${ids['task_id'] ?? ''}`)
  const { tasks = [] } = (await readAs(made, 'publisher', `/tasks?publisher=${publisher.wallet}&limit=100`)) as {
    readonly tasks?: readonly Body[]
  } // its output
  const listed = tasks.find(({ id }) => id === ids['task_id'])
  if (listed !== undefined) expect(next_action).toEqual(listed['next_action'])
  const { who, what } = (next_action ?? {}) as { readonly who?: string; readonly what?: string } // its output
  if (who !== 'publisher') return
  if (what === 'assign') {
    expect(applications_count).toBe(1)
    return
  }
  const target =
    what === 'answer_offer'
      ? `/api/v1/settlements/${ids['offer_id'] ?? ''}/challenge`
      : `/api/v1/submissions/${ids['submission_id'] ?? ''}/approve/challenge`
  const { status, body } = await publisher.call('GET', target)
  // It has to fund such work first, and is told so.
  if (body.code === 'no_channel_bound') return
  expect(status, JSON.stringify(body)).toBe(200)
}

describe.each(Object.entries<Kind>(kinds))('%s', (_name, make) => {
  let made: Made
  beforeAll(async () => {
    made = await make(world)
  })

  test('is read as the contract says, by whoever reads it', async () => {
    for (const read of readsOf(made))
      for (const reader of readers) {
        const target = targetOf(made, read)
        const reply = await ask(made, reader, target)
        expect(reply.status, `${reader} ${target} ${JSON.stringify(reply.body)}`).toBeLessThan(500)
        readVerdict(read[0], reply)
        expectNoSecrets(reader, target, reply.body)
      }
  })

  test('has the same sums wherever they are told', async () => {
    await expectSums(made)
  })

  test('asks nobody for what is refused, and has the same sums after it', async () => {
    await expectTurn(made)
    await expectOffered(made)
    await expectSums(made)
  })
})
