import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startNodeService } from '@ergon/dev-env'
import { request } from 'undici'
import { startBenchMarket, type BenchMarket } from '../market/bench-market.ts'
import { compare } from '../market/compare.ts'
import { median } from '../measure/median.ts'
import type { Measured } from '../report.ts'
import { createScratch } from '../scratch.ts'
import { bearerCheckUs } from './bearer-check.ts'
import { clientId, refreshForm, seedGrants } from './seed-grants.ts'

const revocations = 15

/** What a token costs to renew and to check, and how soon its end is seen in another process. */
export async function measureOAuth(): Promise<Measured> {
  const port = await freePort()
  const url = `http://127.0.0.1:${String(port)}`
  await using target = await startBenchMarket({
    serverPort: port,
    server: { SVC_BASE_URL: url, SVC_MCP_URL: url, SVC_OAUTH: 'true' },
    bareMain: fileURLToPath(new URL('./bare-token-main.ts', import.meta.url)),
  })
  const resource = `${url}/mcp`
  const refreshes = async (_side: unknown, count: number) =>
    (await seedGrants(target.database, resource, count)).map((token) => ({
      method: 'POST' as const,
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(refreshForm(token)),
    }))
  const renewed = await compare(target, {
    prepare: { market: refreshes, bare: refreshes },
    perRound: 2_000,
    rounds: 9,
    status: 200,
  })
  const seen = await revocationsSeen(target, url, resource)
  return {
    oauth_token_share: renewed.share,
    oauth_token_cpu_us: renewed.cpuUs.market,
    bare_token_cpu_us: renewed.cpuUs.bare,
    oauth_tokens_per_second: renewed.perSecond.market,
    bare_tokens_per_second: renewed.perSecond.bare,
    bearer_check_us: await bearerCheckUs(),
    revocation_seen_ms: Math.max(...seen),
    revocation_seen_ms_p50: median(seen),
  }
}

/** How long the other process lets a token through that was taken back at the first, ms each. */
async function revocationsSeen({ market, database }: BenchMarket, url: string, resource: string): Promise<number[]> {
  await using parts = new AsyncDisposableStack()
  const port = String(await freePort())
  const other = `http://127.0.0.1:${port}`
  parts.use(
    await startNodeService({
      name: 'another server',
      main: fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url)),
      logFile: join(parts.use(createScratch()).path, 'another-server.log'),
      healthUrl: `${other}/api/v1/health`,
      env: { ...environmentOf(market.pid), SVC_PORT: port },
    }),
  )
  const seen: number[] = []
  for (const refresh of await seedGrants(database, resource, revocations)) {
    const { body } = await request(`${url}/oauth/token`, form(refreshForm(refresh)))
    const tokens = (await body.json()) as { readonly access_token: string; readonly refresh_token: string } // RFC 6749
    const status = () => statusAt(other, new URL(url).host, tokens.access_token)
    if ((await status()) === 401) throw new Error('the other server does not take the token')
    const ended = await request(`${url}/oauth/revoke`, form(`client_id=${clientId}&token=${tokens.refresh_token}`))
    await ended.body.dump()
    const from = performance.now()
    while ((await status()) !== 401) if (performance.now() - from > 10_000) throw new Error('it is never seen')
    seen.push(performance.now() - from)
  }
  return seen
}

const form = (body: string) =>
  ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }) as const

async function statusAt(at: string, host: string, token: string): Promise<number> {
  const headers = {
    host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } })
  const { statusCode, body } = await request(`${at}/mcp/`, { method: 'POST', headers, body: asked })
  await body.dump()
  return statusCode
}

/** What a server was started with, for another one of the same service. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const pairs = readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0')
  return Object.fromEntries(
    pairs.flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)]] : []
    }),
  )
}
