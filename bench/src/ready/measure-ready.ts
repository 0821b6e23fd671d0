import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { median } from '../measure/median.ts'
import type { Measured } from '../report.ts'
import { createScratch } from '../scratch.ts'

const rounds = 3
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** From the command to the line that says ready, on an empty data folder and on one that is there. */
export async function measureReady(): Promise<Measured> {
  const empty: number[] = []
  const kept: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    using folder = createScratch()
    empty.push(await startOnce(folder.path))
    kept.push(await startOnce(folder.path))
  }
  return { ready_seconds: median(empty), ready_again_seconds: median(kept) }
}

/** Runs `npm start` as a person does and stops it as soon as it is ready. */
async function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const command = spawn('npm', ['start', '--silent', '--', '--json', '--data', dataDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  // Not its exit: the constellation goes on stopping after the package manager, and holds the output until it has.
  const ended = once(command, 'close')
  const end = (): void => {
    endGroup(command)
  }
  process.once('exit', end)
  try {
    await untilReady(command.stdout)
    const seconds = (performance.now() - startedAt) / 1_000
    endGroup(command)
    return seconds
  } finally {
    // Without a ready line there is nothing but the command to end.
    const overdue = setTimeout(end, 20_000)
    command.stdout.resume()
    await ended
    clearTimeout(overdue)
    process.off('exit', end)
  }
}

/** The package manager does not hand a signal on to what it runs, so its whole group is told. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
}

async function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface(output)) {
    const record: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
    if (typeof record === 'object' && record !== null && 'ready' in record) return
  }
  throw new Error('npm start ended before it was ready')
}
