import { privateKeySigner, type Signer } from '@ergon/protocols'
import { driveAt, type Driven, type PreparedRequest } from '../load/drive.ts'
import type { Measured } from '../report.ts'
import type { BenchMarket, Side } from './bench-market.ts'
import { compare } from './compare.ts'
import { signPublishes } from './publish.ts'

/** Of ten requests five are pages, three are single tasks and two are signed publishes. */
const pattern = ['list', 'get', 'list', 'publish', 'list', 'get', 'list', 'get', 'publish', 'list'] as const
const pageSize = 20
const halfLoadSeconds = 5

type Paths = { readonly list: (cursor: string) => string; readonly get: (id: string) => string }
const paths: Readonly<Record<'market' | 'bare', Paths>> = {
  market: {
    list: (cursor) => `/api/v1/tasks?status=published&limit=${pageSize}&cursor=${cursor}`,
    get: (id) => `/api/v1/tasks/${id}`,
  },
  bare: { list: (cursor) => `/tasks?cursor=${cursor}`, get: (id) => `/tasks/${id}` },
}

/**
 * What a market mostly does, four reads to one signed write, against the same mix on bare routes; then its latency at
 * half of that pace, beside that of the bare routes at the same pace: what the machine itself adds.
 */
export async function measureMixed(target: BenchMarket, ids: readonly string[]): Promise<Measured> {
  const wallet = target.record.wallets[1]
  if (wallet === undefined) throw new Error('the constellation has too few wallets')
  const signer = privateKeySigner(wallet.privateKey)
  const mix =
    (name: 'market' | 'bare') =>
    (side: Side, count: number): Promise<readonly PreparedRequest[]> =>
      mixture(side, paths[name], { signer, ids, chainId: target.record.chainId, count })
  const { share, cpuUs, perSecond } = await compare(target, {
    prepare: { market: mix('market'), bare: mix('bare') },
    perRound: 2_000,
    rounds: 9,
    status: 200,
  })
  const pace = perSecond.market / 2
  const atHalf = async (name: 'market' | 'bare'): Promise<Driven> =>
    driveAt(target[name].url, await mix(name)(target[name], Math.round(pace * halfLoadSeconds)), {
      perSecond: pace,
      connections: 50,
      status: 200,
    })
  const bareHalf = await atHalf('bare')
  const half = await atHalf('market')
  return {
    mixed_rps_share: share,
    mixed_cpu_us: cpuUs.market,
    bare_mixed_cpu_us: cpuUs.bare,
    mixed_per_second: perSecond.market,
    bare_mixed_per_second: perSecond.bare,
    p50_ms_at_half_load: half.p50Ms,
    p99_ms_at_half_load: half.p99Ms,
    bare_p50_ms_at_half_load: bareHalf.p50Ms,
    bare_p99_ms_at_half_load: bareHalf.p99Ms,
  }
}

async function mixture(
  side: Side,
  where: Paths,
  given: { readonly signer: Signer; readonly ids: readonly string[]; readonly chainId: number; readonly count: number },
): Promise<readonly PreparedRequest[]> {
  const kinds = Array.from({ length: given.count }, (_, index) => pattern[index % pattern.length] ?? 'list')
  const publishes = await signPublishes(
    side,
    given.signer,
    given.chainId,
    kinds.filter((kind) => kind === 'publish').length,
  )
  let publish = 0
  return kinds.map((kind, index): PreparedRequest => {
    const id = given.ids[(index * 31) % given.ids.length] ?? ''
    if (kind !== 'publish') return { method: 'GET', path: where[kind](id), headers: {} }
    const signed = publishes[publish++]
    if (signed === undefined) throw new Error('a publish for every place in the mix')
    return { ...signed, status: 201 }
  })
}
