import { randomBytes } from 'node:crypto'
import { privateKeySigner, signRequest, type Signer } from '@ergon/protocols'
import type { PreparedRequest } from '../load/drive.ts'
import type { Measured } from '../report.ts'
import type { BenchMarket, Side } from './bench-market.ts'
import { compare } from './compare.ts'

const path = '/api/v1/tasks'
const bodyBytes = 1024

/** Signed publishes, each with a nonce of its own, against the least that such a route can cost. */
export async function measurePublish(target: BenchMarket): Promise<Measured> {
  const wallet = target.record.wallets[0]
  if (wallet === undefined) throw new Error('the constellation has no wallets')
  const signer = privateKeySigner(wallet.privateKey)
  const prepare = (side: Side, count: number): Promise<readonly PreparedRequest[]> =>
    signPublishes(side, signer, target.record.chainId, count)
  const { share, cpuUs, perSecond } = await compare(target, {
    prepare: { market: prepare, bare: prepare },
    perRound: 2_000,
    rounds: 9,
    status: 201,
  })
  return {
    publish_share: share,
    publish_cpu_us: cpuUs.market,
    bare_publish_cpu_us: cpuUs.bare,
    publishes_per_second: perSecond.market,
    bare_publishes_per_second: perSecond.bare,
  }
}

/** Signed before the clock runs. */
export async function signPublishes(
  { url }: Side,
  signer: Signer,
  chainId: number,
  count: number,
): Promise<PreparedRequest[]> {
  const now = Math.floor(Date.now() / 1_000)
  const body = publishBody()
  const given = { 'content-type': 'application/json' }
  const requests: PreparedRequest[] = []
  for (let made = 0; made < count; made += 1) {
    const nonce = randomBytes(16).toString('base64url')
    const added = await signRequest(
      { method: 'POST', url: `${url}${path}`, headers: given, body },
      { signer, chainId, now, nonce, ttlSec: 290 },
    )
    requests.push({ method: 'POST', path, headers: { ...given, ...added }, body })
  }
  return requests
}

function publishBody(): Buffer {
  const draft = {
    title: 'Photo of the shop window at the corner',
    category: 'physical_presence',
    bounty_usd: 0.1,
    evidence_required: ['photo', 'text_response'],
  }
  const rest = JSON.stringify({ ...draft, instructions: '' }).length
  return Buffer.from(
    JSON.stringify({
      ...draft,
      instructions: ''.padEnd(bodyBytes - rest, 'Take a photo of the window at noon, from across the street. '),
    }),
  )
}
