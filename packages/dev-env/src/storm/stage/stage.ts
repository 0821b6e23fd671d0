import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../chain/chain.ts'
import { dataFolder, type DataFolder } from '../../constellation/data-folder.ts'
import { startLocalChain } from '../../constellation/local-chain.ts'
import type { PaymentMode } from '../../constellation/options.ts'
import { ensureSecrets, type Secrets } from '../../constellation/secrets.ts'
import {
  facilitatorService,
  serverService,
  serviceUrl,
  type ServiceSurroundings,
} from '../../constellation/services.ts'
import { logTail } from '../../log-tail.ts'
import { freePort } from '../../ports.ts'
import { waitFor } from '../../waiting.ts'
import { startHttpLine } from '../lines/http-line.ts'
import type { Line } from '../lines/line.ts'
import { nameOfApi, nameOfFacilitation, nameOfRpc } from '../lines/names.ts'
import type { Decide, Lost } from '../lines/passing.ts'
import { startPgLine } from '../lines/pg-line.ts'
import { startDatabase, type Database } from './database.ts'
import { supervise, type Supervised } from './supervised.ts'

/** The lines of one process: to its database, to its node, and of a server to the facilitator. */
export type Lines = { readonly db: Line; readonly rpc: Line; readonly http?: Line }
export type Member = {
  readonly process: Supervised
  readonly lines: Lines
  /** The process itself, past every line. */
  readonly url: string
}

/** The product as it runs for real, every line of it in our hands. Everything is on loopback. */
export type Stage = AsyncDisposable & {
  /** Where clients go: a balancer before the servers. */
  readonly url: string
  readonly adminKey: string
  readonly chain: Chain
  readonly database: Database
  /** By name: server-a, server-b, facilitator-a, facilitator-b. */
  readonly members: ReadonlyMap<string, Member>
  /** Waits until the servers answer. */
  ready(): Promise<void>
}

export type StageOptions = {
  readonly servers: number
  /** One of them works; the others wait for its lease. */
  readonly facilitators: number
  /** Asked at each start of a server. */
  readonly mode: () => PaymentMode
  readonly decide: Decide
  readonly lost: Lost
  readonly onDeath?: (name: string, log: string) => void
  readonly env?: {
    readonly server?: Readonly<Record<string, string>>
    readonly facilitator?: Readonly<Record<string, string>>
  }
  /** Settings of one process by its name, asked at each start. */
  readonly envOf?: (name: string) => Readonly<Record<string, string>>
}

type Ground = {
  readonly options: StageOptions
  readonly folder: DataFolder
  readonly secrets: Secrets
  readonly database: Database
  readonly chain: Chain
  readonly stack: AsyncDisposableStack
}
type Listener = { readonly name: string; readonly port: number }

const readyMs = 60_000

export async function startStage(options: StageOptions): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const root = mkdtempSync(join(tmpdir(), 'ergon-storm-'))
  stack.defer(() => {
    rmSync(root, { recursive: true, force: true })
  })
  const folder = dataFolder(root)
  for (const path of [folder.server, folder.logs]) mkdirSync(path, { recursive: true })
  const secrets = ensureSecrets(folder.secrets)
  const database = stack.use(await startDatabase(folder.postgres, await freePort(), ['ergon', 'facilitator']))
  const chain = stack.use(await startLocalChain({}))
  const ground: Ground = { options, folder, secrets, database, chain, stack }
  const [servers, facilitators] = [
    await listeners('server', options.servers),
    await listeners('facilitator', options.facilitators),
  ]
  const balancer = stack.use(
    await startHttpLine({
      line: 'api',
      from: 'client',
      targets: () => servers.map(({ port }) => port).toSorted(() => Math.random() - 0.5),
      nameOf: nameOfApi,
      decide: options.decide,
      onLost: options.lost,
    }),
  )
  const members = new Map<string, Member>()
  for (const one of facilitators) members.set(one.name, await startFacilitator(ground, one))
  for (const one of servers)
    members.set(one.name, await startServer(ground, one, { facilitators, balancer: balancer.port }))
  const url = serviceUrl(balancer.port)
  const ready = async (): Promise<void> => {
    const ports = [...servers, ...facilitators.slice(0, 1)].map(({ port, name }) => ({
      name,
      url: `${serviceUrl(port)}${name.startsWith('server') ? '/api/v1' : ''}/health`,
    }))
    for (const one of ports) {
      const answers = one.name.startsWith('server')
        ? [one.url]
        : facilitators.map(({ port }) => `${serviceUrl(port)}/health`)
      await waitFor(async () => (await Promise.all(answers.map(isUp))).includes(true) || undefined, {
        timeoutMs: readyMs,
        everyMs: 50,
        what: one.name,
      }).catch((cause: unknown) => {
        throw new Error(
          `${one.name} does not answer; the end of its log:\n${logTail(members.get(one.name)?.process.logFile ?? '')}`,
          { cause },
        )
      })
    }
  }
  await ready()
  const owned = stack.move()
  return {
    url,
    adminKey: secrets.serverAdminKey,
    chain,
    database,
    members,
    ready,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function listeners(role: string, count: number): Promise<readonly Listener[]> {
  const found: Listener[] = []
  for (let index = 0; index < count; index += 1)
    found.push({ name: `${role}-${String.fromCharCode(97 + index)}`, port: await freePort() })
  return found
}

async function startFacilitator(ground: Ground, { name, port }: Listener): Promise<Member> {
  const { stack, options, database } = ground
  const lines = await linesOf(ground, name)
  const around = surroundingsOf(ground, {
    facilitator: port,
    server: 0,
    databaseUrl: database.urlThrough('facilitator', lines.db.port),
    rpcUrl: serviceUrl(lines.rpc.port),
  })
  const { main, env, logFile } = facilitatorService(around)
  // A standby waits for the lease as long as the other holds it.
  const settings = {
    ...env,
    FACILITATOR_LEASE_WAIT_MS: '3600000',
    FACILITATOR_RPC_TIMEOUT_MS: '3000',
    FACILITATOR_LOG_LEVEL: 'warn',
    ...options.env?.facilitator,
  }
  return {
    process: stack.use(
      supervise({
        name,
        main,
        env: () => ({ ...settings, ...options.envOf?.(name) }),
        onDeath: deathOf(options),
        logFile: logFile.replace('facilitator.log', `${name}.log`),
      }),
    ),
    lines,
    url: serviceUrl(port),
  }
}

async function startServer(
  ground: Ground,
  { name, port }: Listener,
  to: { readonly facilitators: readonly Listener[]; readonly balancer: number },
): Promise<Member> {
  const { stack, options, database } = ground
  const http = stack.use(
    await startHttpLine({
      line: 'http',
      from: name,
      targets: () => to.facilitators.map((one) => one.port),
      nameOf: nameOfFacilitation,
      decide: options.decide,
      onLost: options.lost,
    }),
  )
  const lines = { ...(await linesOf(ground, name)), http }
  const around = surroundingsOf(ground, {
    server: port,
    facilitator: http.port,
    databaseUrl: database.urlThrough('ergon', lines.db.port),
    rpcUrl: serviceUrl(lines.rpc.port),
  })
  const { main, env, logFile } = serverService(around)
  const settings = {
    ...env,
    SVC_BASE_URL: serviceUrl(to.balancer),
    SVC_LOG_LEVEL: 'warn',
    SVC_RATE_ANON_PER_MIN: '0',
    SVC_RATE_WALLET_PER_MIN: '0',
    SVC_PUBLISH_PER_HOUR: '0',
    SVC_REGISTER_PER_ADDRESS: '0',
    SVC_REGISTER_PER_DAY: '0',
    ...options.env?.server,
  }
  const process = supervise({
    name,
    main,
    env: () => ({ ...settings, SVC_PAYMENT_MODE: options.mode(), ...options.envOf?.(name) }),
    onDeath: deathOf(options),
    logFile: logFile.replace('server.log', `${name}.log`),
  })
  return { process: stack.use(process), lines, url: serviceUrl(port) }
}

const deathOf = ({ onDeath }: StageOptions): NonNullable<StageOptions['onDeath']> => onDeath ?? ((): void => undefined)

async function linesOf({ stack, options, database, chain }: Ground, from: string): Promise<Pick<Lines, 'db' | 'rpc'>> {
  const { decide, lost } = options
  const db = stack.use(await startPgLine({ from, target: () => database.port(), decide, onLost: lost }))
  const rpc = stack.use(
    await startHttpLine({ line: 'rpc', from, targets: () => [chain.port], nameOf: nameOfRpc, decide, onLost: lost }),
  )
  return { db, rpc }
}

function surroundingsOf(
  { folder, secrets, options }: Ground,
  own: { readonly server: number; readonly facilitator: number; readonly databaseUrl: string; readonly rpcUrl: string },
): ServiceSurroundings {
  return {
    folder,
    secrets,
    rpcUrl: own.rpcUrl,
    databases: { server: own.databaseUrl, facilitator: own.databaseUrl },
    ports: { server: own.server, facilitator: own.facilitator },
    paymentMode: options.mode(),
    web: undefined,
    env: undefined,
    mains: undefined,
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
