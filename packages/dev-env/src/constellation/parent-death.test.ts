import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { isAlive } from '../stopping.ts'
import { waitFor } from '../waiting.ts'
import { startConstellation } from './constellation.ts'
import type { ConstellationRecord } from './record.ts'

const constellationFile = new URL('./constellation.ts', import.meta.url).href

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

function options(): string {
  return JSON.stringify({ dataDir, services: 'none', ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 } })
}

test('when the holder is killed by SIGKILL its parts end too, and the folder can be used again at once', async () => {
  const script = `import { startConstellation } from ${JSON.stringify(constellationFile)}
    process.stdout.write(JSON.stringify((await startConstellation(${options()})).record()) + '\\n')`
  const holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: unknown[] = await once(holder.stdout, 'data')
  const { pids } = JSON.parse(String(line)) as ConstellationRecord // written by the script above
  holder.kill('SIGKILL')
  await once(holder, 'exit')

  // Not waiting for the orphans: the next start must cope with one that is still on its way out.
  const next = await startConstellation({
    dataDir,
    services: 'none',
    ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 },
  })
  await next.stop()
  await waitFor(() => Object.values(pids).every((pid) => !isAlive(pid)) || undefined, {
    timeoutMs: 10_000,
    everyMs: 10,
    what: 'the end of the orphaned parts',
  })
})
