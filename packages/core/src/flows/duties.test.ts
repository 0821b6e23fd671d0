import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { RailAnswer } from '../ports/rail.ts'
import type { OwedFee } from '../ports/store.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { authorize, heldTask, payment, placeOn, settlementOf } from '../testing/scripted-money.ts'
import { duties } from './duties.ts'

const now = scriptedNow
const other = { symbol: 'EURC', network: 'localnet', decimals: 6 }
const owed = (change: Partial<OwedFee> = {}): OwedFee => ({
  taskId: 'task',
  bounty: { atomic: 10_000_000n, asset: payment.asset },
  captured: { blockNumber: 7n, logIndex: 1 },
  since: new Date(now.getTime() - 600_001),
  ...change,
})
const landed = { outcome: 'settled', txHash: '0xsweep', blockNumber: 8n, logIndex: 2 } as const

type Given = {
  readonly answer?: RailAnswer | object
  readonly script?: Script
}

function stage({ answer = { ...landed, amount: 1_300_000n }, script = {} }: Given = {}) {
  const one = placeOn(heldTask(), {
    owedFees: [owed()],
    leaseSweep: (sweep: object) => sweep,
    endSweep: true,
    isDistributed: false,
    addDistribution: true,
    settleFee: true,
    sweepAfter: null,
    ...script,
  })
  const swept: unknown[][] = []
  const rail = {
    ...one.chain.rail,
    sweepFees: (...of: unknown[]) => {
      swept.push(of)
      return Promise.resolve(answer)
    },
  }
  const deps = { ...one.deps, rails: () => rail } as typeof one.deps
  return { ...one, deps, swept }
}

describe('the duty names the transaction of a fee', () => {
  const disbursed = async (given: Given): Promise<unknown> => {
    const { deps, asked, swept } = stage(given)
    const done = await refusalOf(async () => {
      asked.push(['named', await duties.disburseFees(deps)])
    })
    return [done, swept.length, linesOf(asked)]
  }
  test.each<[string, Given, unknown]>([
    [
      'after a sweep went by',
      { script: { sweepAfter: { txHash: '0xsweep' } } },
      [
        null,
        0,
        [
          'owedFees localnet 500',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'transaction',
          'settleFee task 0xsweep now',
          'addPaymentEvent {id:#1,taskId:task,type:disburse_fee,status:success,amount:1300000n USDC,asset:USDC,from:null,to:null,txHash:0xsweep,at:now}',
          'named 1',
        ],
      ],
    ],
    [
      'once',
      { script: { sweepAfter: { txHash: '0xsweep' }, settleFee: false } },
      [
        null,
        0,
        [
          'owedFees localnet 500',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'transaction',
          'settleFee task 0xsweep now',
          'named 1',
        ],
      ],
    ],
    [
      'by a sweep, where none went by',
      {},
      [
        null,
        1,
        [
          'owedFees localnet 500',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'leaseSweep {id:#1,asset:USDC,key:sweep:#1,attempts:0} now 2026-11-21T12:00:30.000Z',
          'transaction',
          'endSweep #1 {status:confirmed,txHash:0xsweep,blockNumber:8n,amount:1300000n} now',
          'isDistributed {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
          'addDistribution {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
          'post {id:#2,taskId:null,asset:USDC,at:now,postings:[{account:operator,atomic:-1300000n},{account:treasury,atomic:1300000n}]}',
          'named 0',
        ],
      ],
    ],
    [
      'by one sweep a token',
      {
        script: {
          owedFees: [
            owed(),
            owed({ taskId: 'second' }),
            owed({ taskId: 'third', bounty: { atomic: 1n, asset: other } }),
          ],
        },
        answer: { outcome: 'unknown' },
      },
      [
        null,
        2,
        [
          'owedFees localnet 500',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'sweepAfter {symbol:EURC,network:localnet,decimals:6} {blockNumber:7n,logIndex:1}',
          'leaseSweep {id:#1,asset:USDC,key:sweep:#1,attempts:0} now 2026-11-21T12:00:30.000Z',
          'transaction',
          'endSweep #1 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
          'leaseSweep {id:#2,asset:{symbol:EURC,network:localnet,decimals:6},key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
          'transaction',
          'endSweep #2 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
          'named 0',
        ],
      ],
    ],
    [
      'and says when a sweep is refused',
      { answer: { outcome: 'refused', code: 'SETTLEMENT_FAILED', final: true, at: null } },
      [
        ['SETTLEMENT_FAILED', { network: 'localnet', token: 'USDC' }],
        1,
        [
          'owedFees localnet 500',
          'sweepAfter USDC {blockNumber:7n,logIndex:1}',
          'leaseSweep {id:#1,asset:USDC,key:sweep:#1,attempts:0} now 2026-11-21T12:00:30.000Z',
          'transaction',
          'endSweep #1 {status:empty} now',
        ],
      ],
    ],
    ['where one is owed', { script: { owedFees: [] } }, [null, 0, ['owedFees localnet 500', 'named 0']]],
  ])('%s', async (_what, given, done) => {
    expect(await disbursed(given)).toEqual(done)
  })
})

describe('what a process works on stays its own', () => {
  const run = async (mine: readonly object[]): Promise<readonly unknown[]> => {
    const { deps, asked } = stage({ script: { renewSettlements: 2 } })
    const renewed = await duties.renewLeases({ ...deps, held: { list: () => mine } } as unknown as typeof deps)
    return [renewed, ...linesOf(asked)]
  }
  test('while it does', async () => {
    expect(await run([{ id: 'one', attempts: 0 }])).toEqual([
      2,
      'renewSettlements [{id:one,attempts:0}] 2026-11-21T12:00:08.000Z',
    ])
  })
  test('and nothing is asked where it does nothing', async () => {
    expect(await run([])).toEqual([0])
  })
})

describe('what a crash left is finished', () => {
  const lock = settlementOf('lock', authorize, { submissionId: null })
  const landed = { state: 'landed', txHash: '0xlanded', blockNumber: 9n, logIndex: 4 }

  /** A round over as many settlements, of which the chain shows this; `down`: it cannot be read. */
  async function reconciled(...found: readonly (object | 'down')[]) {
    const left = found.map((_one, index) => ({ ...lock, id: String(index) }))
    const { deps, chain, of } = stage({
      script: {
        leaseSettlements: left,
        lockSettlement: (id: string) => ({ ...lock, id }),
        lockTask: heldTask({ status: 'assigning' }),
      },
    })
    let looks = 0
    const find = () => {
      const one = found[looks]
      looks += 1
      return one === 'down' ? Promise.reject(new MarketError('CHAIN_UNAVAILABLE')) : Promise.resolve(one)
    }
    const rails = () => ({ ...chain.rail, find }) as never
    return { ended: await duties.reconcile({ ...deps, rails }), asked: of('leaseSettlements') }
  }
  test('and how many of them ended is counted', async () => {
    expect((await reconciled(landed, 'down', landed)).ended).toBe(2)
    expect((await reconciled('down')).ended).toBe(0)
    expect((await reconciled()).ended).toBe(0)
  })
  test('under a lease, and with a deadline for the copies that are sent', async () => {
    const after = (ms: number): Date => new Date(now.getTime() + ms)
    expect((await reconciled()).asked).toEqual([['localnet', now, after(8_000), after(30_000), 20]])
  })
})
