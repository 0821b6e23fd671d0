import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { logTail } from './log-tail.ts'
import { endProcess, hasEnded } from './stopping.ts'
import { spawnTethered } from './tether.ts'
import { waitFor } from './waiting.ts'

export type NodeServiceOptions = {
  readonly name: string
  /** The file to run. */
  readonly main: string
  /** The whole environment of the service, but for PATH and HOME. */
  readonly env: Readonly<Record<string, string>>
  /** Answers with a status below 300 once the service is ready. */
  readonly healthUrl: string
  readonly logFile: string
  readonly readyTimeoutMs?: number
  readonly stopGraceMs?: number
}

export type NodeService = AsyncDisposable & {
  readonly name: string
  readonly pid: number
  readonly logFile: string
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** SIGTERM, then SIGKILL after five seconds or `stopGraceMs`. */
  stop(): Promise<void>
  /** SIGKILL, for tests of what a crash leaves. */
  kill(): Promise<void>
}

const READY_TIMEOUT_MS = 30_000
const STOP_GRACE_MS = 5_000

/** Runs a service as a process of its own, on the same Node, and answers when it is healthy. */
export async function startNodeService(options: NodeServiceOptions): Promise<NodeService> {
  const { name, logFile } = options
  mkdirSync(dirname(logFile), { recursive: true })
  const output = openSync(logFile, 'a', 0o600)
  const child = spawnTethered(process.execPath, [options.main], {
    lastSignal: 'SIGTERM',
    stdio: ['ignore', output, output],
    env: { ...inheritedEnv(), ...options.env },
  })
  closeSync(output)
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      resolve()
    }),
  )
  try {
    await waitFor(
      async () => {
        if (hasEnded(child) || child.pid === undefined) throw new Error(`${name} ended before it was ready`)
        return (await isHealthy(options.healthUrl)) || undefined
      },
      { timeoutMs: options.readyTimeoutMs ?? READY_TIMEOUT_MS, everyMs: 20, what: name },
    )
  } catch (cause) {
    await endProcess(child, 'SIGKILL', 0)
    throw new Error(`${name} did not start; the end of ${logFile}:\n${logTail(logFile)}`, { cause })
  }
  const stop = (): Promise<void> => endProcess(child, 'SIGTERM', options.stopGraceMs ?? STOP_GRACE_MS)
  return {
    name,
    logFile,
    ended,
    pid: child.pid ?? 0, // A healthy child has an id.
    stop,
    kill: () => endProcess(child, 'SIGKILL', STOP_GRACE_MS),
    [Symbol.asyncDispose]: stop,
  }
}

const inherited = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']

/** Settings of the caller's shell must not leak into the services: a stray DATABASE_URL would point them elsewhere. */
export function inheritedEnv(): Record<string, string> {
  const entries = inherited.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
