import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { logTail } from '../../log-tail.ts'
import { inheritedEnv } from '../../node-service.ts'
import { endProcess, hasEnded } from '../../stopping.ts'
import { spawnTethered } from '../../tether.ts'

/** A process that is started again whenever it ends, as an init system does. */
export type Supervised = AsyncDisposable & {
  readonly name: string
  readonly logFile: string
  /** Undefined between an end and the next start. */
  pid(): number | undefined
  /** How often it ended though nobody killed it, once it had begun to listen. */
  deaths(): number
  /** SIGKILL; the supervisor starts it again. */
  kill(): Promise<void>
  /** SIGSTOP, and SIGCONT after `ms`. */
  freeze(ms: number): Promise<void>
}

export type SupervisedOptions = {
  readonly name: string
  readonly main: string
  /** Asked at each start, so that a restart may change a setting. */
  readonly env: () => Readonly<Record<string, string>>
  readonly logFile: string
  /** Told when it ended though nobody killed it, with the end of its log. */
  readonly onDeath: (name: string, log: string) => void
  readonly restartAfterMs?: number
}

export function supervise({ name, main, env, logFile, onDeath, restartAfterMs = 300 }: SupervisedOptions): Supervised {
  mkdirSync(dirname(logFile), { recursive: true })
  let child: ChildProcess
  let deaths = 0
  let timer: NodeJS.Timeout | undefined
  const expected = new WeakSet<ChildProcess>()
  let isOver = false
  const start = (): void => {
    const output = openSync(logFile, 'a', 0o600)
    const before = readFileSync(logFile, 'utf8').length
    const started = spawnTethered(process.execPath, [main], {
      lastSignal: 'SIGKILL',
      stdio: ['ignore', output, output],
      env: { ...inheritedEnv(), ...env() },
    })
    closeSync(output)
    child = started
    started.once('exit', () => {
      if (isOver) return
      if (!expected.has(started)) {
        // One that cannot even start, as without its database, is just tried again.
        if (readFileSync(logFile, 'utf8').slice(before).includes('listening on')) deaths += 1
        onDeath(name, logTail(logFile))
      }
      timer = setTimeout(start, restartAfterMs)
    })
  }
  start()
  const kill = async (): Promise<void> => {
    const victim = child
    expected.add(victim)
    await endProcess(victim, 'SIGKILL', 1_000)
  }
  return {
    name,
    logFile,
    kill,
    pid: () => (hasEnded(child) ? undefined : child.pid),
    deaths: () => deaths,
    async freeze(ms) {
      const frozen = child
      frozen.kill('SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      frozen.kill('SIGCONT')
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      clearTimeout(timer)
      expected.add(child)
      child.kill('SIGCONT')
      await endProcess(child, 'SIGTERM', 4_000)
    },
  }
}
