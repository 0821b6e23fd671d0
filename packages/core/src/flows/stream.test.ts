import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { isStream, mostLiveStreams, readStreamTerms, requireRoomForStream } from '../channels/stream.ts'
import type { Task } from '../tasks/task.ts'
import { asset, buyer, channel, channelStage, task as metered } from '../testing/scripted-channels.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { readStream, startStream, stopStream, type StreamInput } from './stream.ts'

const now = scriptedNow
const reputation = { effective: null, onchain: null, completed: 0 }
const executor = { id: 'executor', wallet: 'address', party: 'agent', reputation }
const session: Task = { ...metered, evidenceRequired: [], title: 'Session by the minute' }
const terms = { unit: 'minute', price: 300n, cap: 1_000_000n }
const worker: WalletCaller = { ...buyer, wallet: 'address' }

function stage(script: Script = {}, settings: object = {}) {
  const one = channelStage({
    script: {
      task: session,
      worker: executor,
      workerByWallet: (wallet: string) => (wallet === 'address' ? executor : null),
      areApart: false,
      isBanned: false,
      feeOwedBy: null,
      lockLiveStreams: 0,
      publish: (task: object) => task,
      pendingApplications: [],
      meterTerms: terms,
      lockTask: session,
      lockChannel: null,
      ...script,
    },
  })
  const network = { ...one.deps.networks[0], name: 'solana', chainId: null, hasEscrow: false }
  const networks = [...one.deps.networks, network] as typeof one.deps.networks
  const ledger = { send: () => Promise.resolve(), fate: () => Promise.resolve({ state: 'unknown' }) }
  const channels = { ...one.deps.channels, ledger } as unknown as NonNullable<typeof one.deps.channels>
  return { ...one, deps: { ...one.deps, networks, channels, settings: { ...one.deps.settings, ...settings } } }
}
const input = (change: Partial<StreamInput> = {}): StreamInput => ({
  executorId: 'executor',
  unit: 'minute',
  pricePerUnit: '0.0003',
  capUsd: '1',
  hours: 2,
  note: 'Speak slowly.',
  ...change,
})
const start = (one: ReturnType<typeof stage>, change: Partial<StreamInput> = {}) =>
  startStream(one.deps, buyer, input(change))

describe('a session begins', () => {
  test('with the worker that its buyer names, and nothing of it is published', async () => {
    const one = stage()
    const view = await start(one)
    const [[published, created] = []] = one.of('publish')
    expect(created).toBe(null)
    expect(published).toMatchObject({
      title: 'Session by the minute',
      instructions: 'Speak slowly.',
      category: 'simple_action',
      bounty: { atomic: 1_000_000n, asset },
      deadline: new Date(now.getTime() + 2 * 3_600_000),
      publisherWallet: 'buyer',
      publisherType: 'agent',
      evidenceRequired: [],
      escrowStatus: 'none',
      meter: { unit: 'minute', price: 300n, cap: 1_000_000n },
      policy: null,
    })
    expect(linesOf(one.asked).filter((line) => !line.startsWith('publish'))).toEqual([
      'worker executor',
      'areApart buyer address',
      'isBanned address',
      'payoutAddress executor',
      'feeOwedBy buyer',
      'transaction',
      'lockLiveStreams buyer',
      'moveTask #1 accepted now {executorId:executor}',
      'acceptApplication #1 executor',
      'pendingApplications #1 500',
      'addEvent {id:#2,type:task.assigned,taskId:#1,at:now,data:{task_id:#1,executor_id:executor,' +
        'worker_wallet:address,bounty_usd:1,escrow_tx:null}}',
      'task #1',
      'meterTerms #1',
      'channelOf #1',
    ])
    expect(view).toMatchObject({ stream: session, asset, terms, channel: null, updatedAt: session.updatedAt })
  })
  test('without a note', async () => {
    const one = stage()
    await start(one, { note: null })
    expect(one.of('publish')[0]?.[0]).toMatchObject({ instructions: '' })
  })
  test('by a person, where a session of its browser asks', async () => {
    const one = stage()
    await startStream(one.deps, { ...buyer, via: 'session' }, input())
    expect(one.of('publish')[0]?.[0]).toMatchObject({ publisherType: 'human' })
  })
  test('with the identity that its buyer has by then', async () => {
    const one = stage()
    const identified = (caller: WalletCaller) => Promise.resolve({ ...caller, agentId: 9 })
    await startStream({ ...one.deps, identified }, buyer, input())
    expect(one.of('publish')[0]?.[0]).toMatchObject({ publisherAgentId: 9 })
  })
  test.each<[string, Script, unknown]>([
    ['with nobody', { worker: null }, ['WORKER_NOT_FOUND', { executor_id: 'executor' }]],
    [
      'with itself',
      { worker: { ...executor, wallet: 'buyer' } },
      ['SELF_PAYMENT_BLOCKED', { task_id: '01950000-0000-7000-8000-0000000f4241' }],
    ],
    ['with whom it blocked', { areApart: true }, ['PARTY_BLOCKED', {}]],
    ['with who is banned', { isBanned: true }, ['WORKER_BLOCKED', { wallet: 'address' }]],
    ['with who cannot be paid', { payoutAddress: null }, ['NO_PAYEE_RESOLVED', { executor_id: 'executor' }]],
    [
      'in debt',
      { feeOwedBy: { taskId: 'before', fee: { atomic: 5n, asset }, isUnderWay: false } },
      ['FEE_UNPAID', expect.objectContaining({ task_id: 'before' })],
    ],
    [
      'beside ten others',
      { lockLiveStreams: 10 },
      ['SESSION_CAP_EXCEEDED', { reason: 'too_many_sessions', limit: 10 }],
    ],
  ])('not %s', async (_what, script, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => start(one))).toEqual(refused)
    expect(one.of('publish')).toEqual([])
  })
})

describe('what a session costs', () => {
  const read = (pricePerUnit: string, capUsd: string) =>
    readStreamTerms({ unit: 'minute', pricePerUnit, capUsd }, asset, { min: '0.01', max: '10' })
  const price = (received: string) => [
    'VALIDATION_FAILED',
    { field: 'price_per_unit', constraint: 'above 0 and at most cap_usd', received },
  ]
  test.each<[string, string, unknown]>([
    ['0.0003', '1', null],
    ['0.01', '0.01', null],
    ['0.000001', '10', null],
    [
      '0.0003',
      '10.000001',
      ['SESSION_CAP_EXCEEDED', { reason: 'above_the_ceiling', limit_usd: 10, received: '10.000001' }],
    ],
    [
      '0.0003',
      '0.009999',
      ['VALIDATION_FAILED', { field: 'cap_usd', constraint: 'at least 0.01', received: '0.009999' }],
    ],
    ['0', '1', price('0')],
    ['1.000001', '1', price('1.000001')],
  ])('%s a minute, at most %s', async (pricePerUnit, capUsd, refused) => {
    expect(await refusalOf(() => read(pricePerUnit, capUsd))).toEqual(refused)
  })
  test('is read as it is written', () => {
    expect(read('0.0003', '1')).toEqual(terms)
  })
  test('has reasons to be refused', () => {
    expect(() => read('0.0003', '11')).toThrow('A session may not cost so much here.')
    expect(() => {
      requireRoomForStream(mostLiveStreams)
    }).toThrow('So many sessions of this wallet run already. Stop one first.')
    expect(requireRoomForStream(mostLiveStreams - 1)).toBe(undefined)
  })
  test('and nothing is to be handed in', () => {
    expect([isStream(session), isStream({ evidenceRequired: ['photo'] })]).toEqual([true, false])
  })
})

describe('a session is read by anybody', () => {
  const none = ['TASK_NOT_FOUND', { session_id: 'task' }]
  test('with its channel, and what that changed last', async () => {
    const bound = channel({ updatedAt: new Date(now.getTime() + 5) })
    expect(await readStream(stage({ channelOf: bound }).deps, 'task')).toEqual({
      stream: session,
      taskId: 'task',
      asset,
      terms,
      channel: bound,
      updatedAt: bound.updatedAt,
      isTaskOver: false,
    })
  })
  test.each<[string, Script, unknown]>([
    ['that is not there', { task: null }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['that asks for evidence', { task: metered }, none],
    ['that is not metered', { meterTerms: null }, none],
  ])('but none %s', async (_what, script, refused) => {
    expect(await refusalOf(() => readStream(stage(script).deps, 'task'))).toEqual(refused)
  })
  test('and a reader hears so', async () => {
    await expect(readStream(stage({ task: metered }).deps, 'task')).rejects.toThrow('There is no such session.')
  })
})

describe('a session is stopped', () => {
  const locked: Lines = ['transaction', 'lockTask task', 'lockChannel task']
  const lines = (one: ReturnType<typeof stage>): readonly string[] => {
    const all = linesOf(one.asked)
    return all.slice(all.indexOf('transaction'), all.lastIndexOf('task task'))
  }
  const dropped: Lines = [
    ...locked,
    'moveTask task cancelled now {}',
    'addEvent {id:#1,type:task.cancelled,taskId:task,at:now,data:{task_id:task,refund_tx:null}}',
  ]
  test.each([
    ['publisher', buyer],
    ['worker', worker],
  ])('by its %s, before anything is to be paid', async (_side, caller) => {
    const one = stage()
    await stopStream(one.deps, caller, 'task')
    expect(lines(one)).toEqual(dropped)
  })
  test.each<[string, Script]>([
    ['that is over', { lockTask: { ...session, status: 'cancelled' } }],
    ['that is gone', { lockTask: null }],
  ])('and one %s stays as it is', async (_what, script) => {
    const one = stage(script)
    await stopStream(one.deps, buyer, 'task')
    expect(lines(one)).toEqual(locked)
  })
  test.each([
    ['publisher', buyer],
    ['worker', worker],
  ])('by its %s, with its channel: what was accepted is paid', async (side, caller) => {
    const one = stage({ lockChannel: channel(), channelOf: channel({ status: 'settled' }) })
    await stopStream(one.deps, caller, 'task')
    expect(lines(one).slice(0, 4)).toEqual([
      ...locked,
      `closeChannel channel {submissionId:null,rating:null,attempts:0,at:now,reason:${side}} 2026-11-21T12:00:30.000Z`,
    ])
    expect(one.of('moveTask')).toEqual([])
  })
  test('once: a repeat reads how far it is', async () => {
    const settled = channel({ status: 'settled' })
    const one = stage({ lockChannel: settled, channelOf: settled })
    expect((await stopStream(one.deps, buyer, 'task')).channel).toEqual(settled)
    expect([one.of('closeChannel'), one.of('moveTask')]).toEqual([[], []])
  })
  test('by nobody else', async () => {
    const stranger = { ...buyer, wallet: 'stranger' }
    expect(await refusalOf(() => stopStream(stage().deps, stranger, 'task'))).toEqual([
      'FORBIDDEN',
      { task_id: 'task' },
    ])
  })
})
