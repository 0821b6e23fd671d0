import { randomBytes } from 'node:crypto'
import {
  createPayingFetch,
  PaymentRefused,
  receiptOf,
  solanaSeedSigner,
  type BoughtChannel,
  type PayingOptions,
} from '@ergon/sdk'
import { readChallenges } from '@ergon/channels'
import { localMint } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  price,
  startChain,
  startStage,
  startUpstream,
  until,
  type Chain,
  type Stage,
  type Upstream,
} from './harness.ts'

let chain: Chain
let upstream: Upstream
let stage: Stage
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === '/v1/fails') return void response.writeHead(500).end('broken')
      response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
    })
  })
  stage = await startStage(chain, upstream.url, { GATEWAY_DEPOSITS: '10000/10000/1000000' })
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

async function buyerWith(options: Partial<PayingOptions> = {}, tokens = 1_000_000n) {
  const signer = solanaSeedSigner(new Uint8Array(randomBytes(32)))
  await chain.embedded.fund(signer.address, { tokens })
  const paying = createPayingFetch({ signer, cap: 50_000n, network: 'localnet', mint: localMint, ...options })
  return { signer, paying }
}
/** The gateway keeps what an opening has to name for a moment. */
async function later(ms: number): Promise<void> {
  const slot = await chain.embedded.ledger.slot()
  await chain.skip(ms)
  await until(async () => {
    const [challenge] = readChallenges((await fetch(`${stage.url}/weather`)).headers.get('www-authenticate') ?? '')
    return (challenge?.request.recentSlot ?? 0n) > slot + BigInt(ms / 500)
  })
}
const refusalOf = (error: unknown): string => (error instanceof PaymentRefused ? error.code : String(error))

describe.each(['client', 'operator'] as const)('where the %s signs vouchers', (vouchers) => {
  test('a buyer opens, pays, tops up within its cap, and gets its rest back', async () => {
    const { signer, paying } = await buyerWith({ vouchers })
    const answers: Response[] = []
    for (let call = 1; call <= 10; call += 1)
      answers.push(await paying.fetch(`${stage.url}/weather/lima`, { method: 'POST', body: `day ${call}` }))
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      Array.from({ length: 10 }, (_, at) => `POST /v1/lima day ${at + 1}`),
    )
    expect(receiptOf(answers[9] ?? new Response())?.spent).toBe(price * 10n)
    expect(await paying.close()).toMatchObject([{ spent: price * 10n }])
    expect(await chain.tokens(signer.address)).toBe(1_000_000n - price * 10n)
    expect(paying.channels()).toEqual([])
  })

  test('nothing is paid beyond the cap', async () => {
    const { paying } = await buyerWith({ vouchers, cap: 12_000n })
    for (let call = 1; call <= 4; call += 1) expect((await paying.fetch(`${stage.url}/weather`)).status).toBe(200)
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('cap_reached')
    expect(paying.channels()).toMatchObject([{ spent: 10_000n }])
  })

  test('twenty calls at once are all answered and each paid once', async () => {
    const { paying } = await buyerWith({ vouchers, cap: 1_000_000n })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => paying.fetch(`${stage.url}/weather/n${at}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(paying.channels()).toMatchObject([{ spent: price * 20n }])
  })

  test('what the seller refuses costs nothing, and the next call is paid as ever', async () => {
    const { paying } = await buyerWith({ vouchers })
    const failed = await paying.fetch(`${stage.url}/weather/fails`)
    expect([failed.status, receiptOf(failed)]).toEqual([500, undefined])
    expect(receiptOf(await paying.fetch(`${stage.url}/weather`))?.spent).toBe(price)
  })

  test('an answer that is lost on the way is asked for again, and paid once', async () => {
    let losing = 0
    const { paying } = await buyerWith({
      vouchers,
      fetch: async (...given) => {
        const response = await fetch(...given)
        if (response.headers.has('payment-receipt') && losing > 0) {
          losing -= 1
          throw new TypeError('fetch failed')
        }
        return response
      },
    })
    await paying.fetch(`${stage.url}/weather`)
    losing = 2
    expect(receiptOf(await paying.fetch(`${stage.url}/weather`))?.spent).toBe(price * 2n)
  })
})

test('a buyer that starts anew with its channels goes on where it was, even where the last answer never came', async () => {
  let kept: readonly BoughtChannel[] = []
  const seed = new Uint8Array(randomBytes(32))
  const signer = solanaSeedSigner(seed)
  await chain.embedded.fund(signer.address, { tokens: 1_000_000n })
  let isDead = false
  const options = {
    signer,
    cap: 50_000n,
    network: 'localnet' as const,
    mint: localMint,
    onChannels: (channels: readonly BoughtChannel[]) => {
      kept = channels
    },
    fetch: async (...given: Parameters<typeof fetch>) => {
      const response = await fetch(...given)
      // The process ends at this point: no answer reaches it any more.
      if (isDead && response.headers.has('payment-receipt')) throw new Error('dead')
      return response
    },
  }
  const first = createPayingFetch(options)
  await first.fetch(`${stage.url}/weather`)
  isDead = true
  await expect(first.fetch(`${stage.url}/weather`)).rejects.toThrow('dead')
  isDead = false
  expect(kept).toMatchObject([{ signed: price * 2n, taken: price }])
  const second = createPayingFetch({ ...options, channels: kept })
  expect(receiptOf(await second.fetch(`${stage.url}/weather`))?.spent).toBe(price * 3n)
})

test('what costs nothing is passed on as it is', async () => {
  const { paying } = await buyerWith()
  expect(await (await paying.fetch(`${stage.url}/__402/health`)).text()).toBe('ok')
  expect(paying.channels()).toEqual([])
})

describe('a gateway that asks for more than was agreed gets no signature', () => {
  const lying = (change: (request: { methodDetails: Record<string, unknown> } & Record<string, unknown>) => void) =>
    buyerWith({
      fetch: async (...given) => {
        const response = await fetch(...given)
        const header = response.headers.get('www-authenticate')
        if (header === null) return response
        const headers = new Headers(response.headers)
        headers.set(
          'www-authenticate',
          header.replaceAll(/request="([^"]+)"/g, (_, text: string) => {
            const request = JSON.parse(Buffer.from(text, 'base64url').toString()) as Parameters<typeof change>[0]
            change(request)
            return `request="${Buffer.from(JSON.stringify(request)).toString('base64url')}"`
          }),
        )
        return new Response(response.body, { status: response.status, headers })
      },
    })

  test.each<[string, Parameters<typeof lying>[0]]>([
    ['a price above the cap', (request) => (request['amount'] = '50001')],
    ['another token', (request) => (request['currency'] = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')],
    ['another program', ({ methodDetails }) => (methodDetails['channelProgram'] = localMint)],
    ['another network', ({ methodDetails }) => (methodDetails['network'] = 'devnet')],
    ['a grace period of years', ({ methodDetails }) => (methodDetails['gracePeriodSeconds'] = 99_999_999)],
    ['a token program of its own', ({ methodDetails }) => (methodDetails['tokenProgram'] = localMint)],
  ])('%s', async (_, change) => {
    const { paying, signer } = await lying(change)
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('terms_refused')
    expect(await chain.tokens(signer.address)).toBe(1_000_000n)
  })

  test('a due beyond what was signed and one price', async () => {
    const { paying } = await buyerWith({
      fetch: async (...given) => {
        const response = await fetch(...given)
        const isPaid = response.headers.has('payment-receipt') && !(await response.clone().text()).includes('open')
        if (!isPaid) return response
        return Response.json({ error: 'voucher_goes_back', due: '10000' }, { status: 402 })
      },
    })
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('voucher_goes_back')
    expect(paying.channels()).toMatchObject([{ signed: price }])
  })

  test('what was signed for a channel counts against the cap, though the gateway says that it is closed', async () => {
    const { paying, signer } = await buyerWith({
      cap: 12_000n,
      fetch: async (...given) => {
        const paid = JSON.stringify(given[1]?.headers ?? {}).includes('idempotency-key')
        return paid ? Response.json({ error: 'channel_closing' }, { status: 402 }) : fetch(...given)
      },
    })
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('cap_reached')
    // Asked for more than its cap, it had the gateway close the channel in earnest: all came back, as the gateway says.
    expect([await chain.tokens(signer.address), paying.channels()]).toEqual([1_000_000n, []])
  })

  test('and so it does after a closing that tells of less', async () => {
    let isClosing = false
    const { paying } = await buyerWith({
      cap: 12_000n,
      fetch: async (...given) => {
        const answer = await fetch(...given)
        const isAct = new Headers(given[1]?.headers).has('authorization')
        return isClosing && isAct ? Response.json({ error: 'channel_not_found' }, { status: 402 }) : answer
      },
    })
    const failing = await paying.fetch(`${stage.url}/weather/fails`)
    expect([failing.status, paying.channels()]).toMatchObject([500, [{ signed: price, spent: 0n }]])
    isClosing = true
    await paying.close()
    isClosing = false
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('cap_reached')
  })
})

describe('what a gateway refuses counts against the cap: it has the signature', () => {
  /** Passes an act on to the gateway, and tells the buyer that it was refused. */
  const refusing =
    (action: 'open' | 'topUp'): typeof fetch =>
    async (...given) => {
      const answer = await fetch(...given)
      const [, sent = ''] = new Headers(given[1]?.headers).get('authorization')?.split(' ') ?? []
      const isRefused = Buffer.from(sent, 'base64url').toString().includes(`"action":"${action}"`)
      return isRefused ? Response.json({ error: 'refused' }, { status: 402 }) : answer
    }

  test.each(['operator', 'client'] as const)('an opening that lands all the same (%s)', async (vouchers) => {
    const { paying, signer } = await buyerWith({ vouchers, cap: 12_000n, fetch: refusing('open') })
    for (let call = 1; call <= 2; call += 1)
      await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('refused')
    expect(await chain.tokens(signer.address)).toBe(990_000n)
    expect(paying.channels()).toMatchObject([{ deposit: 10_000n }])
  })

  test('and more money for a channel', async () => {
    const { paying, signer } = await buyerWith({ vouchers: 'operator', cap: 20_000n, fetch: refusing('topUp') })
    const ends: string[] = []
    for (let call = 1; call <= 10; call += 1)
      ends.push(await paying.fetch(`${stage.url}/weather`).then(({ status }) => String(status), refusalOf))
    expect(ends).toEqual(['200', '200', '200', '200', 'refused', '200', '200', '200', '200', 'cap_reached'])
    expect(await chain.tokens(signer.address)).toBe(980_000n)
  })
})

test('calls side by side that find their channel closed open one other, and it is kept', async () => {
  const { paying, signer } = await buyerWith({ vouchers: 'operator', cap: 100_000n })
  await paying.fetch(`${stage.url}/weather`)
  const [old] = paying.channels()
  await stage.pool.query(`update channels set status = 'closing', watch_at = now() where channel_id = $1`, [
    old?.channelId,
  ])
  const answers = await Promise.all(Array.from({ length: 3 }, () => paying.fetch(`${stage.url}/weather`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { rows } = await stage.pool.query<{ channel_id: string }>(
    `select channel_id from channels where payer = $1 and channel_id <> $2`,
    [signer.address, old?.channelId],
  )
  const paid = paying.channels().filter(({ isOver }) => isOver !== true)
  expect(rows.map((row) => row.channel_id)).toEqual(paid.map(({ channelId }) => channelId))
  expect(paid).toMatchObject([{ spent: price * 3n }])
})

describe('what was refused, and is known never to come, frees the cap', () => {
  /** A buyer without money, whose opening the gateway refuses in earnest. */
  const refusedFor = async (options: Partial<PayingOptions>) => {
    const { signer, paying } = await buyerWith({ vouchers: 'operator', cap: 12_000n, ...options }, 0n)
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('open_short')
    return { paying, pay: () => chain.embedded.fund(signer.address, { tokens: 1_000_000n }) }
  }
  const statusOf = ({ status }: Response): string => String(status)

  test('the same opening is taken a moment later', async () => {
    const { paying, pay } = await refusedFor({})
    await expect(paying.fetch(`${stage.url}/weather`).catch(refusalOf)).resolves.toBe('open_short')
    await pay()
    expect((await paying.fetch(`${stage.url}/weather`)).status).toBe(200)
    expect(paying.channels()).toMatchObject([{ deposit: 10_000n, spent: price }])
  })

  test('another one where the first is too old to land, if a node says so', async () => {
    const [asking, trusting] = [await refusedFor({ rpcUrl: chain.rpcUrl }), await refusedFor({})]
    await later(15 * 60_000)
    await asking.pay()
    await trusting.pay()
    expect(await asking.paying.fetch(`${stage.url}/weather`).then(statusOf, refusalOf)).toBe('200')
    expect(await trusting.paying.fetch(`${stage.url}/weather`).then(statusOf, refusalOf)).toBe('cap_reached')
    expect(asking.paying.channels()).toMatchObject([{ deposit: 10_000n, spent: price }])
  })

  test.each(['operator', 'client'] as const)('a top-up that was never sent (%s)', async (vouchers) => {
    let isRefusing = false
    const { paying } = await buyerWith({
      ...{ vouchers, cap: 20_000n, rpcUrl: chain.rpcUrl },
      fetch: async (...given) => {
        const [, sent = ''] = new Headers(given[1]?.headers).get('authorization')?.split(' ') ?? []
        const isTopUp = Buffer.from(sent, 'base64url').toString().includes('"action":"topUp"')
        return isTopUp && isRefusing ? Response.json({ error: 'refused' }, { status: 402 }) : fetch(...given)
      },
    })
    const call = () => paying.fetch(`${stage.url}/weather`).then(statusOf, refusalOf)
    const ends: string[] = []
    for (let at = 1; at <= 4; at += 1) ends.push(await call())
    isRefusing = true
    ends.push(await call(), await call())
    isRefusing = false
    await later(5 * 60_000)
    for (let at = 1; at <= 5; at += 1) ends.push(await call())
    expect(ends).toEqual([
      '200',
      '200',
      '200',
      '200',
      'refused',
      'cap_reached',
      '200',
      '200',
      '200',
      '200',
      'cap_reached',
    ])
  })

  test('a channel that the gateway closed costs what the ledger shows, if a node is asked', async () => {
    const buyers = [await buyerWith({ vouchers: 'operator', cap: 12_500n, rpcUrl: chain.rpcUrl })]
    buyers.push(await buyerWith({ vouchers: 'operator', cap: 12_500n }))
    for (const { paying } of buyers) await paying.fetch(`${stage.url}/weather`)
    const ids = buyers.flatMap(({ paying }) => paying.channels().map(({ channelId }) => channelId))
    await stage.pool.query(`update channels set status = 'closing', watch_at = now() where channel_id = any($1)`, [ids])
    await until(async () => {
      const { rows } = await stage.pool.query(
        `select 1 from channels where status = 'closed' and channel_id = any($1)`,
        [ids],
      )
      return rows.length === 2
    })
    const again = await Promise.all(
      buyers.map(({ paying }) => paying.fetch(`${stage.url}/weather`).then(statusOf, refusalOf)),
    )
    expect(again).toEqual(['200', 'cap_reached'])
  })
})
