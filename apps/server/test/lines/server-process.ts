import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@ergon/dev-env'
import { onTestFinished } from 'vitest'
import type { Env } from '../../src/index.ts'
import { eventually, startRig, type Rig } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { reach, type Reached } from '../http/live-market.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** A server in a process of its own, which is killed when the test is over. */
export type ServerProcess = {
  readonly child: ChildProcess
  readonly port: number
  readonly rig: Rig
  said(): string
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
}
export type Running = ServerProcess & Reached

export type ProcessOptions = {
  readonly rig?: Rig
  readonly env?: Env
  /** How far the clock of its machine is ahead, milliseconds. */
  readonly clockAheadMs?: number
}

/** A server that runs. @throws with what it said when it ends instead */
export async function startServer(databaseUrl: string, options: ProcessOptions = {}): Promise<Running> {
  return untilRuns(await beginServer(databaseUrl, options))
}

/** Waits until it listens. @throws with what it said when it ends instead */
export async function untilRuns(begun: ServerProcess): Promise<Running> {
  await eventually(
    () => Promise.resolve(begun.said()),
    (text) => text.includes('listening') || begun.child.exitCode !== null,
    60_000,
  )
  if (!begun.said().includes('listening')) throw new Error(begun.said())
  return { ...begun, ...reach(`http://127.0.0.1:${String(begun.port)}`, begun.rig.chain.rpcUrl) }
}

/** A server that was started, whatever becomes of it. */
export async function beginServer(databaseUrl: string, options: ProcessOptions = {}): Promise<ServerProcess> {
  const rig = options.rig ?? (await startRig())
  if (options.rig === undefined) onTestFinished(() => rig[Symbol.asyncDispose]())
  const port = await freePort()
  const said: string[] = []
  const { clockAheadMs = 0 } = options
  const child = spawn(process.execPath, [...(clockAheadMs === 0 ? [] : ['--import', movedClock(clockAheadMs)]), main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...envOf(rig, databaseUrl, port), ...options.env },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, port, rig, said: () => said.join(''), ended }
}

function envOf(rig: Rig, databaseUrl: string, port: number): Env {
  return {
    SVC_HOST: '127.0.0.1',
    SVC_PORT: String(port),
    SVC_BASE_URL: `http://${authority}`,
    DATABASE_URL: databaseUrl,
    SVC_NETWORKS: 'localnet',
    SVC_RPC_LOCALNET: rig.settings.networks[0]?.rpcUrls.join(','),
    SVC_FACILITATOR_URL: rig.settings.facilitatorUrl,
    SVC_ORDER_SIGNER_KEY: rig.settings.orderSignerKey,
    SVC_DATA_DIR: rig.settings.dataDir,
    SVC_SECRET: 'a secret of this test, long enough',
    SVC_LOG_LEVEL: 'error',
    SVC_RATE_ANON_PER_MIN: '0',
    SVC_RATE_WALLET_PER_MIN: '0',
    SVC_PUBLISH_PER_HOUR: '0',
    SVC_REGISTER_PER_ADDRESS: '0',
  }
}

/** The wall clock of a process, moved before anything reads it; what only goes forward stays as it is. */
function movedClock(aheadMs: number): string {
  const source = `const Real = Date
    globalThis.Date = class extends Real {
      constructor(...args) { if (args.length === 0) super(Real.now() + ${String(aheadMs)}); else super(...args) }
      static now() { return Real.now() + ${String(aheadMs)} }
    }`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
