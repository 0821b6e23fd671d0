import { describe, expect, test } from 'vitest'
import { expectedOf, type JobKind, type Played } from '../jobs/job.ts'
import type { ChainFacts } from './chain-facts.ts'
import { job, log, moved, paidJob, payee, payer } from './paid-job.ts'
import type { TableFacts } from './table-facts.ts'
import { findingsOf, type Evidence } from './verdict.ts'

const kindsOf = ({
  chain,
  tables,
  played,
}: {
  chain: ChainFacts
  tables: TableFacts
  played: Played
}): readonly string[] =>
  [...new Set(findingsOf({ chain, tables, played: [played] } satisfies Evidence).map(({ kind }) => kind))].sort()

describe('the proof', () => {
  test('finds nothing in a job that was paid once', () => {
    const { chain, tables, played } = paidJob()
    expect(findingsOf({ chain, tables, played: [played] })).toEqual([])
  })

  test('finds a second payment to the payee', () => {
    const world = paidJob()
    world.chain.transfers.push(moved(payer, payee, 870_000n, 9))
    expect(kindsOf(world)).toEqual(['doubled', 'unbooked'])
  })

  test('finds a second lock that holds money', () => {
    const world = paidJob()
    world.chain.logs.push(log('authorized', 1_000_000n, 9, '0xb'))
    world.chain.transfers.push(moved(payer, '0xstore', 1_000_000n, 9))
    const chain = { ...world.chain, payments: [...world.chain.payments, { hash: '0xb', payer, payee }] }
    expect(kindsOf({ ...world, chain })).toEqual(['doubled', 'unbooked'])
  })

  test('finds money that never arrived, and a job that did not end', () => {
    const world = paidJob()
    world.chain.logs.pop()
    world.chain.transfers.splice(2, 3)
    expect(kindsOf(world)).toEqual(['events', 'lost', 'unbooked'])
    const other = paidJob()
    other.played.isDone = false
    expect(kindsOf(other)).toEqual(['lost'])
  })

  test('finds a log that no row names, and one that is booked twice', () => {
    const world = paidJob()
    world.chain.logs.push(log('refunded', 1n, 9))
    expect(kindsOf(world)).toEqual(['unbooked'])
    const twice = paidJob()
    expect(kindsOf({ ...twice, tables: { ...twice.tables, movements: ['0x1:0', '0x2:0', '0x2:0'] } })).toEqual([
      'doubled',
    ])
    expect(kindsOf({ ...twice, tables: { ...twice.tables, movements: ['0x1:0', '0x2:0'] } })).toEqual([])
  })

  test('finds books that are not the chain, and journals that do not balance', () => {
    const world = paidJob()
    world.tables.ledger.set('operator', 1n)
    expect(kindsOf(world)).toEqual(['unbooked'])
    const other = paidJob()
    expect(kindsOf({ ...other, tables: { ...other.tables, unbalanced: ['j'] } })).toEqual(['unbooked'])
  })

  test('finds an open settlement, and a transaction that has not landed', () => {
    const world = paidJob()
    const settlements = [
      ...world.tables.settlements,
      { id: 's3', task_id: 't', purpose: 'fee', status: 'in_doubt', tx_hash: null, hash: null },
    ]
    expect(kindsOf({ ...world, tables: { ...world.tables, settlements } })).toEqual(['in doubt'])
    expect(kindsOf({ ...world, tables: { ...world.tables, intentsOpen: 1 } })).toEqual(['in doubt'])
  })

  test('finds an acknowledgement that is not true', () => {
    const world = paidJob()
    world.played.told.push({ job: 1, what: 'applied', id: 'elsewhere', tx: null })
    expect(kindsOf(world)).toEqual(['lost'])
    const other = paidJob()
    other.played.told.push({ job: 1, what: 'approved', id: 'x', tx: '0x77' })
    expect(kindsOf(other)).toEqual(['lost'])
  })

  test('finds an event that is missing, and one that is told twice', () => {
    for (const change of [
      (types: readonly string[]) => types.slice(1),
      (types: readonly string[]) => [...types, 'task.completed'],
    ]) {
      const world = paidJob()
      const events = change(world.tables.events.map(({ type }) => type)).map((type, index) => ({
        task_id: 't',
        type,
        id: String(index),
      }))
      expect(kindsOf({ ...world, tables: { ...world.tables, events } })).toEqual(['events'])
    }
  })
})

test.each<[JobKind, bigint, bigint, bigint]>([
  ['paid', 0n, 1_000_000n, 870_000n],
  ['paid', 1n, 1_000_000n, 870_001n],
  ['split', 0n, 600_000n, 522_000n],
  ['split', 1n, 600_000n, 522_001n],
  ['refunded', 0n, 0n, 0n],
  ['refunded', 1n, 1n, 1n],
  ['cancelled', 0n, 0n, 0n],
  ['expired', 1n, 1n, 1n],
])(
  'a job that is %s, with %s paid before, costs the payer %s and brings the payee %s',
  (kind, dustAtomic, payerOut, payeeIn) => {
    expect(expectedOf({ kind, job: { ...job, backPercent: 40, dustAtomic } })).toEqual({
      payerOut,
      payeeIn,
      fee: payerOut - payeeIn,
    })
  },
)
