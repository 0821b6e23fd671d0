import { errorCatalogue } from '@ergon/contract'
import { bytesToHex, hashTypedData, hexToBytes, signDigest } from '@ergon/protocols'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRig, type Rig } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import {
  applied,
  approveChallenge,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
} from './live-market.ts'
import { junk } from './schema-arbitrary.ts'

/** Signed documents with one value changed: each is refused by name, and none moves money. */

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const runs = Number(process.env['ERGON_FUZZ_RUNS'] ?? 40)
type Path = readonly (string | number)[]

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...at, name]))]
}

function changed(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to
  // Paths come from the value itself.
  const copy: Record<string | number, unknown> = { ...(value as Record<string, unknown>) }
  copy[first] = changed(copy[first], rest, to)
  if (copy[first] === undefined) Reflect.deleteProperty(copy, first)
  return copy
}

/** A document with one of its values made something else, a near miss as often as nonsense. */
function mutants(document: unknown): Arbitrary<unknown> {
  const near = fc.constantFrom<(value: unknown) => unknown>(
    () => undefined,
    (value) => String(value),
    Number,
    (value) => `${String(value)}0`,
    (value) => `-${String(value)}`,
    (value) => `0x${String(value)}`,
    (value) => [value],
    (value) => ({ value }),
    (value) => String(value).toUpperCase(),
    () => `0x${'0'.repeat(64)}`,
    () => `0x${'f'.repeat(40)}`,
    () => '9'.repeat(80),
  )
  const at = (path: Path): unknown =>
    path.reduce<unknown>((value, name) => (value as Record<string | number, unknown>)[name], document) // the same
  return fc.constantFrom(...pathsOf(document)).chain((path) =>
    fc.oneof(
      near.map((twist) => changed(document, path, twist(at(path)))),
      junk.map((value) => changed(document, path, value)),
    ),
  )
}

const inHeader = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').replaceAll(/[^\x20-\x7e]/g, '?')

/** The same thing said in other words gets as far as the money, and that is not there. */
async function attack(document: unknown, send: (mutant: unknown) => Promise<Reply>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(mutants(document), async (mutant) => {
      const reply = await send(mutant)
      expect(Object.keys(errorCatalogue)).toContain(reply.body.code)
      expect([400, 402, 409, 422, 502]).toContain(reply.status)
    }),
    { numRuns: runs },
  )
}

const parsed = (text: unknown): unknown => JSON.parse(String(text))

describe('in escrow', () => {
  let market: LiveMarket
  beforeAll(async () => {
    market = await startLiveMarket({}, rig)
  })
  afterAll(async () => {
    await market[Symbol.asyncDispose]()
  })

  test('payment authorizations', async () => {
    const [publisher, worker] = [await market.party(0n), await market.party(0n)]
    const job = await applied(publisher, worker)
    await attack(parsed(await paymentAuth(publisher, job)), (mutant) => assign(publisher, job, inHeader(mutant)))
    expect((await publisher.call('GET', `/api/v1/tasks/${job.taskId}`)).body['status']).toBe('published')
  })

  test('release orders and release approvals', async () => {
    const [publisher, worker] = [await market.party(50n), await market.party(0n)]
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const submission = await submit(worker, job.taskId)
    const target = `/api/v1/submissions/${submission}/approve`
    const fields = await approveFields(publisher, submission)
    const document = (await approveChallenge(publisher, submission)).release_approval.typed_data
    const approval = {
      deadline: Number(document.message['deadline']),
      nonce: document.message['nonce'],
      signature: bytesToHex(signDigest(hashTypedData(document), hexToBytes(publisher.key))),
    }
    await rig.facilitatorLine.close()
    await attack(approval, (mutant) => publisher.call('POST', target, {}, { 'x-svc-approval': inHeader(mutant) }))
    await attack(fields, (mutant) => publisher.call('POST', target, JSON.stringify(mutant) ?? '{}'))
    await rig.facilitatorLine.open()
    expect(await market.balance(worker.wallet)).toBe(0n)
    expectStatus(await publisher.call('POST', target, fields), 200)
    expect(await market.balance(worker.wallet)).toBe(930_900n)
  })
})

test('direct payments of mode fase1', async () => {
  await using market = await startLiveMarket({ SVC_PAYMENT_MODE: 'fase1' }, rig)
  const [publisher, worker] = [await market.party(0n), await market.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/assign`, { executor_id: job.executorId }), 200)
  const submission = await submit(worker, job.taskId)
  const fields = await approveFields(publisher, submission)
  const both = { worker: parsed(fields['settlement_auth_worker']), fee: parsed(fields['settlement_auth_fee']) }
  await attack(both, (mutant) => {
    const { worker: payout, fee } = (typeof mutant === 'object' && mutant !== null ? mutant : {}) as Record<
      string,
      unknown
    > // of the shape of `both`, mostly
    return publisher.call('POST', `/api/v1/submissions/${submission}/approve`, {
      settlement_auth_worker: JSON.stringify(payout) ?? '',
      settlement_auth_fee: JSON.stringify(fee) ?? '',
    })
  })
  expect((await publisher.call('GET', `/api/v1/submissions/${submission}`)).body['status']).toBe('pending_review')
})
