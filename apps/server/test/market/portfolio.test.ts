import { portfolioPerDay } from '@ergon/core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPortfolioBudget } from '../../src/adapters/postgres/index.ts'
import { scene } from '../adapters/inspector/pictures.ts'
import { caller, openPortfolioStage, type PortfolioStage } from './portfolio-stage.ts'
import { refusedWith } from './settle-stage.ts'
import { publisher, worker } from './stage.ts'

let on: PortfolioStage
beforeAll(async () => {
  on = await openPortfolioStage()
  const exif = { IFD0: { Make: 'Fairphone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '1/1 2/1 3/1' } }
  on.files.set('gate', await scene(35).resize(3_000).withExif(exif).jpeg().toBuffer())
  on.files.set('words', Buffer.from('This is no picture at all.'))
})
afterAll(() => on[Symbol.asyncDispose]())
// A worker asks twenty times a day, and these tests ask more.
beforeEach(() => on.stage.pool.query('delete from registration_counts'))

const photo = { photo: 'http://evidence/gate' }
const page = { limit: 20, offset: 0, cursor: null }

const shown = async (executorId: string) => (await on.market.workerPieces(executorId, page)).rows
const shownOf = async ({ executorId, taskId }: { executorId: string; taskId: string }) =>
  (await shown(executorId)).filter((one) => one.taskId === taskId)

async function told(taskId: string): Promise<readonly { type: string; wallets: string[] }[]> {
  const { rows } = await on.stage.pool.query<{ type: string; wallets: string[] }>(
    `select o.type, array(select r.wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq order by 1) as
        wallets from outbox o where o.task_id = $1 and o.type like 'portfolio.%' order by o.seq`,
    [taskId],
  )
  return rows
}

async function picturesLeft(taskId: string): Promise<number> {
  const { rows } = await on.stage.pool.query<{ n: bigint }>(
    'select count(*) as n from portfolio_pictures c join portfolio_pieces p on p.id = c.piece_id where p.task_id = $1',
    [taskId],
  )
  return Number(rows[0]?.n)
}

test('work is on the profile once its worker asked and its publisher allowed it, and not before', async () => {
  const work = await on.paid(photo)
  expect(await on.market.readPiece(worker, work.taskId)).toMatchObject({ piece: null, mayAsk: true, choices: ['gate'] })
  expect(await on.market.readPiece(publisher, work.taskId)).toMatchObject({ mayAsk: false, choices: [] })
  const asked = await on.market.askToShow(worker, work.taskId, ['gate'])
  expect(asked).toMatchObject({ piece: { state: 'asked', asks: 1 }, mayAsk: false, title: 'Photograph the gate' })
  expect(await shownOf(work)).toEqual([])
  const [name = ''] = asked.pictures
  expect(await on.market.shownPicture(asked.piece?.id ?? '', name)).toMatchObject({ isShown: false })
  expect(await on.market.answerAsk(publisher, work.taskId, true)).toMatchObject({ piece: { state: 'allowed' } })
  expect(await shownOf(work)).toMatchObject([
    { title: 'Photograph the gate', category: 'simple_action', score: null, pictures: [name] },
  ])
  expect(await on.market.shownPicture(asked.piece?.id ?? '', name)).toMatchObject({ isShown: true })
  const both = [publisher.wallet, worker.wallet]
  expect(await told(work.taskId)).toEqual([
    { type: 'portfolio.asked', wallets: both },
    { type: 'portfolio.answered', wallets: both },
  ])
})

test('what is shown of a picture is made anew, without metadata and within bounds', async () => {
  const work = await on.paid(photo)
  const { piece, pictures } = await on.market.askToShow(worker, work.taskId, ['gate'])
  const found = await on.market.shownPicture(piece?.id ?? '', pictures[0] ?? '')
  const bytes = Buffer.from(found?.bytes ?? [])
  const about = await sharp(bytes).metadata()
  expect(about).toMatchObject({ format: 'jpeg', width: 1_280 })
  expect(about).not.toHaveProperty('exif')
  expect(bytes.includes('Fairphone')).toBe(false)
  expect(bytes.length).toBeLessThanOrEqual(300_000)
})

test('either side takes it back and it is gone at once, with its pictures', async () => {
  for (const [by, state] of [
    [worker, 'ended'],
    [publisher, 'declined'],
  ] as const) {
    const work = await on.paid(photo)
    const { piece, pictures } = await on.market.askToShow(worker, work.taskId, ['gate'])
    await on.market.answerAsk(publisher, work.taskId, true)
    expect(await shownOf(work)).toHaveLength(1)
    expect(await on.market.takeWorkBack(by, work.taskId)).toMatchObject({ piece: { state }, pictures: [] })
    expect([await shownOf(work), await picturesLeft(work.taskId)]).toEqual([[], 0])
    expect(await on.market.shownPicture(piece?.id ?? '', pictures[0] ?? '')).toBeNull()
    expect(await on.market.takeWorkBack(by, work.taskId)).toMatchObject({ piece: { state } })
    // Of what the publisher takes back the worker is told; its own doing tells a worker nothing.
    const answers = by === publisher ? ['portfolio.answered', 'portfolio.answered'] : ['portfolio.answered']
    expect((await told(work.taskId)).map(({ type }) => type)).toEqual(['portfolio.asked', ...answers])
  }
})

test('what was declined is not asked again; what its worker took back is, three times in all', async () => {
  const [declined, ended] = [await on.paid(), await on.paid()]
  await on.market.askToShow(worker, declined.taskId, [])
  await on.market.answerAsk(publisher, declined.taskId, false)
  await on.market.takeWorkBack(worker, declined.taskId)
  await expect(on.market.askToShow(worker, declined.taskId, [])).rejects.toThrow(
    refusedWith('PORTFOLIO_NOT_OPEN', { state: 'declined' }),
  )
  await expect(on.market.answerAsk(publisher, declined.taskId, true)).rejects.toThrow(
    refusedWith('PORTFOLIO_NOT_OPEN', { state: 'declined' }),
  )
  for (let asks = 1; asks <= 3; asks++) {
    expect(await on.market.askToShow(worker, ended.taskId, [])).toMatchObject({ piece: { asks, state: 'asked' } })
    await on.market.takeWorkBack(worker, ended.taskId)
  }
  await expect(on.market.askToShow(worker, ended.taskId, [])).rejects.toThrow(
    refusedWith('PORTFOLIO_NOT_OPEN', { state: 'ended' }),
  )
})

test('a stranger asks, answers, reads and takes back nothing, and neither side does what is the other one’s', async () => {
  const work = await on.paid(photo)
  const stranger = caller(77)
  await on.market.registerWorker(stranger, { name: 'Mallory', party: 'agent' })
  const { market } = on
  for (const attempt of [
    () => market.askToShow(stranger, work.taskId, []),
    () => market.askToShow(publisher, work.taskId, []),
    () => market.answerAsk(stranger, work.taskId, true),
    () => market.answerAsk(worker, work.taskId, true),
    () => market.readPiece(stranger, work.taskId),
    () => market.takeWorkBack(stranger, work.taskId),
  ])
    await expect(attempt()).rejects.toThrow(refusedWith('FORBIDDEN'))
  expect(await told(work.taskId)).toEqual([])
})

test('only pictures of the accepted evidence of the task are shown, and only of work that was paid', async () => {
  const [one, other] = [await on.paid(photo), await on.paid({ ...photo, screenshot: 'http://evidence/words' })]
  const refused = refusedWith('VALIDATION_FAILED', { field: 'pictures' })
  await expect(on.market.askToShow(worker, one.taskId, ['words'])).rejects.toThrow(refused)
  await expect(on.market.askToShow(worker, other.taskId, ['words'])).rejects.toThrow(refused)
  expect(await on.market.readPiece(worker, other.taskId)).toMatchObject({ piece: null })
  const waiting = await on.handedIn(photo)
  await expect(on.market.askToShow(worker, waiting.taskId, ['gate'])).rejects.toThrow(
    refusedWith('PORTFOLIO_NOT_OPEN', { state: 'none' }),
  )
  await expect(on.market.answerAsk(publisher, one.taskId, true)).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
})

test('asked several times at once there is one piece, and the publisher is told once', async () => {
  const work = await on.paid(photo)
  const all = await Promise.all([1, 2, 3, 4].map(() => on.market.askToShow(worker, work.taskId, ['gate'])))
  expect(new Set(all.map(({ piece }) => piece?.id)).size).toBe(1)
  expect(await told(work.taskId)).toHaveLength(1)
  await expect(on.market.askToShow(worker, work.taskId, [])).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
})

test('what is said again while it waits, or may not be asked, makes no picture and counts for no day', async () => {
  const [waiting, declined] = [await on.paid(photo), await on.paid(photo)]
  const { piece } = await on.market.askToShow(worker, waiting.taskId, ['gate'])
  await on.market.askToShow(worker, declined.taskId, ['gate'])
  await on.market.answerAsk(publisher, declined.taskId, false)
  const counts = async (): Promise<readonly object[]> => {
    const { rows } = await on.stage.pool.query<{ counted: string; used: number }>(
      'select counted, used from registration_counts order by counted',
    )
    return rows
  }
  const before = await counts()
  expect(before).not.toEqual([])
  const never = on.meanwhile(() => Promise.reject(new Error('a picture is made')))
  expect(await never.askToShow(worker, waiting.taskId, ['gate'])).toMatchObject({ piece: { id: piece?.id } })
  await expect(never.askToShow(worker, declined.taskId, ['gate'])).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
  expect([await counts(), await told(waiting.taskId)]).toMatchObject([before, [{ type: 'portfolio.asked' }]])
})

test('what its publisher declined while pictures were made is not asked after all', async () => {
  const work = await on.paid(photo)
  const late = on.meanwhile(async () => {
    await on.market.askToShow(worker, work.taskId, [])
    await on.market.answerAsk(publisher, work.taskId, false)
  })
  await expect(late.askToShow(worker, work.taskId, ['gate'])).rejects.toThrow(
    refusedWith('PORTFOLIO_NOT_OPEN', { state: 'declined' }),
  )
  expect(await on.market.readPiece(worker, work.taskId)).toMatchObject({ piece: { state: 'declined', asks: 1 } })
})

test('a block between the two, a ban of the worker and a hidden task show nothing', async () => {
  const work = await on.paid(photo)
  await on.market.block(publisher, worker.wallet)
  await expect(on.market.askToShow(worker, work.taskId, [])).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
  await on.market.unblock(publisher, worker.wallet)
  const { piece, pictures } = await on.market.askToShow(worker, work.taskId, ['gate'])
  await on.market.answerAsk(publisher, work.taskId, true)
  const picture = () => on.market.shownPicture(piece?.id ?? '', pictures[0] ?? '')
  for (const [hide, show] of [
    ["insert into bans (wallet, reason, actor, banned_at) values ($1, 'x', 'x', now())", 'delete from bans'],
    ['insert into hidden (target_id, hidden_at) values ($1, now())', 'delete from hidden'],
  ] as const) {
    await on.stage.pool.query(hide, [hide.includes('bans') ? worker.wallet : work.taskId])
    expect([await shownOf(work), await picture()]).toMatchObject([[], { isShown: false }])
    await on.stage.pool.query(show)
    expect([await shownOf(work), await picture()]).toMatchObject([[{}], { isShown: true }])
  }
})

test('evidence that the operator takes down takes its pictures along, and no new ones are made', async () => {
  const [shownWork, other] = [await on.paid(photo), await on.paid(photo)]
  await on.market.askToShow(worker, shownWork.taskId, ['gate'])
  await on.market.answerAsk(publisher, shownWork.taskId, true)
  for (const { submissionId } of [shownWork, other])
    await on.stage.store.transaction((tx) => tx.takeDownEvidence(submissionId, ['photo'], on.stage.clock.now()))
  expect(await shownOf(shownWork)).toMatchObject([{ pictures: [] }])
  expect(await picturesLeft(shownWork.taskId)).toBe(0)
  await expect(on.market.askToShow(worker, other.taskId, ['gate'])).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
})

test('as often as the day of a worker and the day of a publisher let, and as many pictures', async () => {
  const { taskId } = await on.paid()
  const budget = createPortfolioBudget(on.stage.pool)
  const spent = (limit: number) => refusedWith('RATE_LIMITED', { limit })
  for (let n = 0; n < 20; n++) await budget.take(worker, { publisher: `0x${String(n)}`, pictures: 0 })
  await expect(on.market.askToShow(worker, taskId, [])).rejects.toThrow(spent(20))
  for (let n = 0; n < 20; n++) await budget.take(caller(200 + n), { publisher: '0xinbox', pictures: 0 })
  await expect(budget.take(caller(300), { publisher: '0xinbox', pictures: 0 })).rejects.toThrow(spent(20))
  const from = '192.0.2.1'
  for (const n of [1, 2, 3]) {
    for (let asks = 0; asks < 10; asks++)
      await budget.take({ ...caller(400 + n), from }, { publisher: `0x${String(asks)} ${String(n)}`, pictures: 4 })
    await expect(budget.take(caller(400 + n), { publisher: '0x', pictures: 1 })).rejects.toThrow(spent(40))
  }
  await expect(budget.take({ ...caller(500), from }, { publisher: '0x', pictures: 1 })).rejects.toThrow(spent(120))
  const few = { ...portfolioPerDay, pictures: { ...portfolioPerDay.pictures, inAll: 121 } }
  const tight = createPortfolioBudget(on.stage.pool, few)
  await expect(tight.take(caller(501), { publisher: '0x', pictures: 2 })).rejects.toThrow(spent(121))
  await tight.take(caller(501), { publisher: '0x', pictures: 1 })
})

test('an ask that nobody answers ends with its pictures, and may be asked again', async () => {
  const work = await on.paid(photo)
  const { piece } = await on.market.askToShow(worker, work.taskId, ['gate'])
  const askedAt = piece?.askedAt ?? new Date()
  await on.stage.store.endAsks(askedAt, 100)
  expect(await on.market.readPiece(worker, work.taskId)).toMatchObject({ piece: { state: 'asked' } })
  expect(await on.stage.store.endAsks(new Date(askedAt.getTime() + 1), 100)).toBe(1)
  expect(await picturesLeft(work.taskId)).toBe(0)
  await expect(on.market.answerAsk(publisher, work.taskId, true)).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
  expect(await on.market.readPiece(worker, work.taskId)).toMatchObject({ piece: { state: 'ended' }, mayAsk: true })
})

test('nothing is shown of a publisher or a worker that deleted its account', async () => {
  await using fresh = await openPortfolioStage()
  const { market, stage } = fresh
  const [first, second] = [await fresh.paid(), await fresh.paid()]
  for (const { taskId } of [first, second]) {
    await market.askToShow(worker, taskId, [])
    await market.answerAsk(publisher, taskId, true)
  }
  await market.takeWorkBack(worker, second.taskId)
  await market.anonymiseAccount(publisher)
  expect((await market.workerPieces(first.executorId, page)).rows).toEqual([])
  for (const { taskId } of [first, second])
    await expect(market.askToShow(worker, taskId, [])).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
  await market.anonymiseAccount(worker)
  expect((await stage.pool.query('select 1 from portfolio_pieces')).rows).toEqual([])
  const third = await market.readPiece(worker, first.taskId)
  expect(third).toMatchObject({ piece: null, mayAsk: false })
})

test('what is asked by a worker that deletes its account while pictures are made is not kept', async () => {
  await using fresh = await openPortfolioStage()
  fresh.files.set('gate', await scene(36).jpeg().toBuffer())
  const { taskId } = await fresh.paid(photo)
  const late = fresh.meanwhile(() => fresh.market.anonymiseAccount(worker))
  await expect(late.askToShow(worker, taskId, ['gate'])).rejects.toThrow(refusedWith('PORTFOLIO_NOT_OPEN'))
  expect((await fresh.stage.pool.query('select 1 from portfolio_pieces')).rows).toEqual([])
})
