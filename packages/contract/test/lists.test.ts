import { describe, expect, test } from 'vitest'
import { limits, operations, type Operation } from '../src/index.ts'

const reads = Object.entries<Operation>(operations).filter(([, { rest }]) =>
  rest.some(({ method }) => method === 'GET'),
)

/** Read operations whose answer is rows of one kind; those that hold a list beside other things are documents. */
const documents = [
  'tasks.assignChallenge',
  'submissions.get',
  'disputes.arbiters',
  'disputes.ruling',
  'escrow.config',
  'service.health',
  'service.healthPayments',
  'service.config',
  'service.healthNetworks',
  'service.agentInfo',
  'service.skills',
  'auth.info',
  'listings.get',
  'h2a.get',
  'h2a.assignChallenge',
  'account.export',
  'admin.readConfig',
  'portfolio.read',
  'webhooks.get',
  'webhooks.delivery',
  'channels.get',
  'channels.offer',
  'meters.channel',
  'places.find',
]
/** Streams read back: a page of them may be longer. */
const longest: Readonly<Record<string, number>> = { 'events.list': 500, 'taximetro.history': 1_000 }
const lists = reads.filter(
  ([name, { output }]) =>
    !documents.includes(name) &&
    Object.values((output as { properties?: Record<string, { type?: string }> }).properties ?? {}).some(
      ({ type }) => type === 'array',
    ),
)

describe('lists accept limit and offset (spec §4)', () => {
  test('these are the lists', () => {
    expect(lists.length).toBeGreaterThan(35)
  })

  test.each(lists)('%s takes both, within bounds, and says whether there is more', (name, { input, output }) => {
    const { limit, offset } = input.properties as Record<string, unknown> // whatever they are, they are held below
    expect(offset).toMatchObject({ type: 'integer', minimum: 0, maximum: 10_000, default: 0 })
    expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: longest[name] ?? 100 })
    expect(input.required ?? []).not.toContain('limit')
    const answered = Object.keys((output as { properties: object }).properties)
    if (name !== 'events.list') expect(answered).toEqual(expect.arrayContaining(['count', 'offset', 'has_more']))
  })

  test('a page can be as deep as this and no deeper', () => {
    expect([limits.pageDefault, limits.pageMax, limits.offsetMax]).toEqual([20, 100, 10_000])
  })
})
