import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { median } from '../measure/median.ts'
import type { Measured } from '../report.ts'

const rounds = 3
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** From the command to the line that says ready, on an empty data folder and on one that is there. */
export async function measureReady(): Promise<Measured> {
  const empty: number[] = []
  const kept: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'ergon-bench-'))
    try {
      empty.push(await startOnce(folder))
      kept.push(await startOnce(folder))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { ready_seconds: median(empty), ready_again_seconds: median(kept) }
}

/** Runs `npm start` as a person does and stops it as soon as it is ready. */
async function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const command = spawn('npm', ['start', '--silent', '--', '--json', '--data', dataDir], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(command, 'exit')
  try {
    const pid = await readyPid(command.stdout)
    const seconds = (performance.now() - startedAt) / 1_000
    // The constellation itself: a signal to the package manager is not always handed on.
    process.kill(pid, 'SIGTERM')
    return seconds
  } finally {
    // Without a ready line there is nothing but the command to end.
    if (command.exitCode === null) setTimeout(() => command.kill(), 20_000).unref()
    await ended
  }
}

async function readyPid(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface(output)) {
    const record: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
    if (typeof record === 'object' && record !== null && 'ready' in record && 'pid' in record) return Number(record.pid)
  }
  throw new Error('npm start ended before it was ready')
}
