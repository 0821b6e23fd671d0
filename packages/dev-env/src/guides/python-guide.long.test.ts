import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConstellation, type Constellation } from '../constellation/constellation.ts'
import { freePort } from '../ports.ts'
import { openGuide } from '../testing/guide.ts'

/** The code of docs/guides/python.md, run as its reader runs it, with Debian's Python and its two packages. */

const patienceMs = 120_000
const python = '/usr/bin/python3'
const guide = openGuide('python.md')
const commands = guide.blocks('sh')
const outputs = guide.blocks('text')
const files = guide.blocks('python')
const isInstalled = spawnSync(python, ['-c', 'import ecdsa, Cryptodome.Hash.keccak']).status === 0

test.runIf(!isInstalled && process.env['CI'] !== undefined)(
  'a continuous build has Python with its two packages',
  () => {
    expect(isInstalled).toBe(true)
  },
)

test('nothing of the page is left out', () => {
  expect([commands.length, outputs.length, guide.left()]).toEqual([3, 3, []])
  // One screen of code signs; the rest is a client and a job.
  expect(files[0]?.split('\n').length).toBeLessThan(82)
})

describe.runIf(isInstalled)('the page', () => {
  let constellation: Constellation
  let folder: string
  let frontPort: number
  beforeAll(async () => {
    frontPort = await freePort()
    constellation = await startConstellation({
      ephemeral: true,
      env: { server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_AUTHORITIES: `127.0.0.1:${String(frontPort)}` } },
    })
    folder = mkdtempSync(join(tmpdir(), 'ergon-python-'))
    for (const code of files) writeFileSync(join(folder, /^# (\S+)\n/.exec(code)?.[1] ?? ''), code)
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await constellation.stop()
  })

  const serverUrl = (): string => constellation.record().serverUrl ?? ''

  async function run(words: readonly string[], url = serverUrl()): Promise<string> {
    const env = { ...process.env, ERGON_URL: url, PORT: String(await freePort()), no_proxy: '*' }
    return (await promisify(execFile)(python, [...words], { cwd: folder, env, timeout: patienceMs })).stdout
  }

  /** Ids and transactions differ from run to run. */
  const plain = (text: string): string =>
    text.replaceAll(/\b0x[0-9a-f]{64}\b/g, '0x…').replaceAll(/\b[0-9a-f-]{36}\b/g, 'id')

  test.each(commands.map((command, index) => [command.trim(), outputs[index] ?? '']))(
    '%s prints what the page says',
    async (command, output) => {
      const [, file = ''] = /^python3 (\S+)$/.exec(command) ?? []
      expect(plain(await run([file]))).toBe(plain(output))
    },
  )

  test('a call whose answer is lost is made once: it is sent again with its key, and signed anew', async () => {
    const seen: IncomingMessage[] = []
    await using front = await startFront(frontPort, async (request, response) => {
      seen.push(request)
      const answer = await passedOn(request, serverUrl())
      // The task is there; only its publisher does not hear of it.
      const isLost = request.method === 'POST' && seen.filter(({ method }) => method === 'POST').length === 1
      if (isLost) response.destroy()
      else answer.pipe(response.writeHead(answer.statusCode ?? 0))
    })
    const printed = await run(['-c', publishing], front.url)
    const sent = seen.filter(({ method }) => method === 'POST')
    expect(sent).toHaveLength(2)
    expect(new Set(sent.map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1)
    expect(new Set(sent.map(({ headers }) => headers['signature-input'])).size).toBe(2)
    const [id, status] = printed.trim().split(' ')
    expect(status).toBe('done')
    const published = await (await fetch(`${serverUrl()}/api/v1/tasks/available?q=panes&all_parties=true`)).json()
    expect(published).toMatchObject({ total: 1, tasks: [{ id }] })
  })

  test.each([
    ['waits as Retry-After says', 503, 'SERVICE_BUSY', true, '2', 'made'],
    ['takes a date for no more than a wish', 503, 'SERVICE_BUSY', true, 'Sun, 29 Nov 2026 12:00:00 GMT', 'made'],
    ['has it pending when the outcome stays unknown', 503, 'OUTCOME_UNKNOWN', true, '0', 'Pending'],
    ['has it pending when a settlement does', 502, 'settlement_pending', false, undefined, 'Pending'],
    ['does not repeat a no', 402, 'INSUFFICIENT_FUNDS', true, undefined, 'Refused'],
    ['never repeats a signature for another network', 400, 'NETWORK_MISMATCH', true, '0', 'Refused'],
  ])('the client %s', async (_what, status, code, retryable, retryAfter, outcome) => {
    const times: number[] = []
    await using front = await startFront(frontPort, async (request, response) => {
      if (request.method === 'GET') return (await passedOn(request, serverUrl())).pipe(response)
      times.push(Date.now())
      if (outcome === 'made' && times.length === 2) return response.writeHead(201).end('{"id":"made"}')
      const waiting = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      return response.writeHead(status, waiting).end(JSON.stringify({ detail: { code, retryable } }))
    })
    const printed = await run(['-c', trying], front.url)
    expect(printed.trim()).toBe(outcome)
    expect(times).toHaveLength(outcome === 'made' ? 2 : code === 'OUTCOME_UNKNOWN' ? 5 : 1)
    const least = retryAfter === '2' ? 2_000 : 1_000
    if (outcome === 'made') expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(least)
  })

  test('terms that differ from the agreement are not signed', async () => {
    expect((await run(['-c', lying])).trim()).toBe('receiver maxAmount token too long')
  })
})

const task = `{'title': 'Count the panes', 'instructions': 'Count the panes of the window and write it.',
  'category': 'data_collection', 'bounty_usd': 1, 'evidence_required': ['text_response']}`
const publishing = `
import os
from ergon_client import Client
from ergon_sign import Wallet
client = Client(os.environ['ERGON_URL'], Wallet())
made = client.send('POST', '/api/v1/tasks', ${task}, 'the-key')
print(made['id'], client.outcome('the-key')['state'])
`
const trying = `
import os
from ergon_client import Client, Pending, Refused
from ergon_sign import Wallet
try:
    print(Client(os.environ['ERGON_URL'], Wallet()).send('POST', '/api/v1/tasks', {})['id'])
except (Pending, Refused) as error:
    print(type(error).__name__)
`
const lying = `
import copy, json, os, urllib.request
from ergon_money import LOCALNET, sign_lock
from ergon_sign import Wallet
one = json.load(urllib.request.urlopen(os.environ['ERGON_URL'] + '/signing-vectors.json'))['payments'][0]
worker, stranger = one['payment_info']['receiver'], '0x' + '11' * 20
def signs(bound_until=1790691200, **changes):
    terms = {**one['payment_info'], **changes}
    challenge = {'accepts': [{'extra': {'envelope': {'payload': {'paymentInfo': terms}}}}]}
    return sign_lock(Wallet(), LOCALNET, challenge, worker, 1_000_000, bound_until)
signs()
said = []
for changes in ({'receiver': stranger}, {'maxAmount': '2000000'}, {'token': stranger}, {'bound_until': 1790691199}):
    try:
        said.append(str(signs(**changes)))
    except ValueError as error:
        said.append('too long' if 'long' in str(error) else str(error).split()[0])
print(*said)
`

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** What is in front of the service, or answers in its place. */
async function startFront(port: number, handle: Handler): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** The answer of the service to a request with all of its headers, the host that was signed among them. */
function passedOn(request: IncomingMessage, serverUrl: string): Promise<IncomingMessage> {
  const { method, headers, url = '' } = request
  return new Promise((resolve, reject) => {
    request.pipe(ask(`${serverUrl}${url}`, { method, headers }, resolve).on('error', reject))
  })
}
