import { startConstellation, type Constellation } from '@ergon/dev-env'
import { privateKeySigner } from '@ergon/protocols'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, type Terminal } from './binary.ts'
import { answerAsWallet } from './outside-wallet.ts'
import { smallPicture } from './small-picture.ts'

let constellation: Constellation
let terminal: Terminal
const as = (profile: string, ...line: readonly string[]): readonly string[] => [...line, '--profile', profile]
const patienceMs = 180_000
const task = {
  title: 'Photograph the notice board',
  instructions: 'Take one photo of the notice board at the town hall and send it.',
  category: 'simple_action',
  bounty_usd: 1,
  evidence_required: ['photo', 'gps'],
}

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  const { serverUrl, rpcUrl } = constellation.record()
  if (serverUrl === undefined) throw new Error('the constellation has a server')
  terminal = openTerminal({ ERGON_URL: serverUrl, ERGON_RPC_URL: rpcUrl })
  for (const name of ['publisher', 'worker'])
    expect(await terminal.json(as(name, 'init', '--network', 'localnet'))).toMatchObject({ code: 0 })
}, patienceMs)
afterAll(async () => {
  terminal[Symbol.dispose]()
  await constellation.stop()
})

/** The same words within a day are the same task (decision 0070), so each test has a title of its own. */
async function publish(title: string): Promise<string> {
  const { data } = await terminal.json<{ id: string }>(as('publisher', 'task', 'publish', '-f', '-'), {
    input: JSON.stringify({ ...task, title }),
  })
  return data.id
}

test(
  'doctor names a network that the profile has and the service does not take',
  async () => {
    expect(await terminal.json(as('elsewhere', 'init', '--network', 'base'))).toMatchObject({ code: 0 })
    const { data } = await terminal.json<{ healthy: boolean; findings: readonly { check: string }[] }>(
      as('elsewhere', 'doctor'),
    )
    expect(data.healthy).toBe(false)
    expect(data.findings).toContainEqual({
      ...{ check: 'network', ok: false },
      says: expect.stringMatching(/the profile says base, and this service takes localnet.*payment_network/) as unknown,
    })
  },
  patienceMs,
)

test(
  'two profiles carry a task from publish to paid and rated through the binary',
  async () => {
    expect(await terminal.json(as('publisher', 'faucet', '5'))).toMatchObject({ code: 0, data: { usd: 5 } })
    const examined = await terminal.json<{ findings: readonly { check: string; says: string }[] }>(
      as('publisher', 'doctor'),
    )
    expect(examined, JSON.stringify(examined.data)).toMatchObject({ code: 0, data: { healthy: true } })
    expect(examined.data.findings.find(({ check }) => check === 'balance')?.says).toBe('5.00 USDC on localnet')
    const id = await publish('Photograph the notice board')
    const waiting = terminal.json(as('publisher', 'wait', id, '--timeout', '120'))
    const worker = await terminal.json<{ id: string; wallet_address: string }>(
      as('worker', 'worker', 'register', '--name', 'Someone near'),
    )
    expect(await terminal.json(as('worker', 'apply', id, '-m', 'I pass there.'))).toMatchObject({
      code: 0,
      command: 'apply',
      data: { task_id: id, status: 'pending' },
    })
    expect(
      await terminal.json(as('publisher', 'wait', id, '--for', 'worker.applied', '--timeout', '60')),
    ).toMatchObject({ code: 0, data: { event: { type: 'worker.applied' } } })
    expect((await terminal.run(as('publisher', 'applicants', id, '-q'))).out.trim()).toBe(worker.data.id)
    expect(
      await terminal.json(
        as('publisher', 'assign', id, worker.data.id, '--yes', '--worker-wallet', worker.data.wallet_address),
      ),
    ).toMatchObject({ code: 0, data: { status: 'accepted' } })
    writeFileSync(join(terminal.home, 'board.png'), smallPicture())
    expect(
      await terminal.json(as('worker', 'submit', id, '--photo', 'board.png', '--gps', '48.2082,16.3738,6')),
    ).toMatchObject({ code: 0, data: { task_id: id } })
    const review = await terminal.run(as('publisher', 'review', id))
    expect(review.out).toMatch(/checks (pending|done): score .*coverage/)
    expect(review.out).toContain('photo')
    expect(await terminal.json(as('publisher', 'approve', id, '--yes'))).toMatchObject({
      code: 0,
      data: { worker_net_usdc: 0.87 },
    })
    expect(await waiting).toMatchObject({ code: 0, ok: true, command: 'wait', data: { status: 'completed' } })
    for (const [who, score] of [
      ['publisher', '96'],
      ['worker', '91'],
    ] as const)
      expect(await terminal.json(as(who, 'rate', id, score, '--comment', 'A pleasure.'))).toMatchObject({
        code: 0,
        data: { score: Number(score) },
      })
    expect(await terminal.json(as('worker', 'worker', 'earnings'))).toMatchObject({ code: 0 })
    expect((await terminal.run(as('publisher', 'task', 'show', id))).out).toContain('(completed)')
  },
  patienceMs,
)

test(
  'what the service refuses ends with the number of its kind',
  async () => {
    const id = await publish('Photograph the bus stop')
    const nobody = '00000000-0000-4000-8000-000000000000'
    const rows = [
      [as('worker', 'task', 'edit', id, '--title', 'Another person wrote this'), 10],
      [as('publisher', 'task', 'show', nobody), 11],
      [as('publisher', 'review', id), 11],
      [as('publisher', 'wait', id, '--timeout', '1'), 124],
      [as('worker', 'apply', id), 0],
      // The same call again is the same call; another one is refused.
      [as('worker', 'apply', id), 0],
      [as('worker', 'apply', id, '-m', 'Me again.'), 12],
      [as('publisher', 'task', 'cancel', id, '--yes'), 0],
      [as('publisher', 'wait', id), 5],
    ] as const
    for (const [line, exit] of rows) {
      const answer = await terminal.json(line)
      expect(answer.code, `${line.join(' ')}: ${JSON.stringify(answer)}`).toBe(exit)
    }
    const unsure = await terminal.json(as('publisher', 'task', 'cancel', id))
    expect(unsure).toMatchObject({ code: 2, error: { recovery: 'Say --yes.' } })
    const wrong = await terminal.json(as('publisher', 'task', 'list', '--mine'), { env: { ERGON_PASSPHRASE: 'wrong' } })
    expect(wrong).toMatchObject({ code: 10, error: { code: 'WRONG_PASSPHRASE' } })
  },
  patienceMs,
)

test(
  'a bounty that the wallet does not hold ends with 14, and nothing is locked',
  async () => {
    const { data } = await terminal.json<{ id: string }>(as('worker', 'worker', 'register'))
    expect(await terminal.json(as('poor', 'init', '--network', 'localnet'))).toMatchObject({ code: 0 })
    expect(await terminal.json(as('poor', 'faucet', '1'))).toMatchObject({ code: 0 })
    const poor = await terminal.json<{ id: string }>(as('poor', 'task', 'publish', '-f', '-'), {
      input: JSON.stringify({ ...task, bounty_usd: 2 }),
    })
    const line = poor.ok ? as('poor', 'assign', poor.data.id, data.id, '--yes') : as('poor', 'whoami')
    if (poor.ok) await terminal.json(as('worker', 'apply', poor.data.id))
    const answers = [poor, await terminal.json(line)]
    expect(
      answers.map(({ code }) => code),
      JSON.stringify(answers),
    ).toContain(14)
  },
  patienceMs,
)

test.each(['exec', 'http'])(
  'a wallet behind %s signs requests and payments, and no key is made',
  async (how) => {
    const wallet = privateKeySigner(`0x${'5b'.repeat(32)}`)
    const server = createServer((request, response) => {
      void text(request)
        .then((body) => answerAsWallet(wallet, body))
        .then((answer) => response.end(answer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      // A TCP server that listens has an address of this kind.
      const where =
        how === 'http'
          ? `http:http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
          : `exec:${process.execPath} ${fileURLToPath(new URL('./outside-wallet.ts', import.meta.url))}`
      const made = await terminal.json<{ key_file: string | null; signer: string }>(
        as(how, 'init', '--network', 'localnet', '--signer', where),
      )
      expect(made).toMatchObject({ code: 0, data: { key_file: null, signer: where } })
      expect(existsSync(join(terminal.home, 'ergon', 'keys', `${how}.json`))).toBe(false)
      expect(await terminal.json(as(how, 'faucet', '2'))).toMatchObject({ code: 0 })
      const {
        data: { id },
      } = await terminal.json<{ id: string }>(as(how, 'task', 'publish', '-f', '-'), {
        input: JSON.stringify({ ...task, title: `Photograph the door, ${how}` }),
      })
      expect(await terminal.json(as('worker', 'apply', id))).toMatchObject({ code: 0 })
      const applicant = (await terminal.run(as(how, 'applicants', id, '-q'))).out.trim()
      expect(await terminal.json(as(how, 'assign', id, applicant, '--yes'))).toMatchObject({
        code: 0,
        data: { status: 'accepted' },
      })
    } finally {
      server.close()
    }
  },
  patienceMs,
)

test('a wallet that refuses ends with 10 and says so', async () => {
  const refused = await terminal.json(as('refuser', 'init', '--signer', 'exec:false'))
  expect(refused).toMatchObject({ code: 10, error: { code: 'SIGNER_REFUSED' } })
})
