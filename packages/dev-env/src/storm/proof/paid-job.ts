import { drawJob, type Job, type Played } from '../jobs/job.ts'
import { seededRandom } from '../random.ts'
import type { ChainFacts, EscrowLog, Transfer } from './chain-facts.ts'
import type { TableFacts } from './table-facts.ts'

const [operator, treasury, nobody] = ['0xoperator', '0xtreasury', `0x${'0'.repeat(40)}`]
export const job: Job = { ...drawJob(seededRandom(1), 1), grossAtomic: 1_000_000n, mintedAtomic: 4_000_000n }
export const [payer, payee] = [job.payer.address.toLowerCase(), job.payee.address.toLowerCase()]
export const log = (kind: EscrowLog['kind'], atomic: bigint, place: number, hash = '0xa'): EscrowLog => ({
  kind,
  hash,
  atomic,
  fee: 0n,
  txHash: `0x${String(place)}`,
  logIndex: 0,
  blockNumber: BigInt(place),
})
export const moved = (from: string, to: string, atomic: bigint, place: number): Transfer => ({
  from,
  to,
  atomic,
  txHash: `0x${String(place)}`,
})

/** A job that was paid as it should be, in the chain, in the tables and in what its client was told. */
export function paidJob(): {
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
