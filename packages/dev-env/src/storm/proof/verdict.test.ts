import { describe, expect, test } from 'vitest'
import { drawJob, expectedOf, type Job, type JobKind, type Played } from '../jobs/job.ts'
import { seededRandom } from '../random.ts'
import type { ChainFacts, EscrowLog, Transfer } from './chain-facts.ts'
import type { TableFacts } from './table-facts.ts'
import { findingsOf, type Evidence } from './verdict.ts'

const [operator, treasury, nobody] = ['0xoperator', '0xtreasury', `0x${'0'.repeat(40)}`]
const job: Job = { ...drawJob(seededRandom(1), 1), grossAtomic: 1_000_000n, mintedAtomic: 4_000_000n }
const [payer, payee] = [job.payer.address.toLowerCase(), job.payee.address.toLowerCase()]
const log = (kind: EscrowLog['kind'], atomic: bigint, place: number, hash = '0xa'): EscrowLog => ({
  kind,
  hash,
  atomic,
  fee: 0n,
  txHash: `0x${String(place)}`,
  logIndex: 0,
  blockNumber: BigInt(place),
})
const moved = (from: string, to: string, atomic: bigint, place: number): Transfer => ({
  from,
  to,
  atomic,
  txHash: `0x${String(place)}`,
})

/** A job that was paid as it should be, in the chain, in the tables and in what its client was told. */
function paidJob(): {
  chain: ChainFacts & { logs: EscrowLog[]; transfers: Transfer[] }
  tables: TableFacts & { ledger: Map<string, bigint> }
  played: Played
} {
  const events = [
    'task.created',
    'worker.applied',
    'task.assigned',
    'payment.escrowed',
    'submission.received',
    'submission.approved',
    'payment.released',
    'task.completed',
  ]
  return {
    chain: {
      payments: [{ hash: '0xa', payer, payee }],
      operator,
      treasury,
      logs: [log('authorized', 1_000_000n, 1), log('captured', 1_000_000n, 2)],
      transfers: [
        moved(nobody, payer, 4_000_000n, 0),
        moved(payer, '0xstore', 1_000_000n, 1),
        moved('0xstore', payee, 870_000n, 2),
        moved('0xstore', operator, 130_000n, 2),
        moved(operator, treasury, 130_000n, 3),
      ],
    },
    tables: {
      tasks: [{ id: 't', status: 'completed', escrow_status: 'released', publisher_wallet: payer }],
      settlements: [
        { id: 's1', task_id: 't', purpose: 'lock', status: 'confirmed', tx_hash: '0x1', hash: '0xa' },
        { id: 's2', task_id: 't', purpose: 'release', status: 'confirmed', tx_hash: '0x2', hash: '0xa' },
      ],
      ledger: new Map([
        [`wallet:${payer}`, -1_000_000n],
        [`wallet:${payee}`, 870_000n],
        ['escrow:0xa', 0n],
        ['operator', 0n],
        ['treasury', 130_000n],
      ]),
      unbalanced: [],
      applications: new Set(['a']),
      submissions: new Map([['x', 'approved']]),
      events: events.map((type, index) => ({ task_id: 't', type, id: String(index) })),
      movements: undefined,
      sweepsOpen: 0,
      intentsOpen: 0,
    },
    played: {
      job,
      kind: 'paid',
      taskId: 't',
      isDone: true,
      failure: undefined,
      told: [{ job: 1, what: 'approved', id: 'x', tx: '0x2' }],
      codes: new Map(),
    },
  }
}

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
