import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { pathToFileURL, fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const logSource = pathToFileURL(fileURLToPath(new URL('../src/open-log.ts', import.meta.url))).href
const talkative = `
  const { openLog } = await import(${JSON.stringify(logSource)})
  const log = openLog('info')
  for (let line = 0; line < 20; line += 1) {
    log.warn('x'.repeat(500))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  process.exit(7)`

test.runIf(existsSync('/dev/full'))('a full disk loses lines of the log, not the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', talkative], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([7, null])
})

test('what is written just before the end is read', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', talkative], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'exit')])
  expect(text.join('').match(/"level":40/g)).toHaveLength(20)
})
