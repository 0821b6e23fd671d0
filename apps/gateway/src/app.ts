import {
  answeringHalfClosed,
  bodiesOnDemand,
  cannotListen,
  createHttpCounts,
  lingering,
  openLog,
  requireDatabase,
  watchEventLoop,
} from '@ergon/process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkCluster, createRpcLedger } from '@ergon/solana-ledger'
import type { Config, Secrets } from './config/config.ts'
import { StartupError } from './errors.ts'
import { createCallers } from './http/caller.ts'
import { closingOf } from './http/closing.ts'
import { brokenRequests } from './http/broken-requests.ts'
import { createHandle, type Handle } from './http/handle.ts'
import { createSeats } from './http/limits.ts'
import type { Log } from './log.ts'
import { openMetrics } from './open-metrics.ts'
import { createChallenges } from './session/challenges.ts'
import type { SessionDeps } from './session/deps.ts'
import { keptBytes } from './session/pay.ts'
import { createRecent } from './session/recent.ts'
import { startDuties } from './settle/duties.ts'
import { openDatabase, poolSize } from './store/database.ts'
import { migrate } from './store/migrations.ts'
import { requireKeysOfChannels } from './store/open-keys.ts'
import { createUpstreams } from './upstream/call-upstream.ts'

/** A running payment gateway. */
export type Gateway = AsyncDisposable & {
  /** Accepts requests; resolves with the base URL. */
  listen(): Promise<string>
}

/** What a test or a local network brings along: a clock that runs with the ledger's. */
export type GatewayOptions = { readonly now?: () => number }

/** Connects everything and takes up what an earlier process left. Throws `StartupError` naming what is missing. */
export async function createGateway(config: Config, secrets: Secrets, options: GatewayOptions = {}): Promise<Gateway> {
  await using resources = new AsyncDisposableStack()
  const log = resources.use(openLog('gateway', { level: config.logLevel }))
  for (const sentence of secrets.warnings ?? []) log.warn(sentence)
  const database = openDatabase(config.databaseUrl, log)
  resources.defer(() => database.end())
  await requireDatabase(database.pool, {
    service: 'gateway',
    connections: poolSize,
    realNetwork: config.network === 'mainnet' ? 'mainnet' : undefined,
    limitMs: config.databaseWaitMs,
    onDoubt: (text, cause) => {
      log.warn({ err: cause }, text)
    },
    refuse: (text, cause) => new StartupError(text, { cause }),
  })
  await migrate(database.pool)
  await requireKeysOfChannels(database, config, secrets)
  const genesisHash = config.genesis ?? (await askGenesis(config.rpcUrls))
  const ledger = createRpcLedger({ urls: config.rpcUrls, genesisHash, ...options })
  if (config.programHash !== undefined) await checkCluster(ledger, termsOf(config, secrets, config.programHash))
  const deps: SessionDeps = {
    config,
    secrets,
    database,
    ledger,
    challenges: createChallenges(config, secrets),
    recent: createRecent(ledger),
    log,
  }
  const upstreams = resources.use(
    createUpstreams({ answerMs: config.upstreamMs.answer, answerBytes: config.bodies.answer, keptBytes }),
  )
  resources.use(startDuties(deps))
  const [loop, counts] = [resources.use(watchEventLoop()), createHttpCounts()]
  const server = createListener(createHandle(deps, upstreams, counts), config, log)
  resources.defer(closingOf(server))
  const owned = resources.move()
  return {
    listen: async () => {
      if (config.metrics !== null) owned.use(await openMetrics({ at: config.metrics, deps, loop, counts }))
      return listen(server, config)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function termsOf({ channelProgram: programId, mint }: Config, { operator, voucher }: Secrets, programHash: string) {
  return { programId, programHash, mint, keys: [operator.address, voucher.address] }
}

function createListener(handle: Handle, { seats, trustedProxies }: Config, log: Log): Server {
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      // So long, too, a buyer holds its connection that does not read an answer which was cut off.
      keepAliveTimeout: 10_000,
      maxHeaderSize: 32_768,
      requireHostHeader: false,
    },
    (request, response) => {
      void handle(request, response, askForBody)
    },
  )
  const askForBody = bodiesOnDemand(server)
  const broken = brokenRequests()
  broken.watch(server)
  server.on('clientError', broken.answer)
  lingering(server)
  answeringHalfClosed(server)
  server.on('error', (error) => {
    log.error({ err: error }, 'the listener failed')
  })
  // Connections that wait for nothing cost little; beyond this they are turned away at the door.
  const most = { address: seats.address * 4, all: seats.all * 4 }
  server.maxConnections = most.all
  const [admit, callers] = [createSeats(most), createCallers(trustedProxies)]
  server.on('connection', (socket) => {
    const caller = callers.at(socket.remoteAddress)
    if (caller === undefined) return
    try {
      const place = admit(caller)
      socket.once('close', () => {
        place[Symbol.dispose]()
      })
    } catch {
      // One address leaves the door to others.
      socket.destroy()
    }
  })
  return server
}

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => {
      reject(new StartupError(cannotListen({ host, port }, cause), { cause }))
    }
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      // A listener on a port has an address of this kind.
      const { port: bound } = server.address() as AddressInfo
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}

/** On a local network the node is the operator's own: what it tells is the cluster that is meant. */
async function askGenesis([url]: readonly string[]): Promise<string> {
  try {
    const response = await fetch(url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' }),
      signal: AbortSignal.timeout(10_000),
    })
    const { result } = (await response.json()) as { readonly result?: unknown } // a node's answer
    if (typeof result === 'string') return result
  } catch (cause) {
    throw new StartupError('the node of GATEWAY_RPC does not answer', { cause })
  }
  throw new StartupError('the node of GATEWAY_RPC tells no genesis hash')
}
