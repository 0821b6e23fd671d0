import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startNodeService } from '@ergon/dev-env'
import { privateKeySigner, signRequest, type Signer } from '@ergon/protocols'
import type { PreparedRequest } from '../load/drive.ts'
import { startBenchMarket, type Side } from '../market/bench-market.ts'
import { compare, type Compared, type Prepare } from '../market/compare.ts'
import { seedTasks } from '../market/seed.ts'
import type { Measured } from '../report.ts'
import { createScratch } from '../scratch.ts'

const tasks = 1_000
const path = '/mcp/'

/**
 * Signed tool calls, each verified and each with a nonce of its own, against the SDK's least server, which knows
 * nobody.
 */
export async function measureTools(): Promise<Measured> {
  await using target = await startBenchMarket()
  using scratch = createScratch()
  const port = await freePort()
  const url = `http://127.0.0.1:${String(port)}`
  await using bare = await startNodeService({
    name: 'bare tools',
    main: fileURLToPath(new URL('bare-tools-main.ts', import.meta.url)),
    logFile: join(scratch.path, 'bare-tools.log'),
    healthUrl: `${url}/health`,
    env: { BARE_TOOLS_PORT: String(port) },
  })
  const ids = await seedTasks(target.database, tasks)
  const wallet = target.record.wallets[0]
  if (wallet === undefined) throw new Error('the constellation has no wallets')
  const signer = privateKeySigner(wallet.privateKey)
  const sides = { ...target, bare: { pid: bare.pid, url } }
  const against = (market: Prepare): Promise<Compared> =>
    compare(sides, {
      prepare: { market, bare: (_side, count) => Array.from({ length: count }, () => status()) },
      perRound: 2_000,
      rounds: 9,
      status: 200,
    })
  const signed =
    (of: (index: number) => PreparedRequest): Prepare =>
    async (side, count) =>
      signAll(
        side,
        signer,
        target.record.chainId,
        Array.from({ length: count }, (_, index) => of(index)),
      )
  const [asked, read] = [
    await against(signed(status)),
    await against(signed((index) => call('svc_get_task', { task_id: ids[(index * 31) % ids.length] }))),
  ]
  return {
    tools_share: asked.share,
    tools_cpu_us: asked.cpuUs.market,
    bare_tools_cpu_us: asked.cpuUs.bare,
    tools_per_second: asked.perSecond.market,
    bare_tools_per_second: asked.perSecond.bare,
    tools_task_share: read.share,
    tools_task_cpu_us: read.cpuUs.market,
  }
}

const status = (): PreparedRequest => call('svc_server_status', {})

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

function call(name: string, args: Readonly<Record<string, unknown>>): PreparedRequest {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  return {
    method: 'POST',
    path,
    headers,
    body: Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } }),
    ),
  }
}

/** Signed before the clock runs. */
async function signAll(
  { url }: Side,
  signer: Signer,
  chainId: number,
  requests: readonly PreparedRequest[],
): Promise<PreparedRequest[]> {
  const now = Math.floor(Date.now() / 1_000)
  const signed: PreparedRequest[] = []
  for (const request of requests) {
    const added = await signRequest(
      {
        method: request.method,
        url: `${url}${request.path}`,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
      },
      { signer, chainId, now, nonce: randomBytes(16).toString('base64url'), ttlSec: 290 },
    )
    signed.push({ ...request, headers: { ...request.headers, ...added } })
  }
  return signed
}
