import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from './stopping.ts'
import type { Tether } from './tether.ts'
import { waitFor } from './waiting.ts'

const tetherFile = fileURLToPath(new URL('./tether.ts', import.meta.url))

/** A parent that starts a long child, says its id and stays. */
function parentScript(tether: Tether): string {
  return `import { spawnTethered } from ${JSON.stringify(tetherFile)}
    const child = spawnTethered('sleep', ['300'], { lastSignal: 'SIGTERM', stdio: 'ignore', tether: '${tether}' })
    process.stdout.write(String(child.pid))
    setInterval(() => undefined, 1000)`
}

test.each(['kernel', 'shell'] as const)(
  'a child tied by the %s dies when its parent is killed by SIGKILL',
  async (tether) => {
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', parentScript(tether)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said]: unknown[] = await once(parent.stdout, 'data')
    const pid = Number(String(said))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await waitFor(() => !isAlive(pid) || undefined, { timeoutMs: 30_000, everyMs: 5, what: 'the end of the child' })
  },
)
