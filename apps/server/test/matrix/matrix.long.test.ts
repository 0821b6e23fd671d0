import { operations, type Operation, type OperationName } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pour } from '../http/pour.ts'
import { openStream, readVerdict } from './ask.ts'
import { canaries, type Canary } from './canaries.ts'
import { roles, verdictOf, type Role } from './roles.ts'
import { rows, type Row } from './rows.ts'
import { openWorld, type Stage, type Thing, type World } from './world.ts'

/** Every route as everybody: what the access says, what the row says, and nothing that is not theirs (spec §5). */
let world: World
let secrets: Readonly<Record<string, Canary & { readonly exceptIn?: readonly string[] }>>
beforeAll(async () => {
  world = await openWorld()
  const { bystander, payoutAddress } = world
  secrets = {
    ...canaries,
    payoutAddress: { text: payoutAddress, seenBy: ['worker'] },
    // Who works here is public; that it applied to this task is not.
    applicantWallet: {
      text: bystander.wallet.toLowerCase(),
      seenBy: ['publisher', 'publisherSession', 'admin'],
      exceptIn: ['workers', 'reputation', 'agents'],
    },
  }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

/** One thing in each stage that nobody is entitled to change from here. */
const shared = new Map<Stage, Promise<Thing>>()
async function thingFor(on: Stage | undefined, isChanged: boolean): Promise<Thing> {
  if (on === undefined) return {}
  if (isChanged) return world.make(on)
  const made = shared.get(on) ?? world.make(on)
  shared.set(on, made)
  return made
}

const found = new Map<string, Set<Role>>()

function expectNoSecrets(operation: Operation, role: Role, text: string): void {
  for (const [name, { text: secret, seenBy, exceptIn = [] }] of Object.entries(secrets)) {
    if (!text.includes(secret)) continue
    if (!exceptIn.includes(operation.section)) expect(seenBy, `${name} is shown to ${role} in ${text}`).toContain(role)
    found.set(name, (found.get(name) ?? new Set()).add(role))
  }
}

const routes = (Object.entries(rows) as [OperationName, Row][]).flatMap(([name, row]) =>
  (operations[name] as Operation).rest.map(
    (binding) => [`${binding.method} ${binding.path}`, name, row, binding] as const,
  ),
)

describe.each(roles.map((role) => [role]))('as %s', (role) => {
  test.each(routes)('%s', async (_route, name, row, binding) => {
    const operation: Operation = operations[name]
    const expected = verdictOf(operation.access, role, row)
    const thing = await thingFor(row.on, expected === 'ok' && binding.method !== 'GET')
    const { target, headers, body } = pour(binding, {
      ...pick(thing, operation),
      ...(await row.fields?.(world, thing, role)),
    })
    const call = row.fresh === true ? await world.freshCallAs(role) : world.callAs(role)
    const reply = name.endsWith('.stream')
      ? await openStream(world, role, target)
      : await call(binding.method, target, body, headers)
    expectNoSecrets(operation, role, JSON.stringify(reply.body))
    const verdict = readVerdict(name, reply)
    expect(expected === 'ok' && verdict === 'empty' ? 'ok' : verdict, JSON.stringify(reply.body)).toBe(expected)
  })
})

/** The ids of a thing that an operation asks for by their names. */
function pick(thing: Thing, { input }: Operation): Record<string, unknown> {
  return Object.fromEntries(Object.entries(thing).filter(([field]) => field in input.properties))
}

test('each secret was found by a caller who may read it, so that the search is proven', () => {
  expect(Object.keys(secrets).filter((name) => (found.get(name)?.size ?? 0) === 0)).toEqual([])
})
