import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { RailAnswer } from '../ports/rail.ts'
import type { OwedFee } from '../ports/store.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { heldTask, payment, placeOn } from '../testing/scripted-money.ts'
import { sweepFees } from './sweep-fees.ts'

const now = scriptedNow
const act = { actor: 'operator', reason: 'Month end.', requestId: 'request' }
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
  readonly held?: bigint | 'unread'
  readonly networks?: readonly object[]
}

function stage({ answer = { ...landed, amount: 1_300_000n }, script = {}, held = 0n, networks }: Given = {}) {
  const one = placeOn(heldTask(), {
    accruedFees: [{ atomic: 1_300_000n, asset: payment.asset }],
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
    holdings: () =>
      held === 'unread'
        ? Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))
        : Promise.resolve({ escrow: 0n, operator: held }),
  }
  const deps = { ...one.deps, rails: () => rail, ...(networks === undefined ? {} : { networks }) } as typeof one.deps
  return { ...one, deps, swept }
}
const every = { network: null, token: null }

const asking = [
  'accruedFees',
  'owedFees localnet 500',
  'transaction',
  'addAudit {actor:operator,reason:Month end.,requestId:request,id:#1,at:now,action:fees.sweep,subject:localnet:USDC,before:{accrued_atomic:1300000},after:{asked:true}}',
]

describe('fees go to the treasury, and the asking is written down first', () => {
  test.each<[string, Given, string, readonly string[]]>([
    [
      'and are booked',
      {},
      'swept {accrued:1300000n USDC,state:swept,txHash:0xsweep,amount:1300000n USDC}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:confirmed,txHash:0xsweep,blockNumber:8n,amount:1300000n} now',
        'isDistributed {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
        'addDistribution {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
        'post {id:#3,taskId:null,asset:USDC,at:now,postings:[{account:operator,atomic:-1300000n},{account:treasury,atomic:1300000n}]}',
      ],
    ],
    [
      'and were booked by whoever follows the chain',
      { script: { isDistributed: true } },
      'swept {accrued:1300000n USDC,state:swept,txHash:0xsweep,amount:1300000n USDC}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:confirmed,txHash:0xsweep,blockNumber:8n,amount:1300000n} now',
        'isDistributed {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
      ],
    ],
    [
      'and were booked at the same moment',
      { script: { addDistribution: false } },
      'swept {accrued:1300000n USDC,state:swept,txHash:0xsweep,amount:1300000n USDC}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:confirmed,txHash:0xsweep,blockNumber:8n,amount:1300000n} now',
        'isDistributed {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
        'addDistribution {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
      ],
    ],
    [
      'and were confirmed by another process',
      { script: { endSweep: false } },
      'swept {accrued:1300000n USDC,state:swept,txHash:0xsweep,amount:1300000n USDC}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:confirmed,txHash:0xsweep,blockNumber:8n,amount:1300000n} now',
        'isDistributed {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
        'addDistribution {network:localnet,asset:USDC,txHash:0xsweep,blockNumber:8n,logIndex:2,atomic:1300000n}',
      ],
    ],
    [
      'while another sweep is on its way',
      { script: { leaseSweep: null } },
      'swept {accrued:1300000n USDC,state:in flight,txHash:null,amount:null}',
      ['leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z'],
    ],
    [
      'and nobody knows yet',
      { answer: { outcome: 'unknown', txHash: '0xsent' } },
      'swept {accrued:1300000n USDC,state:in flight,txHash:0xsent,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
      ],
    ],
    [
      'and nobody knows how much',
      { answer: landed },
      'swept {accrued:1300000n USDC,state:in flight,txHash:0xsweep,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
      ],
    ],
    [
      'and the chain is away',
      { answer: { outcome: 'unavailable', sent: false } },
      'swept {accrued:1300000n USDC,state:in flight,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
      ],
    ],
    [
      'and are refused for good',
      { answer: { outcome: 'refused', code: 'SETTLEMENT_FAILED', final: true, at: null } },
      'swept {accrued:1300000n USDC,state:refused,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
      ],
    ],
    [
      'and are refused for now',
      { answer: { outcome: 'refused', code: 'SETTLEMENT_FAILED', final: false, at: null } },
      'swept {accrued:1300000n USDC,state:refused,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:open,dueAt:2026-11-21T12:00:00.500Z} now',
      ],
    ],
    [
      'and another wallet has sent them',
      { answer: { outcome: 'nothing' } },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
        'transaction',
        'settleFee task null now',
        'addPaymentEvent {id:#3,taskId:task,type:disburse_fee,status:in_doubt,amount:1300000n USDC,asset:USDC,from:null,to:null,txHash:null,note:sent to the treasury by another wallet,at:now}',
      ],
    ],
    [
      'and another wallet has sent them, as is known',
      { answer: { outcome: 'nothing' }, script: { settleFee: false } },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
        'transaction',
        'settleFee task null now',
      ],
    ],
    [
      'and there is nothing, but the contract holds some',
      { answer: { outcome: 'nothing' }, held: 1n },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
      ],
    ],
    [
      'and there is nothing, and nobody can look',
      { answer: { outcome: 'nothing' }, held: 'unread' },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
      ],
    ],
    [
      'and there is nothing yet',
      { answer: { outcome: 'nothing' }, script: { owedFees: [owed({ since: new Date(now.getTime() - 600_000) })] } },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
      ],
    ],
    [
      'and there is nothing of another token',
      { answer: { outcome: 'nothing' }, script: { owedFees: [owed({ bounty: { atomic: 1n, asset: other } })] } },
      'swept {accrued:1300000n USDC,state:nothing,txHash:null,amount:null}',
      [
        'leaseSweep {id:#2,asset:USDC,key:sweep:#2,attempts:0} now 2026-11-21T12:00:30.000Z',
        'transaction',
        'endSweep #2 {status:empty} now',
      ],
    ],
  ])('%s', async (_what, given, swept, lines) => {
    const { deps, asked } = stage(given)
    const answer = await sweepFees(deps, every, act)
    expect(linesOf([['swept', ...answer]])[0]).toEqual(swept)
    const [sums, fees, begun, line, ...rest] = linesOf(asked)
    expect([sums, fees, begun, line]).toEqual(asking)
    expect(rest).toEqual(lines)
  })

  const accrued = [
    { atomic: 1n, asset: payment.asset },
    { atomic: 2n, asset: other },
    { atomic: 3n, asset: { ...other, network: 'other' } },
    { atomic: 4n, asset: { ...other, network: 'ticks' } },
  ]
  const networks = ['localnet', 'other', 'ticks'].map((name) => ({ name, hasEscrow: name !== 'ticks' }))
  test.each([
    ['every network with escrow', null, null, [1n, 2n, 3n]],
    ['one network', 'localnet', null, [1n, 2n]],
    ['one token', null, 'EURC', [2n, 3n]],
    ['one token of one network', 'other', 'EURC', [3n]],
    ['no channels', 'ticks', null, []],
  ])('of %s', async (_what, network, token, atomic) => {
    const { deps, swept } = stage({ script: { accruedFees: accrued }, networks })
    const answer = await sweepFees(deps, { network, token }, act)
    expect(answer.map((one) => one.accrued.atomic)).toEqual(atomic)
    expect(swept).toHaveLength(atomic.length)
  })
  test('of every network, though one does not answer', async () => {
    const [first, second] = ['localnet', 'other'].map((network) => ({ ...other, network }))
    const { deps } = stage({
      script: { accruedFees: [first, second, first].map((asset, at) => ({ atomic: BigInt(at), asset })) },
      networks,
    })
    const asked: string[] = []
    const { promise: answered, resolve: answer } = Promise.withResolvers<object>()
    const rails = (network: string) => ({
      sweepFees: () => {
        asked.push(network)
        return network === 'localnet' ? answered : Promise.resolve({ ...landed, amount: 1n })
      },
    })
    const sweeping = sweepFees({ ...deps, rails } as unknown as typeof deps, every, act)
    await expect.poll(() => asked).toEqual(['localnet', 'other'])
    answer({ ...landed, amount: 1n })
    // In the order in which they were found.
    expect((await sweeping).map((one) => one.accrued.atomic)).toEqual([0n, 1n, 2n])
    expect(asked).toEqual(['localnet', 'other', 'localnet'])
  })
  test('of the others too, though one fails, which is told then', async () => {
    const { deps } = stage({ script: { accruedFees: accrued }, networks })
    const asked: string[] = []
    const rails = (network: string) => ({
      sweepFees: () => {
        asked.push(network)
        return network === 'localnet'
          ? Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))
          : Promise.resolve({ ...landed, amount: 1n })
      },
    })
    const refused = await refusalOf(() => sweepFees({ ...deps, rails } as unknown as typeof deps, every, act))
    expect(refused).toEqual(['CHAIN_UNAVAILABLE', expect.anything()])
    expect(asked).toEqual(['localnet', 'other'])
  })
  test('of a network that is served', async () => {
    expect(await refusalOf(() => sweepFees(stage().deps, { network: 'nowhere', token: null }, act))).toEqual([
      'NETWORK_NOT_ACCEPTED',
      { network: 'nowhere', accepted: ['localnet'] },
    ])
  })
})
