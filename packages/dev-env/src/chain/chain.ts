import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { logTail } from '../log-tail.ts'
import { freePort } from '../ports.ts'
import { endProcess, hasEnded } from '../stopping.ts'
import { spawnTethered } from '../tether.ts'
import { waitFor } from '../waiting.ts'
import { startCheckpoints } from './checkpoints.ts'
import { startMiner } from './miner.ts'
import { openNodeSocket } from './node-socket.ts'
import { createStateFiles } from './state-files.ts'

export type ChainOptions = {
  /** Where the chain's state lives and stays. Without it the chain is forgotten when it stops. */
  readonly dataDir?: string
  /** The first port to try; the next free one is taken. Any free port without it. */
  readonly port?: number
  /** Lets the node mine on its own clock instead of when something is pending. */
  readonly blockTimeSec?: number
  /** How long a pending transaction waits for its own sender to mine it (`evm_mine`) before the launcher does. */
  readonly mineAfterMs?: number
}

export type Chain = AsyncDisposable & {
  readonly rpcUrl: string
  readonly port: number
  readonly pid: number
  readonly logFile: string
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Ends the node after it wrote its state. */
  stop(): Promise<void>
  /** SIGKILL, for tests of what a crash leaves. */
  kill(): Promise<void>
}

/** Never a real network's id: a signature made for the local chain is worth nothing elsewhere. */
const CHAIN_ID = 31337
const LOG_NAME = 'anvil.log'
const MINE_AFTER_MS = 100
const START_TIMEOUT_MS = 20_000
const STOP_GRACE_MS = 20_000

/** Starts the local chain and answers when it takes calls. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ergon-chain-'))
  const files = createStateFiles(folder)
  const isKept = options.dataDir !== undefined
  const { child, pid, port } = await launch(options, folder, files, isKept ? ['--dump-state', files.atExit] : [])
  const node = await openNodeSocket(`ws://127.0.0.1:${String(port)}`)
  const miner =
    options.blockTimeSec === undefined ? await startMiner(node, options.mineAfterMs ?? MINE_AFTER_MS) : undefined
  const checkpoints = isKept ? await startCheckpoints(node, files) : undefined

  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve()
    }),
  )
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    miner?.[Symbol.dispose]()
    // A crash waits for nothing; a stop lets a copy in progress finish.
    if (signal === 'SIGTERM') await checkpoints?.[Symbol.asyncDispose]()
    await endProcess(child, signal, STOP_GRACE_MS)
    await checkpoints?.[Symbol.asyncDispose]()
    node.close()
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
  return {
    rpcUrl: `http://127.0.0.1:${String(port)}`,
    port,
    pid,
    ended,
    logFile: join(folder, LOG_NAME),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  }
}

type Started = { readonly child: ChildProcess; readonly pid: number; readonly port: number }

/**
 * Loads the newest copy of the state that the node can read. With copies but none readable it throws: nothing is reset
 * silently.
 */
async function launch(
  options: ChainOptions,
  folder: string,
  files: ReturnType<typeof createStateFiles>,
  stateArgs: readonly string[],
): Promise<Started> {
  const log = join(folder, LOG_NAME)
  const candidates = files.candidates()
  for (const candidate of candidates) {
    const started = await startNode(options, log, [...stateArgs, '--load-state', candidate])
    if (started === undefined) {
      files.reject(candidate)
      continue
    }
    files.adopt(candidate)
    return started
  }
  if (candidates.length > 0) {
    throw new Error(
      `no copy of the chain's state in ${folder} can be read; start with --reset to begin anew:\n${logTail(log)}`,
    )
  }
  const started = await startNode(options, log, stateArgs)
  if (started === undefined) throw new Error(`the local chain did not start; the end of ${log}:\n${logTail(log)}`)
  return started
}

/** Undefined when the node gave up because it cannot read its state; a port taken meanwhile is tried again. */
async function startNode(
  options: ChainOptions,
  log: string,
  stateArgs: readonly string[],
): Promise<Started | undefined> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port)
    const child = spawnNode(options, port, log, stateArgs)
    const isUp = await waitFor(async () => (hasEnded(child) ? false : await answers(port)), {
      timeoutMs: START_TIMEOUT_MS,
      everyMs: 5,
      what: 'the local chain',
    }).catch(async (error: unknown) => {
      await endProcess(child, 'SIGKILL', 0)
      throw error
    })
    if (isUp && child.pid !== undefined && !hasEnded(child)) return { child, pid: child.pid, port }
    if (!/in use/i.test(logTail(log)) || attempt === 3) return undefined
  }
}

function spawnNode(options: ChainOptions, port: number, log: string, stateArgs: readonly string[]): ChildProcess {
  const output = openSync(log, 'w', 0o600)
  try {
    return spawnTethered(
      findAnvil(),
      [
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--quiet',
        '--chain-id',
        String(CHAIN_ID),
        '--hardfork',
        'prague',
        '--gas-limit',
        '1000000000',
        '--base-fee',
        '0',
        // Without a number here the node keeps no state at all, and with 0 it hangs after some thousand blocks.
        '--prune-history',
        '64',
        ...(options.blockTimeSec === undefined ? ['--no-mining'] : ['--block-time', String(options.blockTimeSec)]),
        ...stateArgs,
      ],
      { lastSignal: 'SIGTERM', stdio: ['ignore', output, output] },
    )
  } finally {
    closeSync(output)
  }
}

async function answers(port: number): Promise<true | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
      signal: AbortSignal.timeout(2_000),
    })
    return response.ok ? true : undefined
  } catch {
    return undefined
  }
}

/** `ERGON_ANVIL` names another binary, for platforms the npm package does not serve. */
function findAnvil(): string {
  const named = process.env['ERGON_ANVIL']
  if (named !== undefined) return named
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'anvil')
  } catch (cause) {
    throw new Error(`${name} is not installed: set ERGON_ANVIL to an anvil binary`, { cause })
  }
}
