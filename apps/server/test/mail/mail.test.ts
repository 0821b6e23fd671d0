import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailBudget, createMailSubscriptions } from '../../src/adapters/postgres/index.ts'
import { createSmtpMailer } from '../../src/delivery/smtp-mailer.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { aTask, eventually, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { readMail, startMailServer, type MailServer } from './mail-server.ts'

const path = '/api/v1/account/mail'
const kinds = ['application', 'work', 'money', 'message']
let live: LiveMarket
let server: MailServer
let publisher: Party
let worker: Party
let pool: pg.Pool
beforeAll(async () => {
  server = await startMailServer()
  live = await startLiveMarket({ SVC_MAIL_URL: server.url, SVC_MAIL_FROM: 'notices@market.test' })
  pool = new pg.Pool({ connectionString: live.databaseUrl, max: 1 })
  publisher = await live.party(120n)
  worker = await live.party(0n)
})
afterAll(async () => {
  await pool.end()
  await live[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const mailedTo = (address: string) => server.received.filter(({ to }) => to.includes(address)).map(readMail)
const untilMailed = async (address: string, count: number) => {
  await eventually(
    async () => mailedTo(address).length,
    (length) => length >= count,
  )
  return mailedTo(address)
}
const subscribe = async (by: Party, address: string, change = {}) =>
  expectStatus(await by.call('POST', path, { address, kinds, language: 'es', ...change }), 201).body
const stateOf = async (by: Party): Promise<unknown> => expectStatus(await by.call('GET', path), 200).body['mail']
const linkOf = ({ links }: { readonly links: readonly string[] } | undefined = { links: [] }, act: string): string =>
  String(links.find((link) => link.includes(`/mail/${act}`))).replace(/^https?:\/\/[^/]+/, '')
/** What a browser does, or a mailbox: nothing is signed. */
const open = async (method: 'GET' | 'POST', link: string, body?: string) =>
  send(
    live.url,
    method,
    link,
    { host: authority, ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
    body,
  )
async function confirmed(by: Party, address: string, change = {}): Promise<void> {
  await subscribe(by, address, change)
  const [asked] = await untilMailed(address, 1)
  expect((await open('POST', linkOf(asked, 'confirm'), '')).status).toBe(200)
}
async function somethingHappens(to: Party): Promise<string> {
  const taskId = String(expectStatus(await to.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  return taskId
}

test('an address is mailed a link, and notices once its page was confirmed: opening the link alone is not enough', async () => {
  expect((await live.get('/api/v1/config')).body['features']).toMatchObject({ mail: true })
  expect(await subscribe(publisher, 'ana@mail.test')).toMatchObject({ address: 'ana@mail.test', state: 'waiting' })
  const [asked] = await untilMailed('ana@mail.test', 1)
  expect(asked?.headers.get('subject')).toContain('Confirma')
  const link = linkOf(asked, 'confirm')
  expect((await open('GET', link)).status).toBe(200)
  expect(await stateOf(publisher)).toMatchObject({ state: 'waiting' })
  expect((await open('POST', link, '')).status).toBe(200)
  expect(await stateOf(publisher)).toMatchObject({ state: 'on' })
  const taskId = await somethingHappens(publisher)
  const [, notice] = await untilMailed('ana@mail.test', 2)
  expect(notice?.body).toContain('Hay novedades de una candidatura')
  expect(notice?.links).toContain(`http://${authority}/my/tasks/${taskId}`)
})

test('a mail names no wallet, title or amount, and says how to stop it without signing in', async () => {
  const person = await live.party(130n)
  await confirmed(person, 'bo@mail.test', { language: 'en' })
  await somethingHappens(person)
  const [, notice] = await untilMailed('bo@mail.test', 2)
  expect(notice?.headers.get('subject')).toBe('There is news of an application')
  expect(notice?.headers.get('auto-submitted')).toBe('auto-generated')
  const said = [...(notice?.headers.values() ?? []), notice?.body].join('\n').toLowerCase()
  expect(said).toContain('open it')
  for (const hidden of [person.wallet, worker.wallet, 'Photograph the gate', '1.07'])
    expect(said).not.toContain(hidden.toLowerCase())
  const stop = linkOf({ links: [notice?.headers.get('list-unsubscribe')?.slice(1, -1) ?? ''] }, 'stop')
  expect(notice?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect((await open('GET', stop)).status).toBe(200)
  expect(await stateOf(person)).toMatchObject({ state: 'on' })
  for (let times = 0; times < 2; times += 1)
    expect((await open('POST', stop, 'List-Unsubscribe=One-Click')).status).toBe(200)
  expect(await stateOf(person)).toBeNull()
})

test('a link is good for its act, its address and a day, and for nothing once the mails were stopped', async () => {
  const person = await live.party(0n)
  const confirming = async (link: string) => (await open('POST', link, '')).status
  await subscribe(person, 'first@mail.test')
  const [first] = await untilMailed('first@mail.test', 1)
  const link = linkOf(first, 'confirm')
  expect(await confirming(linkOf(first, 'stop').replace('/stop', '/confirm'))).toBe(404)
  expect(await confirming(link.replace(/token=(.)/, (_all, sign) => `token=${sign === '0' ? '1' : '0'}`))).toBe(404)
  expect(await confirming(`${link}&token=x`)).toBe(404)
  await subscribe(person, 'second@mail.test')
  const [second] = await untilMailed('second@mail.test', 1)
  expect(await confirming(link)).toBe(404)
  const late = linkOf(second, 'confirm')
  await pool.query("update mail_subscriptions set asked_at = now() - interval '25 hours' where wallet = $1", [
    person.wallet,
  ])
  expect(await confirming(late)).toBe(404)
  await subscribe(person, 'second@mail.test')
  expect(await confirming(late)).toBe(200)
  expect(await confirming(late)).toBe(200)
  expectStatus(await person.call('DELETE', path), 200)
  expect(await confirming(late)).toBe(404)
})

test('an address that is confirmed stays so when its person chooses otherwise, and another one begins anew', async () => {
  const person = await live.party(0n)
  await confirmed(person, 'chosen@mail.test')
  expect(await subscribe(person, 'chosen@mail.test', { kinds: ['money'] })).toMatchObject({
    state: 'on',
    kinds: ['money'],
  })
  expect(await subscribe(person, 'other@mail.test')).toMatchObject({ state: 'waiting' })
})

test('a mailbox is asked three times a day, however it is spelt and whoever asks', async () => {
  const answers = []
  for (const name of ['vi.ctim', 'victim+1', 'VICTIM', 'v.i.c.t.i.m+2'])
    answers.push((await (await live.party(0n)).call('POST', path, { address: `${name}@mail.test`, kinds })).body)
  expect(answers.map(({ code, state }) => code ?? state)).toEqual(['waiting', 'waiting', 'waiting', 'RATE_LIMITED'])
})

test.each([
  'a@b.test\r\nBcc: c@d.test',
  'a@b.test, c@d.test',
  'a@b.test;c@d.test',
  'A <a@b.test>',
  '"a b"@c.test',
  '<a@b.test>',
  'a@b.te\u0001st',
  'a@[127.0.0.1]',
  'a@localhost',
  'a@b@c.test',
  '.a@b.test',
  'é@b.test',
  `${'a'.repeat(65)}@b.test`,
  `a@${'b'.repeat(60)}.${'c.'.repeat(100)}test`,
])('%j is no address', async (address) => {
  expect((await publisher.call('POST', path, { address, kinds })).body.code).toBe('VALIDATION_FAILED')
})

test('a mail whose answer was lost is sent again under the same Message-ID, and five times at the most', async () => {
  const person = await live.party(0n)
  server.losesAnswers = true
  try {
    await subscribe(person, 'lost@mail.test')
    for (let count = 1; count <= 5; count += 1) {
      await untilMailed('lost@mail.test', count)
      await untilAttempted(person, count % 5)
      await dueNow(person)
    }
  } finally {
    server.losesAnswers = false
  }
  const copies = mailedTo('lost@mail.test').map(({ headers }) => headers.get('message-id'))
  expect([copies.length, new Set(copies).size]).toEqual([5, 1])
})

test.each([
  ['550 5.1.1 no such mailbox', null],
  ['450 4.2.0 busy', 'waiting'],
  ['550 5.7.1 relaying denied', 'waiting'],
])('a recipient that is answered %s three times leaves the subscription: %j', async (answer, state) => {
  const person = await live.party(0n)
  server.recipient = answer
  try {
    await subscribe(person, `refused-${answer.slice(4, 9)}@mail.test`)
    for (let count = 1; count <= 3; count += 1) {
      await untilAttempted(person, state === null && count === 3 ? undefined : count)
      if (count < 3) await dueNow(person)
    }
  } finally {
    server.recipient = '250 ok'
  }
  expect(await stateOf(person)).toEqual(state === null ? null : expect.objectContaining({ state }))
})

/** Undefined: its row is gone. */
const untilAttempted = (by: Party, attempts: number | undefined) =>
  eventually(
    async () =>
      (await pool.query<{ attempts: number }>('select attempts from mail_subscriptions where wallet = $1', [by.wallet]))
        .rows[0]?.attempts,
    (found) => found === attempts,
  )
/** Its wait is over, and so is its quiet: who is told meanwhile is not put off again. */
const dueNow = (by: Party) =>
  pool.query(
    "update mail_subscriptions set due_at = now(), quiet_until = '-infinity' where wallet = $1 and due_at < 'infinity'",
    [by.wallet],
  )

test('a server that has to be spoken to over TLS and offers none is told neither the login nor a mail', async () => {
  const mailer = createSmtpMailer({
    host: '127.0.0.1',
    port: server.port,
    tls: 'upgraded',
    login: { user: 'u', password: 'secret' },
    from: 'notices@market.test',
  })
  const [saidBefore, gotBefore] = [server.said.length, server.received.length]
  const letter = {
    to: 'a@mail.test',
    subject: 's',
    text: 't',
    html: 'h',
    messageId: '<a@b>',
    stopUrl: 'http://a.test/',
  }
  expect(await mailer.send(letter)).toMatchObject({ kind: 'failed' })
  mailer[Symbol.dispose]()
  const verbs = server.said.slice(saidBefore).map((line) => line.split(' ', 1)[0])
  expect(verbs).toContain('EHLO')
  for (const verb of ['AUTH', 'MAIL', 'DATA']) expect(verbs).not.toContain(verb)
  expect(server.received.length).toBe(gotBefore)
})

test('a letter whose fields hold line breaks gets no further header or recipient', async () => {
  const mailer = createSmtpMailer({ ...onTestServer(), from: 'notices@market.test' })
  const evil = '\r\nBcc: stranger@mail.test\r\nX-Evil: 1'
  const gotBefore = server.received.length
  const sent = await mailer.send({
    to: `evil@mail.test${evil}`,
    subject: `s${evil}`,
    text: 't',
    html: 'h',
    messageId: `<a@b>${evil}`,
    stopUrl: `http://a.test/${evil}`,
  })
  mailer[Symbol.dispose]()
  expect(sent).toEqual({ kind: 'taken' })
  expect(server.received.length).toBe(gotBefore + 1)
  for (const mail of server.received.slice(gotBefore)) {
    expect(mail.to).not.toContain('stranger@mail.test')
    expect([...readMail(mail).headers.keys()]).not.toContain('x-evil')
    expect([...readMail(mail).headers.keys()]).not.toContain('bcc')
  }
})

const onTestServer = () => ({ host: '127.0.0.1', port: server.port, tls: 'none', login: undefined }) as const

test('who has not confirmed is forgotten after a day', async () => {
  const person = await live.party(0n)
  await subscribe(person, 'forgotten@mail.test')
  await untilMailed('forgotten@mail.test', 1)
  const mails = createMailSubscriptions(pool)
  await mails.forget(100)
  expect(await stateOf(person)).toMatchObject({ state: 'waiting' })
  await pool.query("update mail_subscriptions set asked_at = now() - interval '25 hours' where wallet = $1", [
    person.wallet,
  ])
  expect(await mails.forget(100)).toBe(1)
  expect(await stateOf(person)).toBeNull()
})

test('mails of a wallet and to a mailbox are counted by the day and all of them by the hour, each on its own', async () => {
  const at = new Date('2026-11-26T10:20:00Z')
  const budgetOf = (limits: { perWallet: number; perMailbox: number; perHour: number }, purpose: number) =>
    createMailBudget(pool, {
      key: new Uint8Array(32).fill(purpose),
      limits: { confirmation: limits, notice: limits },
      now: () => at,
    })
  const waits = async (limits: { perWallet: number; perMailbox: number; perHour: number }, purpose: number) => {
    const budget = budgetOf(limits, purpose)
    const [a, b] = [
      { wallet: 'one', address: 'a@mail.test' },
      { wallet: 'two', address: 'A+x@mail.test' },
    ]
    return [await budget.take('notice', a), await budget.take('notice', a), await budget.take('notice', b)].map(
      (waitMs) => (waitMs === null ? null : waitMs <= 2_400_000 ? 'the hour' : 'the day'),
    )
  }
  const most = { perWallet: 9, perMailbox: 9, perHour: 9 }
  expect(await waits({ ...most, perHour: 1 }, 1)).toEqual([null, 'the hour', 'the hour'])
  expect((await waits({ ...most, perWallet: 1 }, 2)).map((wait) => wait === null)).toEqual([true, false, true])
  expect((await waits({ ...most, perMailbox: 1 }, 3)).map((wait) => wait === null)).toEqual([true, false, false])
  expect(
    await budgetOf({ ...most, perHour: 1 }, 1).take('confirmation', { wallet: 'one', address: 'a@mail.test' }),
  ).toBeNull()
})

test('what happens soon after a mail comes later as one, and nothing that the person did', async () => {
  const person = await live.party(140n)
  await confirmed(person, 'quiet@mail.test', { kinds: ['application', 'task'] })
  await somethingHappens(person)
  await untilMailed('quiet@mail.test', 2)
  for (let times = 0; times < 2; times += 1) await somethingHappens(person)
  await eventually(
    async () =>
      (
        await pool.query<{ waits: boolean }>(
          "select due_at > now() + interval '10 minutes' and was_told as waits from mail_subscriptions where wallet = $1",
          [person.wallet],
        )
      ).rows[0]?.waits,
    (waits) => waits === true,
  )
  expect(mailedTo('quiet@mail.test')).toHaveLength(2)
  await dueNow(person)
  await untilMailed('quiet@mail.test', 3)
  await eventually(
    async () =>
      (
        await pool.query<{ rests: boolean }>(
          "select due_at > now() + interval '10 minutes' as rests from mail_subscriptions where wallet = $1",
          [person.wallet],
        )
      ).rows[0]?.rests,
    (rests) => rests === true,
  )
  expect(mailedTo('quiet@mail.test')).toHaveLength(3)
})
