import { operations, takesSession, type Operation, type OperationName, type TaskStatus } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../http/live-market.ts'
import { pour } from '../http/pour.ts'
import { readVerdict } from './ask.ts'
import { roles, verdictOf, type Role, type Verdict, type Verdicts } from './roles.ts'
import { openWorld, type Thing, type World } from './world.ts'

/** Who reads a task in which status (spec §3 visibility, §5.5, §7). */
let world: World
const tasks = new Map<TaskStatus, Thing>()
beforeAll(async () => {
  world = await openWorld()
  // The keys of a literal.
  for (const status of Object.keys(seen) as TaskStatus[]) tasks.set(status, await reach(status))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const everybody: Verdicts = { stranger: 'ok' }
const over: Verdicts = { stranger: 'TASK_GONE', applicant: 'ok', worker: 'ok', publisher: 'ok' }
const hidden: Verdicts = {
  anonymous: 'SIGNATURE_REQUIRED',
  stranger: 'FORBIDDEN',
  applicant: 'ok',
  worker: 'ok',
  publisher: 'ok',
}
const seen: Readonly<Record<TaskStatus, Verdicts>> = {
  published: everybody,
  assigning: everybody,
  accepted: everybody,
  in_progress: everybody,
  submitted: everybody,
  verifying: everybody,
  completed: everybody,
  disputed: everybody,
  cancelled: over,
  expired: over,
  draft: hidden,
}
const reads = [
  'tasks.get',
  'tasks.escrow',
  'tasks.location',
  'payments.get',
  'payments.events',
  'listings.match',
] as const satisfies readonly OperationName[]

async function reach(status: TaskStatus): Promise<Thing> {
  const { make, force, publisher, scene } = world
  switch (status) {
    case 'published':
      return make('applied')
    case 'accepted':
    case 'submitted':
    case 'completed':
    case 'disputed':
      return make(status)
    case 'in_progress': {
      const thing = await make('submitted')
      expectStatus(
        await publisher.call('POST', `/api/v1/submissions/${thing['submission_id'] ?? ''}/request-changes`, {
          reason: 'It is dark.',
        }),
        200,
      )
      return thing
    }
    case 'cancelled':
    case 'expired': {
      const thing = await make('accepted')
      expectStatus(
        await scene.admin('PUT', `/api/v1/admin/tasks/${thing['task_id'] ?? ''}`, {
          status,
          reason: 'The matrix asks.',
        }),
        200,
      )
      return thing
    }
    // Two that pass by, and one that no operation makes yet.
    case 'assigning':
    case 'verifying':
    case 'draft': {
      const thing = await make('accepted')
      await force(thing['task_id'] ?? '', status)
      return thing
    }
  }
}

function expected(name: OperationName, status: TaskStatus, role: Role): Verdict {
  const { access }: Operation = operations[name]
  const verdict = verdictOf(access, role, seen[status])
  return verdict === 'ok' && name === 'tasks.escrow' && status === 'published' ? 'ESCROW_NOT_FOUND' : verdict
}

describe.each(Object.keys(seen) as TaskStatus[])('a task that is %s', (status) => {
  test.each(reads.flatMap((name) => roles.map((role) => [name, role] as const)))('%s as %s', async (name, role) => {
    const { rest }: Operation = operations[name]
    for (const binding of rest) {
      const { target, headers, body } = pour(binding, { task_id: tasks.get(status)?.['task_id'] })
      const reply = await world.callAs(role)(binding.method, target, body, headers)
      const verdict = readVerdict(name, reply)
      expect(verdict === 'empty' ? 'ok' : verdict, `${target} ${JSON.stringify(reply.body)}`).toBe(
        expected(name, status, role),
      )
    }
  })

  test.each(roles)('whether the open marketplace lists it to %s', async (role) => {
    const { status: code, body } = await world.callAs(role)(
      'GET',
      `/api/v1/tasks?limit=100&publisher=${world.publisher.wallet}`,
      undefined,
      {},
    )
    if (role === 'banned') {
      expect(code).toBe(403)
      return
    }
    const listed = (body['tasks'] as readonly { readonly id: string }[]).some(
      ({ id }) => id === tasks.get(status)?.['task_id'],
    ) // the contract's output
    expect(listed).toBe(isOwner(role) || seen[status] === everybody)
  })
})

const isOwner = (role: Role): boolean =>
  role === 'publisher' || (role === 'publisherSession' && takesSession(operations['tasks.list'].access))

test.each(roles)(
  'the point of a task is for its worker and its publisher, and %s sees no more than it may',
  async (role) => {
    const { body } = await world.callAs(role)(
      'GET',
      `/api/v1/tasks/${tasks.get('accepted')?.['task_id'] ?? ''}/location`,
      undefined,
      {},
    )
    const isExact = role === 'worker' || role === 'publisher' || role === 'publisherSession'
    expect(body['precision']).toBe(role === 'banned' ? undefined : isExact ? 'exact' : 'area')
  },
)

describe('evidence_accessed_at is stamped by the reading of the publisher alone', () => {
  const readings: readonly (readonly [string, Role, (thing: Thing) => string])[] = [
    ['the submissions of the task', 'publisher', ({ task_id }) => `/api/v1/tasks/${task_id ?? ''}/submissions`],
    ['the submission', 'publisher', ({ submission_id }) => `/api/v1/submissions/${submission_id ?? ''}`],
    ['its evidence', 'publisher', ({ submission_id }) => `/api/v1/submissions/${submission_id ?? ''}/evidence`],
    [
      'the task with its submissions',
      'publisher',
      ({ task_id }) => `/api/v1/tasks/${task_id ?? ''}?include_submissions=true`,
    ],
    [
      'the submissions of the task, in a browser',
      'publisherSession',
      ({ task_id }) => `/api/v1/tasks/${task_id ?? ''}/submissions`,
    ],
  ]
  test.each(readings)('by reading %s', async (_what, role, target) => {
    const thing = await world.make('submitted')
    const stamp = async () =>
      expectStatus(await world.worker.call('GET', `/api/v1/submissions/${thing['submission_id'] ?? ''}`), 200).body[
        'evidence_accessed_at'
      ]
    for (const other of roles.filter((one) => one !== 'publisher' && one !== 'publisherSession'))
      await world.callAs(other)('GET', target(thing), undefined, {})
    expect(await stamp()).toBeNull()
    expectStatus(await world.callAs(role)('GET', target(thing), undefined, {}), 200)
    const first = await stamp()
    expect(first).toEqual(expect.any(String))
    await world.callAs(role)('GET', target(thing), undefined, {})
    expect(await stamp()).toBe(first)
  })

  test('on the rail of people too', async () => {
    const thing = await world.make("a person's submitted")
    expectStatus(
      await world.callAs('publisherSession')(
        'GET',
        `/api/v1/h2a/tasks/${thing['task_id'] ?? ''}/submissions`,
        undefined,
        {},
      ),
      200,
    )
    expect(
      (await world.worker.call('GET', `/api/v1/submissions/${thing['submission_id'] ?? ''}`)).body[
        'evidence_accessed_at'
      ],
    ).toEqual(expect.any(String))
  })
})
