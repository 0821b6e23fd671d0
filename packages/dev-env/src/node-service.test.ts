import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder } from './data-lock.ts'
import { startNodeService } from './node-service.ts'
import type { NodeService } from './node-service.ts'
import { freePort } from './ports.ts'
import { isAlive } from './stopping.ts'

/** A service that is healthy at the third question, writes a log and notes a clean end. */
const SERVICE = `
import { createServer } from 'node:http'
let asked = 0
createServer((request, response) => {
  asked += 1
  response.statusCode = asked < 3 ? 503 : 200
  response.end(process.env.WORD)
}).listen(Number(process.env.PORT), '127.0.0.1')
console.log('listening, shell word ' + process.env.SHELL_ONLY)
if (process.env.STUBBORN) process.on('SIGTERM', () => {})
else process.on('SIGTERM', () => { console.log('clean end'); process.exit(0) })
`

let folder: string
let port: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ergon-test-'))
  port = await freePort()
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function start(source: string, env: Record<string, string> = {}): Promise<NodeService> {
  const main = join(folder, 'main.mjs')
  writeFileSync(main, source)
  return startNodeService({
    name: 'the fake',
    main,
    env: { PORT: String(port), WORD: 'ready', ...env },
    healthUrl: `http://127.0.0.1:${String(port)}/health`,
    logFile: join(folder, 'logs', 'fake.log'),
    stopGraceMs: 200,
  })
}

test('a service is ready when its health answers 200, sees only its own settings, and ends cleanly', async () => {
  process.env['SHELL_ONLY'] = 'leaked'
  const service = await start(SERVICE)
  expect(await (await fetch(`http://127.0.0.1:${String(port)}/`)).text()).toBe('ready')
  await service.stop()
  await service.ended
  expect(isAlive(service.pid)).toBe(false)
  const log = readFileSync(service.logFile, 'utf8')
  expect(log).toContain('clean end')
  expect(log).not.toContain('leaked')
})

test('a service that fails to start shows the end of its log', async () => {
  await expect(start("console.error('the setting X is missing'); process.exit(1)")).rejects.toThrow(
    'the setting X is missing',
  )
})

test('a service that does not heed SIGTERM is killed after its grace', async () => {
  const service = await start(SERVICE, { STUBBORN: '1' })
  await service.stop()
  expect(isAlive(service.pid)).toBe(false)
})

test('a data folder is held by one process at a time, and the refusal names the holder', async () => {
  const held = await lockDataFolder(folder)
  const refusal = lockDataFolder(folder)
  await expect(refusal).rejects.toThrow(DataFolderInUse)
  await expect(refusal).rejects.toThrow(`process ${String(process.pid)}`)
  await held[Symbol.asyncDispose]()
  await (await lockDataFolder(folder))[Symbol.asyncDispose]()
})
