import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { pathToFileURL, fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { startTinyService } from '../dispatch/tiny-service.ts'

/** What emits an error has a listener, whatever it is; `tools/emitters.test.ts` looks for those that have none. */

test('a connection that cannot be accepted is told of, and the next one is answered', async () => {
  await using service = await startTinyService()
  service.http.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect(service.faults).toEqual([expect.objectContaining({ code: 'EMFILE' })])
  expect((await send(service.url, 'GET', '/things')).status).toBe(200)
})

const logSource = pathToFileURL(fileURLToPath(new URL('../../src/log.ts', import.meta.url))).href
const talkative = `
  const { createLog } = await import(${JSON.stringify(logSource)})
  const log = createLog('info')
  for (let line = 0; line < 20; line += 1) {
    log.info('x'.repeat(5_000))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  process.exit(7)`

test.runIf(existsSync('/dev/full'))('a full disk loses lines of the log, not the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', talkative], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([7, null])
})
