import { randomBytes } from 'node:crypto'
import { privateKeySigner, signRequest } from '@ergon/protocols'
import type { PreparedRequest } from '../load/drive.ts'
import type { BenchMarket, Side } from '../market/bench-market.ts'
import { compare } from '../market/compare.ts'
import type { Measured } from '../report.ts'
import { bindChannels } from './bound-channels.ts'

const channels = 50

/**
 * Signed ticks over HTTP, each an accepted unit of work, against a bare route that proves the same request, signs a
 * voucher with Ed25519 and inserts one row.
 */
export async function measureTicks(target: BenchMarket): Promise<Measured> {
  const { record, database } = target
  const [wallet] = record.wallets
  if (wallet === undefined) throw new Error('the constellation has no wallets')
  const signer = privateKeySigner(wallet.privateKey)
  await database.query(`create table bare_ticks (id uuid primary key, task_id uuid not null, cumulative bigint not null,
    signature text not null, evidence jsonb not null, at timestamptz not null)`)
  const bound = await bindChannels(database, signer.address, channels)
  const body = Buffer.from(JSON.stringify({ evidence: { boats: 3, quay: 'north', seen_at: '2026-11-24T04:00:00Z' } }))
  const given = { 'content-type': 'application/json' }
  const prepare = async ({ url }: Side, count: number): Promise<readonly PreparedRequest[]> => {
    const now = Math.floor(Date.now() / 1_000)
    return Promise.all(
      Array.from({ length: count }, async (_, at): Promise<PreparedRequest> => {
        const path = `/api/v1/tasks/${bound[at % channels]?.taskId ?? ''}/tick`
        const nonce = randomBytes(16).toString('base64url')
        const request = { method: 'POST' as const, url: `${url}${path}`, headers: given, body }
        const added = await signRequest(request, { signer, chainId: record.chainId, now, nonce, ttlSec: 290 })
        return { method: 'POST', path, headers: { ...given, ...added }, body }
      }),
    )
  }
  const { share, cpuUs, perSecond } = await compare(target, {
    prepare: { market: prepare, bare: prepare },
    perRound: 2_000,
    rounds: 5,
    status: 200,
  })
  return {
    tick_share: share,
    tick_cpu_us: cpuUs.market,
    bare_tick_cpu_us: cpuUs.bare,
    ticks_per_second: perSecond.market,
    bare_ticks_per_second: perSecond.bare,
  }
}
