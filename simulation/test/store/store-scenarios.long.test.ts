import type { Store, Tx } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { kinds, openBed, type Bed } from './bed.ts'
import { createDriver, type Driver, type Step, type Told } from './driver.ts'
import {
  event,
  fill,
  later,
  payment,
  settlement,
  settlementId,
  submissionId,
  taskId,
  uuid,
  workerId,
} from './fixture.ts'

type Actor = {
  begin(): Promise<Told>
  does(name: string, run: (tx: Tx) => Promise<unknown>): Promise<Told>
  asks(name: string, run: (store: Store) => Promise<unknown>): Promise<Told>
  commits(): Promise<Told>
  throws(): Promise<Told>
}

async function openStage(
  kind: Bed['kind'],
  processes = 2,
): Promise<AsyncDisposable & { readonly bed: Bed; readonly actors: readonly [Actor, Actor, Actor] }> {
  const bed = await openBed(kind, processes)
  await fill(bed.stores[0] ?? expect.unreachable())
  const driver = createDriver(bed)
  return {
    bed,
    actors: [actor(driver, 0), actor(driver, 1), actor(driver, 2)],
    [Symbol.asyncDispose]: () => bed[Symbol.asyncDispose](),
  }
}

function actor(driver: Driver, process: number): Actor {
  const take = (step: Step): Promise<Told> => driver.take(process, step)
  return {
    begin: () => take({ kind: 'begin' }),
    does: (name, run) => take({ kind: 'in', ask: { name, run } }),
    asks: (name, run) => take({ kind: 'ask', ask: { name, run } }),
    commits: () => take({ kind: 'commit' }),
    throws: () => take({ kind: 'throw' }),
  }
}

const lockTask = (tx: Tx): Promise<unknown> => tx.lockTask(taskId(0)).then((task) => task?.status)
const accept = (tx: Tx): Promise<unknown> => tx.moveTask(taskId(0), 'accepted', later(1), { executorId: workerId(0) })
const claim =
  (n: number) =>
  (tx: Tx): Promise<unknown> =>
    tx.claimSettlement(settlement(n, 'release', 0), later(n))

describe.each(kinds)('the store on %s, as PostgreSQL has it at READ COMMITTED', (kind) => {
  test('a locked task is waited for, and read as it was committed last', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await other.begin()
    expect((await one.does('lock', lockTask)).answers).toEqual([[0, 'published']])
    expect(await other.does('lock', lockTask)).toMatchObject({ answers: [], blocked: [1] })
    await one.does('move', accept)
    expect((await one.commits()).answers).toEqual([
      [0, 'committed'],
      [1, 'accepted'],
    ])
    await other.commits()
  })

  test('who waits for a lock is served in turn', async () => {
    await using stage = await openStage(kind, 3)
    const [one, two, three] = stage.actors
    for (const each of stage.actors) await each.begin()
    await one.does('lock', lockTask)
    expect((await three.does('lock', lockTask)).blocked).toEqual([2])
    expect((await two.does('lock', lockTask)).blocked).toEqual([1, 2])
    expect(await one.commits()).toMatchObject({
      answers: [
        [0, 'committed'],
        [2, 'published'],
      ],
      blocked: [1],
    })
    expect((await three.commits()).answers).toEqual([
      [1, 'published'],
      [2, 'committed'],
    ])
    await two.commits()
  })

  test('a lease passes over rows that another transaction holds', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    const lease = (store: Store): Promise<unknown> =>
      store
        .leaseSettlements('localnet', later(0), later(50), later(60), 10)
        .then((rows) => rows.map(({ id }) => id).sort())
    await one.begin()
    await one.does('lock', (tx) => tx.lockSettlement(settlementId(0)))
    expect((await other.asks('lease', lease)).answers).toEqual([[1, [settlementId(1), settlementId(3)]]])
    await one.commits()
    expect((await other.asks('lease', lease)).answers).toEqual([[1, [settlementId(0)]]])
  })

  test('of two claims of one subject the later waits for the earlier, and is refused when that one is kept', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await other.begin()
    expect((await one.does('claim', claim(20))).answers).toEqual([[0, true]])
    expect((await other.does('claim', claim(21))).blocked).toEqual([1])
    expect((await one.commits()).answers).toEqual([
      [0, 'committed'],
      [1, false],
    ])
    await other.commits()
  })

  test('a claim is written when the one before it is undone, or is being given back', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await other.begin()
    await one.does('claim', claim(20))
    await other.does('claim', claim(21))
    expect((await one.throws()).answers).toEqual([
      [0, 'undone'],
      [1, true],
    ])
    await other.commits()
    await one.begin()
    await other.begin()
    await one.does('give back', (tx) =>
      tx.endSettlement(settlementId(21), { status: 'refused', code: 'LOCK_REVERTED' }, later(2)),
    )
    expect((await other.does('claim', claim(22))).blocked).toEqual([1])
    expect((await one.commits()).answers).toEqual([
      [0, 'committed'],
      [1, true],
    ])
    await other.commits()
  })

  test('an update that no longer fits after its wait changes nothing: a fee is ended once', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await one.does('owe', (tx) => tx.changeTask(taskId(0), { paymentBlock: 5n }, later(1)))
    await one.commits()
    await one.begin()
    await other.begin()
    expect((await one.does('settle', (tx) => tx.settleFee(taskId(0), '0xone', later(2)))).answers).toEqual([[0, true]])
    expect((await other.does('settle', (tx) => tx.settleFee(taskId(0), '0xtwo', later(3)))).blocked).toEqual([1])
    expect((await one.commits()).answers).toEqual([
      [0, 'committed'],
      [1, false],
    ])
    await other.commits()
    expect((await one.asks('task', (store) => store.task(taskId(0)).then((task) => task?.feeTx))).answers).toEqual([
      [0, '0xone'],
    ])
  })

  test('a row changed twice in one transaction keeps what it refers to from being locked', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await one.does('change', (tx) => tx.decideSubmission(submissionId(0), { status: 'rejected', at: later(1) }))
    await other.begin()
    expect((await other.does('lock', lockTask)).answers).toEqual([[1, 'published']])
    await other.commits()
    await one.does('change again', (tx) => tx.decideSubmission(submissionId(0), { status: 'approved', at: later(2) }))
    await other.begin()
    expect((await other.does('lock', lockTask)).blocked).toEqual([1])
    expect((await one.commits()).answers).toEqual([
      [0, 'committed'],
      [1, 'published'],
    ])
    await other.commits()
  })

  test('an application waits for whoever has locked its task', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    const apply = (tx: Tx): Promise<unknown> =>
      tx.insertApplication({
        id: uuid(8, 5),
        taskId: taskId(0),
        executorId: workerId(1),
        status: 'pending',
        message: null,
        createdAt: later(1),
      })
    await one.begin()
    await other.begin()
    await one.does('lock', lockTask)
    expect((await other.does('apply', apply)).blocked).toEqual([1])
    expect((await one.throws()).answers).toEqual([
      [0, 'undone'],
      [1, true],
    ])
    await other.commits()
  })

  test('of two that wait for each other one is told to come again and is undone, the other goes on', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    const change =
      (t: number) =>
      (tx: Tx): Promise<unknown> =>
        tx.changeTask(taskId(t), { title: `by ${String(t)}` }, later(1))
    await one.begin()
    await other.begin()
    await one.does('first', change(0))
    await other.does('second', change(1))
    await one.does('then the second', change(1))
    const { answers } = await other.does('then the first', change(0))
    // The statement tells the code of the database, the transaction what a flow is to make of it.
    const refused = answers.flatMap(([process, answer]) =>
      typeof answer === 'object' && answer !== null ? [[process, answer] as const] : [],
    )
    expect(refused).toEqual([[expect.any(Number), { failed: '40P01' }]])
    const [loser, winner] = refused[0]?.[0] === 0 ? [one, other] : [other, one]
    await winner.commits()
    await loser.throws()
    const titles: unknown[] = []
    for (const t of [0, 1]) titles.push((await stage.bed.stores[0]?.task(taskId(t)))?.title)
    expect(titles).toEqual(['by 0', 'by 1'])
  })

  test('after a statement that failed everything else is refused, and its commit undoes what came before', async () => {
    await using stage = await openStage(kind)
    const [one] = stage.actors
    await one.begin()
    await one.does('move', accept)
    const again = (tx: Tx): Promise<unknown> =>
      tx.addEvent(event(1, 0, null)).then(() =>
        tx.insertStatement({
          id: uuid(12, 1),
          disputeId: uuid(4, 9),
          side: 'worker',
          statement: 'mine',
          links: [],
          createdAt: later(1),
        }),
      )
    const undone = { failed: '23503', constraint: 'dispute_statements_dispute_id_fkey' }
    expect((await one.does('refer to nothing', again)).answers).toEqual([[0, undone]])
    expect((await one.does('go on', lockTask)).answers).toEqual([[0, undone]])
    expect((await one.commits()).answers).toEqual([[0, undone]])
    expect((await stage.bed.stores[0]?.task(taskId(0)))?.status).toBe('published')
  })

  test('nobody reads what is not committed, and a transaction reads its own', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await one.does('put', (tx) => tx.putEscrow(taskId(1), payment(1)))
    expect((await one.does('read', (tx) => tx.escrowPayment(taskId(1)).then((found) => found?.hash))).answers).toEqual([
      [0, payment(1).hash],
    ])
    expect((await other.asks('read', (store) => store.escrowPayment(taskId(1)))).answers).toEqual([[1, null]])
    await one.commits()
    expect(
      (await other.asks('read', (store) => store.escrowPayment(taskId(1)).then((found) => found?.hash))).answers,
    ).toEqual([[1, payment(1).hash]])
  })

  test('the stream waits for the oldest transaction, and is then in the order of their numbers', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await stage.bed.caughtUp()
    const place = (await stage.bed.stores[1]?.eventHorizon()) ?? expect.unreachable()
    const read = async (): Promise<readonly string[]> =>
      (
        await stage.bed.stores[1]?.eventsAfter({ wallet: null, types: null, taskId: null, category: null }, place, 10)
      )?.events.map(({ id }) => id) ?? []
    await one.begin()
    await one.does('lock', lockTask)
    await other.begin()
    await other.does('tell', (tx) => tx.addEvent(event(1, 1, null)))
    await other.commits()
    await one.does('tell', (tx) => tx.addEvent(event(2, 0, null)))
    expect(await read()).toEqual([])
    await one.commits()
    await stage.bed.caughtUp()
    expect(await read()).toEqual([uuid(7, 2), uuid(7, 1)])
  })

  test('a line that is cut undoes its transaction and frees its locks; what it asks next fails', async () => {
    await using stage = await openStage(kind)
    const [one, other] = stage.actors
    await one.begin()
    await one.does('lock', lockTask)
    await one.does('move', accept)
    await other.begin()
    await other.does('lock', lockTask)
    stage.bed.cut(0)
    await expect
      .poll(
        async () =>
          (await stage.bed.blocked(() => [])).length === 0 &&
          (await other.asks('task', (store) => store.task(taskId(0)).then((task) => task?.status))).answers.length > 0,
      )
      .toBe(true)
    const { answers } = await one.does('go on', lockTask)
    expect(answers.at(-1)).toEqual([
      0,
      { failed: expect.stringMatching(/^Connection terminated|^Client has encountered a connection error/) },
    ])
    await one.throws()
    await other.commits()
    expect((await stage.bed.stores[1]?.task(taskId(0)))?.status).toBe('published')
  })

  test('an order comes back with its keys in the order of jsonb, so that a copy of it has the same bytes', async () => {
    await using stage = await openStage(kind)
    const { order } = (await stage.bed.stores[0]?.settlement(taskId(0), 'fee')) ?? expect.unreachable()
    const keys = (value: object): readonly string[] => Object.keys(value)
    expect(keys(order)).toEqual(['key', 'kind', 'transfer'])
    expect(order.kind === 'charge' ? keys(order.transfer) : []).toEqual([
      'to',
      'from',
      'nonce',
      'token',
      'amount',
      'network',
      'signature',
      'validAfter',
      'validBefore',
    ])
  })
})
