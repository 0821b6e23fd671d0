import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, inheritedEnv } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { credential, opening, receiptOf, topUp, voucher } from './foreign-client.ts'
import {
  challengeAt,
  fundedBuyer,
  price,
  seller,
  startChain,
  startSession,
  startUpstream,
  until,
  type Chain,
} from './harness.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain[Symbol.asyncDispose]())

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

type Process = { readonly url: string; kill(): Promise<void> }

/** A gateway in a process of its own, to be killed. */
async function startProcess(env: Readonly<Record<string, string>>): Promise<Process> {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const [, found] = /listening on (\S+)/.exec(chunk.toString()) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => {
      reject(new Error('the gateway ended'))
    })
  })
  return { url, kill }
}

async function settingsOf(upstreamUrl: string, rpcUrl = chain.rpcUrl) {
  const database = await createTestDatabase()
  const pool = new Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined)
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  const env = {
    DATABASE_URL: database.url,
    GATEWAY_ENDPOINTS: `/weather ${upstreamUrl}/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: rpcUrl,
    GATEWAY_PORT: '0',
    GATEWAY_LOG_LEVEL: 'silent',
    GATEWAY_RATES: '1000/1000/1000/1000',
  }
  return { env, pool }
}

/** A node that loses answers: `hold` keeps what is sent from it, `lose` passes it on and keeps the answer. */
async function startLossyNode(): Promise<{ readonly url: string; how: 'pass' | 'hold' | 'lose'; sent: number }> {
  const node = { url: '', how: 'pass' as 'pass' | 'hold' | 'lose', sent: 0 }
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const isSend = body.includes('"sendTransaction"')
      if (isSend) node.sent += 1
      if (isSend && node.how === 'hold') return
      const passed = fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      void passed.then(async (answer) => {
        const text = await answer.text()
        if (!(isSend && node.how === 'lose')) response.end(text)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}

test.each(['operator', 'client'] as const)(
  'killed while the upstream works: the same call is asked again and charged once (%s)',
  async (mode) => {
    let isSilent = true
    const upstream = await startUpstream((_request, response) => {
      if (!isSilent) response.end('fine')
    })
    onTestFinished(() => upstream[Symbol.asyncDispose]())
    const { env, pool } = await settingsOf(upstream.url)
    const first = await startProcess(env)
    const session = await startSession(chain, first, mode)
    const how = { key: 'once', ...(mode === 'client' ? { cumulative: price } : {}) }
    const lost = session.pay('/weather', how).catch(() => 'lost')
    await until(() => Promise.resolve(upstream.asked.length === 1))
    const before = await pool.query('select state, cumulative from deliveries')
    expect(before.rows).toEqual([{ state: 'asked', cumulative: mode === 'client' ? '2500' : null }])
    await first.kill()
    expect(await lost).toBe('lost')
    isSilent = false
    const second = await startProcess(env)
    const again = { ...session, pay: payAt(second.url, session, mode) }
    const early = await again.pay()
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '1'])
    await pool.query('update deliveries set lease_until = now()')
    await until(async () => (await again.pay()).status === 200)
    const answered = await again.pay()
    expect([await answered.text(), receiptOf(answered)?.['spent']]).toEqual(['fine', '2500'])
    expect(upstream.asked).toHaveLength(2)
    const { rows } = await pool.query('select spent, held, in_flight, payable from channels')
    expect(rows).toEqual([{ spent: '2500', held: '0', in_flight: 0, payable: '2500' }])
  },
)

/** The same call of the same session to a gateway that was started anew. */
function payAt(url: string, session: Awaited<ReturnType<typeof startSession>>, mode: 'operator' | 'client') {
  return async () => {
    const payload =
      mode === 'client'
        ? voucher(session.buyer, session.channelId, price)
        : { action: 'use', channelId: session.channelId, authentication: await proofOf(session) }
    const headers = { authorization: credential(session.challenge.echo, payload), 'idempotency-key': 'once' }
    return fetch(`${url}/weather`, { headers })
  }
}

async function proofOf({ buyer, channelId, challenge }: Awaited<ReturnType<typeof startSession>>) {
  const { proof } = await import('./foreign-client.ts')
  return proof(buyer, channelId, challenge.echo['id'] ?? '')
}

test('an answer that was lost on its way is given again, and its upstream is not asked twice', async () => {
  const upstream = await startUpstream((_request, response) => void setTimeout(() => response.end('fine'), 300))
  onTestFinished(() => upstream[Symbol.asyncDispose]())
  const { env, pool } = await settingsOf(upstream.url)
  const first = await startProcess(env)
  const session = await startSession(chain, first, 'client')
  const leaving = new AbortController()
  const lost = session.pay('/weather', { key: 'once', cumulative: price, signal: leaving.signal }).catch(() => 'lost')
  await until(() => Promise.resolve(upstream.asked.length === 1))
  leaving.abort()
  expect(await lost).toBe('lost')
  await until(async () => (await pool.query(`select 1 from deliveries where state = 'charged'`)).rows.length === 1)
  await first.kill()
  const second = await startProcess(env)
  const answered = await payAt(second.url, session, 'client')()
  expect([await answered.text(), receiptOf(answered)?.['spent']]).toEqual(['fine', '2500'])
  expect(upstream.asked).toHaveLength(1)
})

test.each(['hold', 'lose'] as const)(
  'killed in the middle of an opening (%s): it is pursued, and opens once',
  async (how) => {
    const upstream = await startUpstream()
    onTestFinished(() => upstream[Symbol.asyncDispose]())
    const node = await startLossyNode()
    const { env, pool } = await settingsOf(upstream.url, node.url)
    const first = await startProcess(env)
    const buyer = await fundedBuyer(chain)
    const challenge = await challengeAt(first.url, 'client')
    const { payload, channelId } = await opening(buyer, challenge, { deposit: 100_000n, salt: 5n, challengeId: '' })
    node.how = how
    const headers = { authorization: credential(challenge.echo, payload) }
    const lost = fetch(`${first.url}/weather`, { headers }).catch(() => 'lost')
    await until(() => Promise.resolve(node.sent > 0))
    await first.kill()
    expect(await lost).toBe('lost')
    node.how = 'pass'
    const second = await startProcess(env)
    await pool.query('update channels set watch_at = now()')
    await until(async () => (await pool.query(`select 1 from channels where status = 'open'`)).rows.length === 1)
    expect(await chain.tokens(buyer.address)).toBe(9_900_000n)
    const again = await fetch(`${second.url}/weather`, { headers })
    expect([again.status, ((await again.json()) as { channelId: string }).channelId]).toEqual([200, channelId])
    expect((await pool.query('select kind, state from transactions')).rows).toEqual([{ kind: 'open', state: 'landed' }])
  },
)

/** A gateway killed once its top-up had left for the node: what is left of it, and how to come again. */
async function killedInTopUp(how: 'hold' | 'lose') {
  const upstream = await startUpstream()
  onTestFinished(() => upstream[Symbol.asyncDispose]())
  const node = await startLossyNode()
  const { env, pool } = await settingsOf(upstream.url, node.url)
  const first = await startProcess(env)
  const { buyer, channelId } = await startSession(chain, first, 'client')
  const before = await chain.tokens(buyer.address)
  const challenge = await challengeAt(first.url, 'client')
  const headers = { authorization: credential(challenge.echo, await topUp(buyer, challenge, channelId, 50_000n)) }
  node.how = how
  node.sent = 0
  const lost = fetch(`${first.url}/weather`, { headers }).catch(() => 'lost')
  await until(() => Promise.resolve(node.sent > 0))
  await first.kill()
  expect(await lost).toBe('lost')
  const states = async () =>
    (await pool.query<{ state: string }>(`select state from transactions where kind = 'topUp'`)).rows
  expect(await states()).toEqual([{ state: 'sent' }])
  node.how = 'pass'
  return {
    second: await startProcess(env),
    pool,
    headers,
    states,
    added: async () => before - (await chain.tokens(buyer.address)),
  }
}

test.each(['hold', 'lose'] as const)(
  'killed in the middle of a top-up (%s): it was recorded before it was sent, and the same again adds once',
  async (how) => {
    const { second, headers, states, added } = await killedInTopUp(how)
    expect((await fetch(`${second.url}/weather`, { headers })).status).toBe(200)
    expect(await states()).toEqual([{ state: 'landed' }])
    expect(await added()).toBe(50_000n)
  },
)

test.each(['hold', 'lose'] as const)(
  'killed in the middle of a top-up (%s) whose payer never comes again: a duty brings it to its end, once',
  async (how) => {
    const { pool, states, added } = await killedInTopUp(how)
    // Not before its time: whoever brought it may still wait.
    await pool.query(`update transactions set pursue_at = now() where kind = 'topUp'`)
    await until(async () => (await states())[0]?.state === 'landed')
    await until(async () => (await pool.query(`select 1 from channels where deposit = 1050000`)).rows.length === 1)
    expect(await added()).toBe(50_000n)
  },
)

test.each(['hold', 'lose'] as const)('killed in the middle of a closing (%s): it pays out once', async (how) => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream[Symbol.asyncDispose]())
  const node = await startLossyNode()
  const { env, pool } = await settingsOf(upstream.url, node.url)
  const first = await startProcess(env)
  const session = await startSession(chain, first, 'client')
  await session.pay('/weather', { cumulative: price })
  const before = await chain.tokens(seller.address)
  node.how = how
  node.sent = 0
  const { channelId, buyer } = session
  const last = voucher(buyer, channelId, price).voucher
  const lost = session.act({ action: 'close', channelId, voucher: last }).catch(() => 'lost')
  await until(() => Promise.resolve(node.sent > 0))
  await first.kill()
  expect(await lost).toBe('lost')
  node.how = 'pass'
  await startProcess(env)
  await pool.query('update channels set watch_at = now(), lease_until = null')
  await until(async () => (await pool.query(`select 1 from channels where status = 'closed'`)).rows.length === 1)
  expect(await chain.tokens(seller.address)).toBe(before + 2_175n)
  expect(await chain.tokens(buyer.address)).toBe(9_997_500n)
  const { rows } = await pool.query(`select state, settles from transactions where kind = 'close'`)
  expect(rows).toEqual([{ state: 'landed', settles: '2500' }])
})
