import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideConfig } from '../src/index.ts'
import { createCallers } from '../src/http/caller.ts'
import { createDemands } from '../src/http/limits.ts'
import { credential, opening, topUp, type ForeignBuyer } from './foreign-client.ts'
import { challengeAt, fundedBuyer, price, startChain, startStage, startUpstream } from './harness.ts'
import type { Chain, Stage, Upstream } from './harness.ts'

let chain: Chain
let upstream: Upstream
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream()
})
afterAll(async () => {
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

const deposit = 100_000n
const codeOf = async (response: Response): Promise<string> => {
  if (response.status === 200) return 'done'
  const { error } = (await response.json()) as { readonly error: string }
  return `${response.status} ${error}`
}
const openAt = async (stage: Stage, buyer: ForeignBuyer, salt: bigint, from?: string) => {
  const challenge = await challengeAt(stage.url, 'client')
  const { payload, channelId } = await opening(buyer, challenge, { deposit, salt, challengeId: '' })
  const authorization = credential(challenge.echo, payload)
  const headers = { authorization, ...(from === undefined ? {} : { 'x-forwarded-for': from }) }
  const send = () => fetch(`${stage.url}/weather`, { headers })
  return { channelId, send }
}

describe('what the operator pays for in a day', () => {
  test('of one payer has a limit, and the same bytes are counted once', async () => {
    await using stage = await startStage(chain, upstream.url, { GATEWAY_SPONSORED: '2/1000/1000' })
    const buyer = await fundedBuyer(chain)
    const first = await openAt(stage, buyer, 1n)
    expect([await codeOf(await first.send()), await codeOf(await first.send())]).toEqual(['done', 'done'])
    const challenge = await challengeAt(stage.url, 'client')
    const add = async (amount: bigint) => {
      const payload = await topUp(buyer, challenge, first.channelId, amount)
      const headers = { authorization: credential(challenge.echo, payload) }
      return fetch(`${stage.url}/weather`, { headers })
    }
    expect([await codeOf(await add(price)), await codeOf(await add(price))]).toEqual(['done', 'done'])
    const refused = await add(price * 2n)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await codeOf(refused)).toBe('429 sponsorship_spent')
    const second = await openAt(stage, buyer, 2n)
    expect(await codeOf(await second.send())).toBe('429 sponsorship_spent')
    expect((await fetch(`${stage.url}/__402/channels/${second.channelId}`)).status).toBe(404)
    const another = await openAt(stage, await fundedBuyer(chain), 3n)
    expect(await codeOf(await another.send())).toBe('done')
  })

  test('in all has a limit, and the next day begins at nothing', async () => {
    await using stage = await startStage(chain, upstream.url, { GATEWAY_SPONSORED: '1000/1000/1' })
    const [one, other] = [await fundedBuyer(chain), await fundedBuyer(chain)]
    expect(await codeOf(await (await openAt(stage, one, 1n)).send())).toBe('done')
    expect(await codeOf(await (await openAt(stage, other, 2n)).send())).toBe('429 sponsorship_spent')
    await stage.pool.query('update sponsored set day = day - 1')
    expect(await codeOf(await (await openAt(stage, other, 3n)).send())).toBe('done')
    await expect.poll(async () => (await stage.pool.query('select 1 from sponsored')).rows.length).toBe(3)
  })
})

describe('behind a proxy', () => {
  const proxied = { GATEWAY_TRUSTED_PROXIES: '127.0.0.1', GATEWAY_CHANNELS: '1000/1/1000' }

  test('buyers have limits of their own, by their address or their IPv6 network', async () => {
    await using stage = await startStage(chain, upstream.url, proxied)
    const answers: string[] = []
    let salt = 0n
    for (const from of [
      '198.51.100.1',
      '198.51.100.2',
      '198.51.100.2',
      '2001:db8::1',
      '2001:db8::ffff:2',
      '2001:db8:0:1::1',
    ]) {
      salt += 1n
      const asked = await openAt(stage, await fundedBuyer(chain), salt, from)
      answers.push(await codeOf(await asked.send()))
    }
    const full = '429 too_many_channels'
    expect(answers).toEqual(['done', 'done', full, 'done', full, 'done'])
  })

  test('nobody else says where a buyer is', async () => {
    await using stage = await startStage(chain, upstream.url, { ...proxied, GATEWAY_TRUSTED_PROXIES: '10.0.0.0/8' })
    const answers: string[] = []
    for (const [salt, from] of ['198.51.100.1', '198.51.100.2'].entries()) {
      const asked = await openAt(stage, await fundedBuyer(chain), BigInt(salt), from)
      answers.push(await codeOf(await asked.send()))
    }
    expect(answers).toEqual(['done', '429 too_many_channels'])
  })

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['no address', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ])('%j is a caller at %s', (told, expected) => {
    const callers = createCallers(['10.0.0.0/8'])
    const headers = { 'x-forwarded-for': told }
    // What is read of a request, and nothing else.
    expect(callers.of({ headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage)).toBe(expected)
  })

  test('the proxy alone may hold more connections than one address', () => {
    const callers = createCallers(['10.0.0.0/8', '2001:db8:ffff::/48'])
    const held = ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:ffff::1', '198.51.100.7', '2001:db8::1', undefined]
    expect(held.map(callers.at)).toEqual([undefined, undefined, undefined, '198.51.100.7', '2001:db8:0:0', ''])
  })

  test.each(['proxy.internal', '10.0.0.0/40', '10.0.0.1;10.0.0.2'])('%s is no proxy to trust', (trusted) => {
    const env = {
      DATABASE_URL: 'postgres://localhost/x',
      GATEWAY_ENDPOINTS: '',
      GATEWAY_RPC: 'http://127.0.0.1:1',
      GATEWAY_TRUSTED_PROXIES: trusted,
    }
    expect(() => decideConfig({ ...env, GATEWAY_ENDPOINTS: `/a http://127.0.0.1:1 1 ${'1'.repeat(32)}` })).toThrow(
      'GATEWAY_TRUSTED_PROXIES',
    )
  })
})

test('who takes too much at once is told how long to wait', () => {
  const demand = createDemands({ burst: 1, perMinute: 1 }, () => 0)
  demand('mallory')
  expect(() => {
    demand('mallory')
  }).toThrow(expect.objectContaining({ status: 429, code: 'rate_limited', retryAfterSec: 60 }))
  demand('another')
})
