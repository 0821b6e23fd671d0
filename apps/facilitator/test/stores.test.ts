import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { registrationKey } from '../src/store/registrations.ts'
import { account, anIntent, bothStores, failed, landed } from './two-stores.ts'

const no = { status: 400, code: 'order_expired', message: 'late', details: {} }

describe.each(bothStores)('the stores on %s', (_where, open) => {
  test('an insert writes all of a batch or nothing, and says which', async () => {
    await using stores = await open()
    const { intents } = stores
    expect(await intents.insert([anIntent()], 1)).toBe('fenced')
    const epoch = await stores.raise(account)
    const first = anIntent({ onceKey: 'pay', idempotencyKey: 'key' })
    expect(await intents.insert([first, anIntent()], epoch)).toBe('written')
    expect(await intents.insert([anIntent(), anIntent({ onceKey: 'pay' })], epoch)).toBe('conflict')
    expect(await intents.insert([anIntent(), anIntent({ idempotencyKey: 'key' })], epoch)).toBe('conflict')
    expect(await intents.insert([anIntent({ onceKey: 'pay', network: 'elsewhere' })], epoch)).toBe('written')
    expect(await intents.open('localnet')).toHaveLength(2)
    const next = await stores.raise(account)
    expect(await intents.insert([anIntent()], epoch)).toBe('fenced')
    expect(await intents.insert([anIntent()], next)).toBe('written')
    expect(await intents.find('localnet', ['pay'], ['key', 'none'])).toMatchObject({
      live: [{ id: first.id }],
      bound: [{ key: 'key', intent: { id: first.id } }],
    })
  })

  test('a fence finds what is there, and keeps out what is not', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const [there, absent, mate] = [anIntent(), anIntent(), anIntent()]
    await intents.insert([there], epoch)
    expect(await intents.fence([there.id])).toBe('written')
    expect(await intents.fence([absent.id, mate.id])).toBe('void')
    expect(await intents.fence([absent.id, mate.id])).toBe('void')
    expect(await intents.insert([absent, mate], epoch)).toBe('conflict')
    expect((await intents.open('localnet')).map((one) => one.id)).toEqual([there.id])
    await intents.settle([{ id: absent.id, status: 'succeeded', outcome: landed, isDeep: false }])
    expect(await intents.open('localnet')).toHaveLength(1)
  })

  test('a key is bound to one thing: the refusal or the intent that came first', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const intent = anIntent({ idempotencyKey: 'sent' })
    await intents.insert([intent], epoch)
    expect(await intents.bind('sent', 'other', no, 1_000)).toMatchObject({
      requestHash: 'hash',
      intent: { id: intent.id },
      refusal: null,
    })
    expect(await intents.bind('refused', 'hash', no, 60_000)).toMatchObject({
      requestHash: 'hash',
      intent: null,
      refusal: no,
    })
    expect(await intents.bind('refused', 'hash', { ...no, code: 'another' }, 60_000)).toMatchObject({ refusal: no })
    expect(await intents.insert([anIntent({ idempotencyKey: 'refused' })], epoch)).toBe('conflict')
    await intents.settle([{ id: intent.id, status: 'failed', outcome: failed, isDeep: false }])
    expect((await intents.find('localnet', [], ['sent'])).bound).toMatchObject([
      { intent: { id: intent.id, status: 'failed', outcome: failed } },
    ])
    await intents.release('sent')
    await intents.release('refused')
    expect((await intents.find('localnet', [], ['sent', 'refused'])).bound).toEqual([])
  })

  test('a key of an intent that has not failed is not released', async () => {
    await using stores = await open()
    const epoch = await stores.raise(account)
    await stores.intents.insert([anIntent({ idempotencyKey: 'sent' })], epoch)
    await stores.intents.release('sent')
    expect((await stores.intents.find('localnet', [], ['sent'])).bound).toHaveLength(1)
  })

  test('refusals are forgotten when their time is over, and not before', async () => {
    await using stores = await open()
    await stores.intents.bind('old', 'hash', no, -1_000)
    await stores.intents.bind('new', 'hash', no, 60_000)
    expect(await stores.intents.purge(10)).toBe(1)
    expect((await stores.intents.find('', [], ['old', 'new'])).bound.map((one) => one.key)).toEqual(['new'])
  })

  test('the key of a transaction is forgotten a month after its end, and the transaction is not', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const [ended, underWay] = [
      anIntent({ onceKey: 'once', idempotencyKey: 'ended' }),
      anIntent({ onceKey: 'other', idempotencyKey: 'under-way' }),
    ]
    await intents.insert([ended, underWay], epoch)
    await intents.settle([{ id: ended.id, status: 'succeeded', outcome: landed, isDeep: false }])
    await stores.age(29)
    expect(await intents.purge(10)).toBe(0)
    await stores.age(2)
    expect(await intents.purge(10)).toBe(1)
    expect(await intents.purge(10)).toBe(0)
    const { live, bound } = await intents.find('localnet', ['once'], ['ended', 'under-way'])
    expect(bound.map(({ key }) => key)).toEqual(['under-way'])
    expect(live).toMatchObject([{ id: ended.id, status: 'succeeded', idempotencyKey: null }])
    // Whoever asks again is still kept from doing it twice.
    expect(await intents.insert([anIntent({ onceKey: 'once', idempotencyKey: 'ended' })], epoch)).toBe('conflict')
  })

  test('the key of a registration is forgotten a year after it began, and not while it is under way', async () => {
    await using stores = await open()
    const epoch = await stores.raise(account)
    const begin = async (idempotencyKey: string) => {
      const written = await stores.registrations.insert(
        {
          id: randomUUID(),
          network: 'localnet',
          agentUri: idempotencyKey,
          metadata: [],
          recipient: null,
          idempotencyKey,
          requestHash: 'hash',
        },
        account,
        epoch,
      )
      if (typeof written === 'string') throw new Error(written)
      return written
    }
    const done = await begin('done')
    await begin('under-way')
    await stores.registrations.update(done.id, { status: 'done', agentId: '7' })
    const keys = [registrationKey('done'), registrationKey('under-way')]
    await stores.age(365)
    expect(await stores.intents.purge(10)).toBe(0)
    await stores.age(2)
    expect(await stores.intents.purge(10)).toBe(1)
    const { bound } = await stores.intents.find('', [], keys)
    expect(bound.map(({ key }) => key)).toEqual([registrationKey('under-way')])
    expect(await stores.registrations.find(done.id)).toMatchObject({ status: 'done', agentId: '7' })
  })

  test('a once-key is free again after a failure, and a success is never taken back', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const first = anIntent({ onceKey: 'pay' })
    await intents.insert([first], epoch)
    await intents.settle([{ id: first.id, status: 'failed', outcome: failed, isDeep: false }])
    expect((await intents.find('localnet', ['pay'], [])).live).toEqual([])
    const second = anIntent({ onceKey: 'pay' })
    expect(await intents.insert([second], epoch)).toBe('written')
    await intents.settle([{ id: second.id, status: 'succeeded', outcome: landed, isDeep: false }])
    await intents.settle([{ id: second.id, status: 'failed', outcome: failed, isDeep: false }])
    expect((await intents.find('localnet', ['pay'], [])).live).toMatchObject([
      { id: second.id, status: 'succeeded', outcome: landed },
    ])
  })

  test('a replacement is named by its row only while it is open and the account is held', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const intent = anIntent()
    await intents.insert([intent], epoch)
    expect(await intents.addTransaction(intent.id, { raw: '0x03', hash: '0x04' }, epoch)).toBe(true)
    const next = await stores.raise(account)
    expect(await intents.addTransaction(intent.id, { raw: '0x05', hash: '0x06' }, epoch)).toBe(false)
    expect((await intents.open('localnet'))[0]?.transactions.map((one) => one.hash)).toEqual(['0x02', '0x04'])
    await intents.settle([{ id: intent.id, status: 'succeeded', outcome: landed, isDeep: false }])
    expect(await intents.addTransaction(intent.id, { raw: '0x05', hash: '0x06' }, next)).toBe(false)
  })

  test('how long an intent has been missed is remembered, until it is regained', async () => {
    await using stores = await open()
    const { intents } = stores
    const epoch = await stores.raise(account)
    const intent = anIntent()
    await intents.insert([intent], epoch)
    expect((await intents.miss([intent.id])).get(intent.id)).toBeLessThan(1_000)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect((await intents.miss([intent.id])).get(intent.id)).toBeGreaterThan(20)
    await intents.regain([intent.id])
    expect((await intents.miss([intent.id])).get(intent.id)).toBeLessThan(20)
  })

  const registration = {
    network: 'localnet',
    agentUri: 'https://a.example',
    metadata: [],
    recipient: account,
    idempotencyKey: 'agent',
    requestHash: 'hash',
  }

  test('a registration binds its key, and is not begun twice', async () => {
    await using stores = await open()
    const { registrations, intents } = stores
    expect(await registrations.insert({ ...registration, id: randomUUID() }, account, 1)).toBe('fenced')
    const epoch = await stores.raise(account)
    const id = randomUUID()
    expect(await registrations.insert({ ...registration, id }, account, epoch)).toMatchObject({
      id,
      status: 'pending',
      metadata: [],
    })
    expect(
      await registrations.insert({ ...registration, id: randomUUID(), idempotencyKey: 'other' }, account, epoch),
    ).toBe('in_flight')
    expect(
      await registrations.insert({ ...registration, id: randomUUID(), agentUri: 'https://b.example' }, account, epoch),
    ).toBe('conflict')
    expect((await intents.find('', [], [registrationKey('agent')])).bound).toMatchObject([
      { registrationId: id, intent: null, refusal: null },
    ])
    expect(await intents.bind(registrationKey('agent'), 'hash', no, 1_000)).toMatchObject({
      registrationId: id,
      refusal: null,
    })
    expect(await registrations.update(id, { status: 'mint_confirmed', agentId: '7' })).toMatchObject({
      agentId: '7',
      mintTransaction: null,
    })
    expect(await registrations.unfinished()).toMatchObject([{ id }])
    await registrations.withdraw(id, 'no')
    expect(await registrations.find(id)).toMatchObject({ status: 'failed', error: 'no' })
    expect((await intents.find('', [], [registrationKey('agent')])).bound).toEqual([])
  })

  test('a fenced registration is found, or never appears', async () => {
    await using stores = await open()
    const epoch = await stores.raise(account)
    const [there, absent] = [randomUUID(), randomUUID()]
    await stores.registrations.insert({ ...registration, id: there }, account, epoch)
    expect(await stores.registrations.fence(there)).toMatchObject({ id: there })
    expect(await stores.registrations.fence(absent)).toBeUndefined()
    expect(
      await stores.registrations.insert(
        { ...registration, id: absent, agentUri: 'https://c.example', idempotencyKey: null },
        account,
        epoch,
      ),
    ).toBe('in_flight')
    expect(await stores.registrations.find(absent)).toBeUndefined()
    expect(await stores.registrations.unfinished()).toHaveLength(1)
  })
})
